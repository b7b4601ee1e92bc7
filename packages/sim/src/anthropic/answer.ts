import type { Fields } from '@palimpsest/core/json';
import type { Answer } from '../api/api.ts';
import { type Sending, type SseEvent, sseEvent } from '../api/sending.ts';
import type { SimUsage } from '../api/usage.ts';
import { identifier } from '../random.ts';
import { type SimStop, splitText } from '../script/reply.ts';
import type { AnthropicPrepared } from './prepare.ts';
import { hashPrefix, sign } from './sign.ts';

const STOPS: Readonly<Record<SimStop, string>> = {
  end: 'end_turn',
  calls: 'tool_use',
  length: 'max_tokens',
  window: 'model_context_window_exceeded',
  refused: 'refusal',
};
const TEXT_CHARS = 24;
const JSON_CHARS = 40;

type Block = { readonly type: string } & Fields;

export function answerMessage(answer: Answer<AnthropicPrepared>): Sending {
  const { seed, n, prepared } = answer;
  const headers = { 'request-id': identifier('req_', seed, n, 'request'), 'anthropic-organization-id': 'org_sim' };
  const blocks = makeBlocks(answer);
  return prepared.stream
    ? { status: 200, headers, body: { type: 'events', events: [...writeEvents(answer, blocks)] } }
    : { status: 200, headers, body: { type: 'json', value: message(answer, blocks, answer.usage, true) } };
}

function makeBlocks({ seed, n, spoken, prepared }: Answer<AnthropicPrepared>): readonly Block[] {
  const { thinking, text, calls } = spoken;
  const blocks: Block[] = [];
  if (thinking !== '')
    blocks.push({ type: 'thinking', thinking, signature: sign(thinking, hashPrefix(prepared.sent)) });
  if (text !== '' || (calls.length === 0 && thinking === '')) blocks.push({ type: 'text', text });
  for (const [i, { name, input }] of calls.entries())
    blocks.push({
      type: 'tool_use',
      id: identifier('toolu_', seed, n, i, 'call'),
      name,
      input,
      caller: { type: 'direct' },
    });
  return blocks;
}

function message(
  answer: Answer<AnthropicPrepared>,
  content: readonly Block[],
  usage: SimUsage | undefined,
  isWhole: boolean,
): Fields {
  const { seed, n, model, prepared, spoken } = answer;
  return {
    id: identifier('msg_', seed, n, 'message'),
    type: 'message',
    role: 'assistant',
    model: model.name,
    content,
    stop_reason: isWhole ? STOPS[spoken.stop] : null,
    stop_sequence: null,
    stop_details: null,
    container: null,
    usage: writeUsage(usage, isWhole ? undefined : 1),
    ...(isWhole ? describeEdits(prepared) : {}),
    ...(prepared.dropped === undefined ? {} : { input_transformations: prepared.dropped }),
  };
}

const describeEdits = ({ applied }: AnthropicPrepared): Fields =>
  applied === undefined ? {} : { context_management: { applied_edits: applied } };

/**
 * The first event of a stream states the input, and as output whatever has been written by then. Clients insist on the
 * two fields, so a gateway that knows nothing writes zeros.
 */
function writeUsage(usage: SimUsage | undefined, outputSoFar?: number): Fields {
  if (usage === undefined) return { input_tokens: 0, output_tokens: 0 };
  return {
    input_tokens: usage.input,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation: {
      ephemeral_5m_input_tokens: usage.cacheWrite - usage.cacheWriteHour,
      ephemeral_1h_input_tokens: usage.cacheWriteHour,
    },
    output_tokens: outputSoFar ?? usage.output,
    output_tokens_details: null,
    server_tool_use: null,
    service_tier: 'standard',
    inference_geo: 'not_available',
    speed: null,
  };
}

const DELTA_FIELDS = [
  'input_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
  'output_tokens',
  'output_tokens_details',
  'server_tool_use',
];

/** The last event repeats what the answer took, and not how the request was served. */
const writeDeltaUsage = (usage: SimUsage | undefined): Fields =>
  Object.fromEntries(Object.entries(writeUsage(usage)).filter(([name]) => DELTA_FIELDS.includes(name)));

function* writeEvents(answer: Answer<AnthropicPrepared>, blocks: readonly Block[]): Generator<SseEvent, void> {
  const event = (type: string, fields: Fields): SseEvent => sseEvent({ type, ...fields }, type);
  const delta = (index: number, fields: Fields): SseEvent => event('content_block_delta', { index, delta: fields });

  yield event('message_start', { message: message(answer, [], answer.usage, false) });
  for (const [index, block] of blocks.entries()) {
    yield event('content_block_start', { index, content_block: openBlock(block) });
    if (index === 0) yield event('ping', {});
    if (block.type === 'thinking') {
      for (const thinking of splitText(String(block.thinking), TEXT_CHARS))
        yield delta(index, { type: 'thinking_delta', thinking });
      yield delta(index, { type: 'signature_delta', signature: block.signature });
    } else if (block.type === 'text') {
      for (const text of splitText(String(block.text), TEXT_CHARS)) yield delta(index, { type: 'text_delta', text });
    } else {
      yield delta(index, { type: 'input_json_delta', partial_json: '' });
      for (const partial_json of splitText(JSON.stringify(block.input), JSON_CHARS))
        yield delta(index, { type: 'input_json_delta', partial_json });
    }
    yield event('content_block_stop', { index });
  }
  yield event('message_delta', {
    delta: { stop_reason: STOPS[answer.spoken.stop], stop_sequence: null, stop_details: null, container: null },
    usage: writeDeltaUsage(answer.usage),
    ...describeEdits(answer.prepared),
  });
  yield event('message_stop', {});
}

const openBlock = (block: Block): Fields =>
  block.type === 'thinking'
    ? { ...block, thinking: '', signature: '' }
    : block.type === 'text'
      ? { ...block, text: '' }
      : { ...block, input: {} };
