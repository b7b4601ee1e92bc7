import { DIALECTS } from '../dialects/dialect.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { isCoded, isEventStream, relayResponse } from '../exchange/relay-response.ts';
import type { Route } from '../exchange/route.ts';
import type { GatewayState } from '../gateway-state.ts';
import type { KeptTurn } from '../keep/kept-turn.ts';
import { type Acceptance, MOST_ANSWER_BYTES, readValue } from './accept-answer.ts';
import { createUsageReader } from './usage-reader.ts';

/** Hands an answer on as it comes, while it is read. */
export async function relayAnswer(
  { pingMs }: GatewayState,
  exchange: Exchange,
  { api }: Route,
  { inbound, watch }: Extract<Acceptance, { type: 'answer' }>,
  kept: KeptTurn | undefined,
): Promise<void> {
  const dialect = DIALECTS[api];
  const { line } = exchange;
  if (inbound.status >= 400) return relayResponse(exchange, inbound, { dialect, pingMs });
  const reader = createUsageReader(dialect.wire);
  const noteUsage = (): void => {
    const usage = reader.usage();
    if (usage !== undefined) line.usage = usage;
  };
  if (isEventStream(inbound) && !isCoded(inbound))
    return relayResponse(exchange, inbound, {
      dialect,
      pingMs,
      onChunk: reader.readEvents,
      onEnd() {
        watch?.end();
        noteUsage();
      },
    });
  const chunks: Buffer[] = [];
  let size = 0;
  await relayResponse(exchange, inbound, {
    dialect,
    pingMs,
    onChunk(chunk) {
      size += chunk.length;
      if (size <= MOST_ANSWER_BYTES) chunks.push(chunk);
    },
  });
  if (size > MOST_ANSWER_BYTES || line.ended !== undefined) return;
  const value = await readValue(inbound, Buffer.concat(chunks));
  if (typeof value !== 'object' || value === null) return;
  reader.readAnswer(value);
  noteUsage();
  kept?.hear(value);
}
