import { asFields, asList, type Fields } from '@palimpsest/core/json';
import type { Answer } from '../api/api.ts';
import type { Problem } from '../api/problem.ts';
import { type Sending, type SseEvent, sseEvent } from '../api/sending.ts';
import { type SimUsage, totalInput } from '../api/usage.ts';
import { identifier } from '../random.ts';
import { splitText } from '../script/reply.ts';
import type { ResponsesPrepared } from './prepare-responses.ts';
import { makeError } from './problems.ts';

const CHARS = 24;

type Item = { readonly type: string; readonly id: string } & Fields;

export interface MadeResponse {
  readonly id: string;
  readonly output: readonly Item[];
  readonly sending: Sending;
}

export function answerResponse(answer: Answer<ResponsesPrepared>): MadeResponse {
  const { seed, n, prepared, spoken } = answer;
  const id = identifier('resp_', seed, n, 'response');
  const output = makeOutput(answer);
  const isIncomplete = spoken.stop === 'length' || spoken.stop === 'window';
  const whole = {
    ...shell(id, answer.body, answer.model.name, answer.at),
    status: isIncomplete ? 'incomplete' : 'completed',
    incomplete_details: isIncomplete ? { reason: 'max_output_tokens' } : null,
    output,
    usage: answer.usage === undefined ? null : writeUsage(answer.usage),
  };
  const headers = { 'x-request-id': identifier('req_', seed, n, 'request') };
  return {
    id,
    output,
    sending: {
      status: 200,
      headers,
      body: prepared.stream
        ? { type: 'events', events: numberEvents(writeEvents(answer, id, output, whole)) }
        : { type: 'json', value: whole },
    },
  };
}

/** A refusal that comes after the stream has begun, as the API does it for a prompt that is too long. */
export function refuseLate(problem: Problem, id: string, body: Fields, at: number): Sending {
  const begun = { ...shell(id, body, String(body.model), at), status: 'in_progress', output: [], usage: null };
  const error = { code: problem.code ?? 'server_error', message: problem.message };
  const list = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    { type: 'error', error: makeError(problem) },
    { type: 'response.failed', response: { ...begun, status: 'failed', error } },
  ];
  return { status: 200, headers: {}, body: { type: 'events', events: numberEvents(list) } };
}

const numberEvents = (list: Iterable<Fields>): readonly SseEvent[] =>
  [...list].map((event, i) => sseEvent({ ...event, sequence_number: i }, String(event.type)));

const writeUsage = (usage: SimUsage): Fields => ({
  input_tokens: totalInput(usage),
  input_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: 0 },
  output_tokens: usage.output,
  output_tokens_details: { reasoning_tokens: usage.reasoning },
  total_tokens: totalInput(usage) + usage.output,
});

const shell = (id: string, body: Fields, model: string, at: number): Fields => ({
  id,
  object: 'response',
  created_at: Math.floor(at / 1000),
  status: 'in_progress',
  background: false,
  error: null,
  incomplete_details: null,
  instructions: body.instructions ?? null,
  max_output_tokens: body.max_output_tokens ?? null,
  metadata: body.metadata ?? {},
  model,
  output: [],
  parallel_tool_calls: body.parallel_tool_calls ?? true,
  previous_response_id: body.previous_response_id ?? null,
  prompt_cache_key: body.prompt_cache_key ?? null,
  reasoning: { effort: asFields(body.reasoning).effort ?? null, summary: asFields(body.reasoning).summary ?? null },
  service_tier: 'default',
  store: body.store ?? true,
  temperature: body.temperature ?? 1,
  text: body.text ?? { format: { type: 'text' } },
  tool_choice: body.tool_choice ?? 'auto',
  tools: body.tools ?? [],
  top_p: body.top_p ?? 1,
  truncation: body.truncation ?? 'disabled',
  usage: null,
  user: body.user ?? null,
});

function makeOutput({ seed, n, spoken, prepared }: Answer<ResponsesPrepared>): readonly Item[] {
  const { thinking, text, calls } = spoken;
  const items: Item[] = [];
  if (thinking !== '')
    items.push({
      id: identifier('rs_', seed, n, 'reasoning'),
      type: 'reasoning',
      summary: prepared.showsSummary ? [{ type: 'summary_text', text: thinking }] : [],
      encrypted_content: `gAAAAA${Buffer.from(thinking).toString('base64url')}`,
    });
  if (text !== '' || calls.length === 0)
    items.push({
      id: identifier('msg_', seed, n, 'message'),
      type: 'message',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
    });
  for (const [i, { name, input }] of calls.entries()) {
    const namespace = prepared.namespaces.get(name);
    items.push({
      id: identifier('fc_', seed, n, i, 'item'),
      type: 'function_call',
      status: 'completed',
      call_id: identifier('call_', seed, n, i, 'call'),
      name,
      ...(namespace === undefined ? {} : { namespace }),
      arguments: JSON.stringify(input),
    });
  }
  return items;
}

function* writeEvents(
  answer: Answer<ResponsesPrepared>,
  id: string,
  output: readonly Item[],
  whole: Fields,
): Generator<Fields, void> {
  const begun = shell(id, answer.body, answer.model.name, answer.at);
  yield { type: 'response.created', response: begun };
  yield { type: 'response.in_progress', response: begun };
  for (const [output_index, item] of output.entries()) {
    yield { type: 'response.output_item.added', output_index, item: openItem(item) };
    yield* writeItem(item, { output_index, item_id: item.id });
    yield { type: 'response.output_item.done', output_index, item };
  }
  yield { type: whole.status === 'completed' ? 'response.completed' : 'response.incomplete', response: whole };
}

function openItem(item: Item): Fields {
  if (item.type === 'message') return { ...item, status: 'in_progress', content: [] };
  if (item.type === 'function_call') return { ...item, status: 'in_progress', arguments: '' };
  return { ...item, summary: [] };
}

function* writeItem(item: Item, at: Fields): Generator<Fields, void> {
  if (item.type === 'function_call') {
    const spelled = String(item.arguments);
    for (const delta of splitText(spelled, CHARS))
      yield { type: 'response.function_call_arguments.delta', ...at, delta };
    yield { type: 'response.function_call_arguments.done', ...at, name: item.name, arguments: spelled };
  }
  for (const [content_index, part] of asList(item.content).map(asFields).entries()) {
    const text = String(part.text);
    const here = { ...at, content_index };
    yield { type: 'response.content_part.added', ...here, part: { ...part, text: '' } };
    for (const delta of splitText(text, CHARS))
      yield { type: 'response.output_text.delta', ...here, delta, logprobs: [] };
    yield { type: 'response.output_text.done', ...here, text, logprobs: [] };
    yield { type: 'response.content_part.done', ...here, part };
  }
  for (const [summary_index, part] of asList(item.summary).map(asFields).entries()) {
    const text = String(part.text);
    const here = { ...at, summary_index };
    yield { type: 'response.reasoning_summary_part.added', ...here, part: { ...part, text: '' } };
    for (const delta of splitText(text, CHARS)) yield { type: 'response.reasoning_summary_text.delta', ...here, delta };
    yield { type: 'response.reasoning_summary_text.done', ...here, text };
    yield { type: 'response.reasoning_summary_part.done', ...here, part };
  }
}
