import { asFields, asList, asNumber, type Fields, isFields } from '@palimpsest/core/json';
import type { Incoming } from '../api/api.ts';
import { type Problem, type Problems, takeFirst } from '../api/problem.ts';
import { isPresent } from '../is-present.ts';
import type { SimModel } from '../models.ts';
import { listBlocks, placeBlocks } from './blocks.ts';
import { checkBlock, checkText } from './check-block.ts';
import { checkOptions } from './check-options.ts';
import { checkTurns } from './check-turns.ts';
import { invalidRequest, missingField, schemaProblem } from './problems.ts';
import { judgeThinking } from './sign.ts';

const MAX_MESSAGES = 100_000;

/** The parameters of `POST /v1/messages`, the SDK's own list and the sampling ones that older models take. */
const PARAMETERS = new Set(
  `max_tokens messages model cache_control compaction container context_management diagnostics fallback_credit_token
  fallbacks inference_geo mcp_servers metadata output_config output_format service_tier speed stop_sequences stream system
  thinking thread tool_choice tools temperature top_p top_k`.split(/\s+/),
);

export const readBetas = (headers: Readonly<Record<string, string>>): readonly string[] =>
  (headers['anthropic-beta'] ?? '').split(',').map((beta) => beta.trim());

/** The first thing the server would complain about. */
export const checkMessages = (body: unknown, incoming: Incoming, model: SimModel | undefined): Problem | undefined =>
  takeFirst(check(body, incoming, model));

function* check(body: unknown, incoming: Incoming, model: SimModel | undefined): Problems {
  if (incoming.headers['anthropic-version'] === undefined)
    yield invalidRequest('', 'version-missing', 'anthropic-version: header is required');
  if (!isFields(body)) return yield invalidRequest('', 'not-an-object', 'Input should be a valid dictionary');
  yield* checkParameters(body, incoming.path.endsWith('/count_tokens'), model);
  const messages = body.messages;
  if (!Array.isArray(messages)) return;
  for (const [m, message] of messages.entries()) yield* checkMessage(message, m, m === messages.length - 1);
  yield* checkSystem(body.system);
  yield* checkOptions(body, readBetas(incoming.headers), model);
  yield* checkTurns(body, model);
  yield* checkSignatures(body, model);
}

function* checkParameters(body: Fields, counts: boolean, model: SimModel | undefined): Problems {
  if (!isPresent(body.model)) yield missingField('model', 'model-missing');
  if (body.messages === undefined) yield missingField('messages', 'messages-missing');
  else if (!Array.isArray(body.messages))
    yield schemaProblem('messages', 'messages-missing', 'Input should be a valid list');
  else if (body.messages.length === 0)
    yield schemaProblem('messages', 'messages-empty', 'at least one message is required');
  else if (body.messages.length > MAX_MESSAGES)
    yield schemaProblem(
      'messages',
      'too-many-messages',
      `List should have at most ${MAX_MESSAGES} items after validation, not ${body.messages.length}`,
    );
  if (!counts) yield* checkMaxTokens(body.max_tokens, model);
  const temperature = asNumber(body.temperature);
  if (temperature !== undefined && (temperature < 0 || temperature > 1))
    yield schemaProblem('temperature', 'temperature', 'range: 0..1');
  for (const key of Object.keys(body))
    if (!PARAMETERS.has(key)) yield schemaProblem(key, 'unknown-parameter', 'Extra inputs are not permitted');
}

function* checkMaxTokens(value: unknown, model: SimModel | undefined): Problems {
  if (!isPresent(value)) return yield missingField('max_tokens', 'max-tokens');
  if (!Number.isInteger(value))
    return yield schemaProblem('max_tokens', 'max-tokens', 'Input should be a valid integer');
  if ((value as number) < 1)
    yield schemaProblem('max_tokens', 'max-tokens', 'Input should be greater than or equal to 1');
  if (model !== undefined && (value as number) > model.maxOutput)
    yield schemaProblem(
      'max_tokens',
      'max-tokens',
      `${value} > ${model.maxOutput}, which is the maximum allowed number of output tokens for ${model.name}`,
    );
}

function* checkMessage(message: unknown, m: number, isLast: boolean): Problems {
  const path = `messages.${m}`;
  if (!isFields(message)) return yield schemaProblem(path, 'not-a-message', 'Input should be a valid dictionary');
  const { role, content } = message;
  if (role === undefined) return yield missingField(`${path}.role`, 'unknown-role');
  if (role !== 'user' && role !== 'assistant' && role !== 'system')
    return yield schemaProblem(`${path}.role`, 'unknown-role', "Input should be 'user', 'assistant' or 'system'");
  if (role === 'system' && content === undefined && isFields(message.output_config)) return;
  if (content === undefined) return yield missingField(`${path}.content`, 'empty-content');
  if (typeof content !== 'string' && !Array.isArray(content))
    return yield schemaProblem(`${path}.content`, 'empty-content', 'Input should be a valid list');
  if (content.length === 0) {
    if (role === 'assistant' && isLast) return;
    return yield schemaProblem(
      path,
      'empty-content',
      'all messages must have non-empty content except for the optional final assistant message',
    );
  }
  const blocks = listBlocks(content);
  for (const [b, block] of blocks.entries()) yield* checkBlock(block, `${path}.content.${b}`, role);
}

function* checkSystem(system: unknown): Problems {
  if (system === undefined || system === null || typeof system === 'string') return;
  if (!Array.isArray(system)) return yield schemaProblem('system', 'system', 'Input should be a valid list');
  for (const [i, block] of asList(system).entries()) {
    if (asFields(block).type !== 'text')
      return yield schemaProblem(`system.${i}.type`, 'system', "Input should be 'text'");
    yield* checkText(asFields(block), `system.${i}`);
  }
}

/** A signature of another making is refused by every model; one that was made behind another conversation by some. */
function* checkSignatures(body: Fields, model: SimModel | undefined): Problems {
  const drops = asFields(asFields(body.thinking).block_binding).prefix_mismatch_behavior === 'drop_block';
  for (const { placed, state } of judgeThinking(placeBlocks(body)))
    if (state === 'false' || (state === 'moved' && model?.thinkingBound === true && !drops))
      yield invalidRequest(
        placed.path,
        state === 'false' ? 'thinking-signature' : 'thinking-behind-change',
        `${placed.path}: Invalid \`signature\` in \`thinking\` block${state === 'false' ? '' : ': the conversation before it differs from the one it was created in'}`,
      );
}
