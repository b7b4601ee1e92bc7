import { randomBytes } from 'node:crypto';
import { asFields, parseJson } from '@palimpsest/core/json';
import { DIALECTS } from '../dialects/dialect.ts';
import { answerClient } from '../exchange/answer-client.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { relayResponse } from '../exchange/relay-response.ts';
import type { GatewayState } from '../gateway-state.ts';
import { keepAsked, readAsked } from './asked.ts';
import type { Settled } from './pass-request.ts';
import { withRequest } from './read-request.ts';
import { sendKept } from './send-kept.ts';

/** `/responses/compact`: the provider's own where it has one; else the same by our means, as items for the next input. */
export const compactInput = (state: GatewayState, exchange: Exchange, settled: Settled): Promise<void> =>
  withRequest(state, exchange, settled, async ({ bytes, body }) => {
    const asked = await readAsked(state, exchange, settled, body);
    const accepted = await sendKept(state, exchange, { settled, bytes, kept: undefined });
    if (accepted === undefined) return;
    const isLacking = [404, 405, 501].includes(accepted.inbound.status);
    const first = asked === undefined || !isLacking ? undefined : await keepAsked(state, exchange, settled, asked);
    if (asked !== undefined && first !== undefined) {
      await body.askKept((keeper, id) => keeper.compact(id)).catch(() => {});
      const kept = await keepAsked(state, exchange, settled, asked);
      if (kept !== undefined && kept !== 'no-tool') {
        const usage = {
          input_tokens: kept.tokensBefore,
          output_tokens: kept.tokens,
          total_tokens: kept.tokensBefore + kept.tokens,
        };
        const written = kept.bytes ?? (await body.ask((keeper, id) => keeper.write(id, [])));
        const answer = {
          id: `resp_${randomBytes(12).toString('hex')}`,
          object: 'response.compaction',
          created_at: Math.floor(Date.now() / 1_000),
          output: asFields(parseJson(Buffer.from(written).toString('utf8'))).input,
          usage,
        };
        return answerClient(exchange, 200, JSON.stringify(answer));
      }
    }
    await relayResponse(exchange, accepted.inbound, { dialect: DIALECTS[settled.route.api], pingMs: state.pingMs });
  });
