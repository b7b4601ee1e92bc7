import { type RequestLine, startGateway } from '@palimpsest/gateway';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answerJson, sendRaw, startUpstream } from './raw-upstream.ts';

const TOOL = 'palimpsest_recall';

interface Faults {
  /** The round, counted from 1, behind whose text the upstream's connection breaks. */
  readonly cutRound?: number;
  /** What every round but the first is refused with. */
  readonly laterStatus?: number;
}

/** A provider that streams these rounds, the last of them again and again, and a gateway in front of it. */
async function start(rounds: readonly string[], { cutRound, laterStatus }: Faults) {
  let count = 0;
  const lines: RequestLine[] = [];
  const upstream = await startUpstream((_, response) => {
    const round = rounds[Math.min(count++, rounds.length - 1)] ?? '';
    if (laterStatus !== undefined && count > 1)
      return answerJson(response, { type: 'error', error: { type: 'permission_error', message: 'no' } }, laterStatus);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (count === cutRound) response.write(round, () => response.destroy());
    else response.end(round);
  });
  onTestFinished(upstream.close);
  const onRequest = (line: RequestLine): void => void lines.push(line);
  const gateway = await startGateway({ upstreams: { '*': upstream.url }, window: 8_000, recall: true, onRequest });
  onTestFinished(() => gateway.close({ graceMs: 0 }));
  return { upstream, gateway, lines };
}

async function ask(path: string, body: object, rounds: readonly string[], faults: Faults = {}) {
  const { upstream, gateway } = await start(rounds, faults);
  const { text } = await sendRaw(gateway.url + path, { body: JSON.stringify(body) });
  expect(text).not.toContain(TOOL);
  return { text, asked: upstream.arrived.length };
}

/** Sends a request whose answer breaks off, and returns what the gateway logged. */
async function askInVain(path: string, body: object, rounds: readonly string[], faults: Faults = {}) {
  const { upstream, gateway, lines } = await start(rounds, faults);
  const sent = sendRaw(gateway.url + path, { body: JSON.stringify(body) });
  await expect(sent).rejects.toThrow(/aborted|reset/);
  await expect.poll(() => lines.length).toBe(1);
  return { asked: upstream.arrived.length, line: lines[0] };
}

const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const event = (type: string, fields: object = {}): string => `event: ${type}\n${data({ type, ...fields })}`;

const CHAT = {
  model: 'm',
  stream: true,
  tools: [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }],
  messages: [{ role: 'user', content: 'hello' }],
};
const chunk = (delta: object, finish: string | null = null): string =>
  data({ id: 'c', created: 1, choices: [{ index: 0, delta, finish_reason: finish }] });
const call = (index: number | undefined, id: string, name: string) => ({
  ...(index === undefined ? {} : { index }),
  id,
  type: 'function',
  function: { name, arguments: '{"query":"x"}' },
});
const DONE = 'data: [DONE]\n\n';

describe('a client’s call beside a lookup, as servers stream them', () => {
  it.each([
    ['in the chunk that ends it', chunk({ tool_calls: [call(0, 'a', TOOL), call(1, 'b', 'read')] }, 'tool_calls')],
    ['under one index', chunk({ tool_calls: [call(0, 'a', TOOL), call(0, 'b', 'read')] }) + chunk({}, 'tool_calls')],
    [
      'without an index',
      chunk({ tool_calls: [call(undefined, 'a', TOOL), call(undefined, 'b', 'read')] }) + chunk({}, 'tool_calls'),
    ],
    [
      'without an index, one by one',
      chunk({ tool_calls: [call(undefined, 'a', TOOL)] }) +
        chunk({ tool_calls: [call(undefined, 'b', 'read')] }) +
        chunk({}, 'tool_calls'),
    ],
    [
      'under one index, one by one',
      chunk({ tool_calls: [call(0, 'b', 'read')] }) +
        chunk({ tool_calls: [call(0, 'a', TOOL)] }) +
        chunk({}, 'tool_calls'),
    ],
  ])('reaches the client: %s', async (_, round) => {
    const { text, asked } = await ask('/v1/chat/completions', CHAT, [round + DONE]);
    expect(asked).toBe(1);
    const shown = [...text.matchAll(/"tool_calls":(\[.*?\])\}/g)].flatMap(([, calls]) => JSON.parse(calls ?? '[]'));
    expect(shown).toEqual([call(0, 'b', 'read')]);
    expect(text).toContain('"finish_reason":"tool_calls"');
  });
});

