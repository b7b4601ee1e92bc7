import { randomBytes } from 'node:crypto';
import { asFields } from '@palimpsest/core/json';
import { DIALECTS } from '../dialects/dialect.ts';
import { answerClient } from '../exchange/answer-client.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { relayResponse } from '../exchange/relay-response.ts';
import type { GatewayState } from '../gateway-state.ts';
import { keepAsked, readAsked } from './asked.ts';
import { readOrRefuse } from './converse.ts';
import type { Settled } from './pass-request.ts';
import { sendKept } from './send-kept.ts';

/** `/responses/compact`: the provider's own where it has one; else the same by our means, as items for the next input. */
export async function compactInput(state: GatewayState, exchange: Exchange, settled: Settled): Promise<void> {
  const read = await readOrRefuse(state, exchange, settled);
  if (read === undefined) return;
  const accepted = await sendKept(state, exchange, { settled, bytes: [read.bytes], kept: undefined });
  if (accepted === undefined) return;
  const asked = readAsked(state, exchange, settled, await read.parse());
  if (asked !== undefined && [404, 405, 501].includes(accepted.inbound.status)) {
    const first = await keepAsked(state, exchange, settled, asked);
    await first?.session.compact().catch(() => undefined);
    const kept = first === undefined ? undefined : await keepAsked(state, exchange, settled, asked);
    if (kept !== undefined) {
      const id = `resp_${randomBytes(12).toString('hex')}`;
      const usage = {
        input_tokens: kept.tokensBefore,
        output_tokens: kept.tokens,
        total_tokens: kept.tokensBefore + kept.tokens,
      };
      const created_at = Math.floor(Date.now() / 1_000);
      const output = asFields(kept.body).input;
      return answerClient(
        exchange,
        200,
        JSON.stringify({ id, object: 'response.compaction', created_at, output, usage }),
      );
    }
  }
  await relayResponse(exchange, accepted.inbound, { dialect: DIALECTS[settled.route.api], pingMs: state.pingMs });
}
