import { estimateMessage, estimateText } from '@palimpsest/core';
import { asNumber, isFields } from '@palimpsest/core/json';
import type { KeptRequest } from '@palimpsest/sdk/keeper';
import { apis } from '@palimpsest/wire';
import { DIALECTS } from '../dialects/dialect.ts';
import { answerClient } from '../exchange/answer-client.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { relayResponse } from '../exchange/relay-response.ts';
import type { GatewayState } from '../gateway-state.ts';
import { collectAnswer } from './accept-answer.ts';
import { type Asked, keepAsked, readAsked } from './asked.ts';
import { readOrRefuse } from './converse.ts';
import type { Settled } from './pass-request.ts';
import { sendKept } from './send-kept.ts';

/** Below this share of the window a body goes as it is, so it is counted as it is. */
const LEAST_SHARE = 0.25;
const CHARS_PER_TOKEN = 4;

/** What a request would take as it would be sent. Asked of the provider, and reckoned here where it cannot count. */
export async function countTokens(state: GatewayState, exchange: Exchange, settled: Settled): Promise<void> {
  const read = await readOrRefuse(state, exchange, settled);
  if (read === undefined) return;
  const asked = readAsked(state, exchange, settled, await read.parse());
  const isLarge = read.bytes.length / CHARS_PER_TOKEN > (asked?.window ?? Number.POSITIVE_INFINITY) * LEAST_SHARE;
  const kept = asked === undefined || !isLarge ? undefined : await keepAsked(state, exchange, settled, asked);
  const accepted = await sendKept(state, exchange, { settled, bytes: [read.bytes], kept });
  if (accepted === undefined) return;
  const { held, value } = await collectAnswer(accepted.inbound);
  if (asked === undefined || !lacksCount(held.status, value)) {
    await relayResponse(exchange, held, { dialect: DIALECTS[settled.route.api], pingMs: state.pingMs });
    return;
  }
  const tokens = Math.max(1, reckonTokens(settled, asked, kept));
  answerClient(
    exchange,
    200,
    JSON.stringify(settled.route.api === 'gemini' ? { totalTokens: tokens } : { input_tokens: tokens }),
  );
}

/** Many servers speak a vendor's API and cannot count; some say 0. */
function lacksCount(status: number, value: unknown): boolean {
  if ([404, 405, 501].includes(status)) return true;
  const stated = isFields(value) ? (asNumber(value.input_tokens) ?? asNumber(value.totalTokens)) : undefined;
  return status === 200 && stated === 0;
}

function reckonTokens({ route }: Settled, { body }: Asked, kept: KeptRequest | undefined): number {
  if (kept !== undefined) return kept.tokens;
  const { messages, system, tools } = apis[route.api].wire.decode(body as never);
  const besides = estimateText(system) + (tools.length === 0 ? 0 : estimateText(JSON.stringify(tools)));
  return messages.reduce((sum, message) => sum + estimateMessage(message), besides);
}
