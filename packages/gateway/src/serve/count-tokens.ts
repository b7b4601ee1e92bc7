import { asNumber, isFields } from '@palimpsest/core/json';
import { DIALECTS } from '../dialects/dialect.ts';
import { answerClient } from '../exchange/answer-client.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { relayResponse } from '../exchange/relay-response.ts';
import type { GatewayState } from '../gateway-state.ts';
import { collectAnswer } from './accept-answer.ts';
import { keepAsked, readAsked } from './asked.ts';
import type { Settled } from './pass-request.ts';
import { withRequest } from './read-request.ts';
import { sendKept } from './send-kept.ts';

/** Below this share of the window a body goes as it is, so it is counted as it is. */
const LEAST_SHARE = 0.25;
const CHARS_PER_TOKEN = 4;

/** What a request would take as it would be sent. Asked of the provider, and reckoned here where it cannot count. */
export const countTokens = (state: GatewayState, exchange: Exchange, settled: Settled): Promise<void> =>
  withRequest(state, exchange, settled, async ({ bytes, body }) => {
    const asked = await readAsked(state, exchange, settled, body);
    const isLarge = bytes.length / CHARS_PER_TOKEN > (asked?.window ?? Number.POSITIVE_INFINITY) * LEAST_SHARE;
    const found = asked === undefined || !isLarge ? undefined : await keepAsked(state, exchange, settled, asked);
    const kept = found === 'no-tool' ? undefined : found;
    const accepted = await sendKept(state, exchange, { settled, bytes, kept });
    if (accepted === undefined) return;
    const { held, value } = await collectAnswer(accepted.inbound);
    if (asked === undefined || !lacksCount(held.status, value))
      return relayResponse(exchange, held, { dialect: DIALECTS[settled.route.api], pingMs: state.pingMs });
    const tokens = Math.max(1, kept?.tokens ?? (await body.ask((keeper, id) => keeper.count(id))));
    answerClient(
      exchange,
      200,
      JSON.stringify(settled.route.api === 'gemini' ? { totalTokens: tokens } : { input_tokens: tokens }),
    );
  });

/** Many servers speak a vendor's API and cannot count; some say 0. */
function lacksCount(status: number, value: unknown): boolean {
  if ([404, 405, 501].includes(status)) return true;
  const stated = isFields(value) ? (asNumber(value.input_tokens) ?? asNumber(value.totalTokens)) : undefined;
  return status === 200 && stated === 0;
}