const MESSAGES = {
  model: 'm',
  max_tokens: 100,
  stream: true,
  tools: [{ name: 'read', input_schema: { type: 'object' } }],
  messages: [{ role: 'user', content: 'hello' }],
};
const RESPONSES = {
  model: 'm',
  stream: true,
  tools: [{ type: 'function', name: 'read', parameters: { type: 'object' } }],
  input: 'hello',
};
const GEMINI = {
  tools: [{ functionDeclarations: [{ name: 'read' }] }],
  contents: [{ role: 'user', parts: [{ text: 'hello' }] }],
};

const item = { type: 'function_call', id: 'f1', call_id: 't1', name: TOOL, arguments: '{"query":"x"}' };
const response = (fields: object = {}) => ({
  response: { id: 'r', tools: [{ name: 'read' }, { name: TOOL }], ...fields },
});

/** A round that begins with a lookup and does not end. */
const BEGUN = {
  '/v1/messages':
    event('message_start', { message: { id: 'm', role: 'assistant', content: [], usage: { input_tokens: 5 } } }) +
    event('content_block_start', {
      index: 0,
      content_block: { type: 'tool_use', id: 't1', name: TOOL, input: { query: 'x' } },
    }) +
    event('content_block_stop', { index: 0 }),
  '/v1/chat/completions': chunk({ role: 'assistant', tool_calls: [call(0, 'a', TOOL)] }),
  '/v1/responses':
    event('response.created', response()) +
    event('response.output_item.added', { output_index: 0, item }) +
    event('response.output_item.done', { output_index: 0, item }),
  '/v1beta/models/m:streamGenerateContent?alt=sse': data({
    candidates: [{ content: { role: 'model', parts: [{ functionCall: { name: TOOL, args: { query: 'x' } } }] } }],
  }),
} as const;

const ENDED = event('message_delta', { delta: { stop_reason: 'tool_use' }, usage: {} }) + event('message_stop');

describe('a lookup in a stream', () => {
  const failed = response({ status: 'failed', output: [item], error: { code: 'server_error', message: 'boom' } });
  it.each([
    ['/v1/messages', MESSAGES, event('error', { error: { type: 'overloaded_error', message: 'boom' } })],
    ['/v1/chat/completions', CHAT, data({ error: { message: 'boom', code: 500 } })],
    ['/v1/responses', RESPONSES, event('response.failed', failed)],
    [
      '/v1beta/models/m:streamGenerateContent?alt=sse',
      GEMINI,
      data({ error: { code: 503, message: 'boom', status: 'UNAVAILABLE' } }),
    ],
  ] as const)('that then says that it failed is over, and the client hears why: %s', async (path, body, error) => {
    const { text, asked } = await ask(path, body, [BEGUN[path] + error]);
    expect(asked).toBe(1);
    expect(text.split('boom')).toHaveLength(2);
  });

  it.each([
    ['/v1/messages', MESSAGES],
    ['/v1/chat/completions', CHAT],
    ['/v1/responses', RESPONSES],
    ['/v1beta/models/m:streamGenerateContent?alt=sse', GEMINI],
  ] as const)('that just stops breaks the client’s connection: %s', async (path, body) => {
    const { asked, line } = await askInVain(path, body, [BEGUN[path]]);
    expect(asked).toBe(1);
    expect(line).toMatchObject({ ended: 'upstream', cause: 'NO_END' });
  });

  it('behind which nothing comes breaks the client’s connection', async () => {
    const { asked, line } = await askInVain('/v1/messages', MESSAGES, [BEGUN['/v1/messages'] + ENDED, '']);
    expect(asked).toBe(2);
    expect(line).toMatchObject({ ended: 'upstream', cause: 'NO_END' });
  });

  it.each([
    ['in the round of the lookup', 1, [BEGUN['/v1/messages']]],
    ['in the next round', 2, [BEGUN['/v1/messages'] + ENDED, BEGUN['/v1/messages']]],
  ])('breaks the client’s connection where the upstream’s breaks %s', async (_, rounds, texts) => {
    const { asked, line } = await askInVain('/v1/messages', MESSAGES, texts, { cutRound: rounds });
    expect(asked).toBe(rounds);
    expect(line).toMatchObject({ ended: 'upstream', cause: 'UND_ERR_SOCKET' });
  });

  it.each([429, 503, 529])('breaks the client’s connection where the next round is refused with %i', async (status) => {
    const { line } = await askInVain('/v1/messages', MESSAGES, [BEGUN['/v1/messages'] + ENDED], {
      laterStatus: status,
    });
    expect(line).toMatchObject({ ended: 'upstream', cause: String(status) });
  });

  it('ends with the refusal as an error event where asking again would not help', async () => {
    const rounds = [BEGUN['/v1/messages'] + ENDED];
    const { text } = await ask('/v1/messages', MESSAGES, rounds, { laterStatus: 403 });
    expect(text).toContain('"type":"permission_error","message":"no"');
  });
});
