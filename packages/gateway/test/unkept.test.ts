import { type GatewayOptions, type RequestLine, startGateway } from '@palimpsest/gateway';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answerJson, sendRaw, startUpstream } from './raw-upstream.ts';

async function start(options: GatewayOptions = {}) {
  const lines: RequestLine[] = [];
  const upstream = await startUpstream((_, response) => answerJson(response, {}));
  onTestFinished(upstream.close);
  const onRequest = (line: RequestLine): void => void lines.push(line);
  const gateway = await startGateway({ upstreams: { '*': upstream.url }, window: 8_000, onRequest, ...options });
  onTestFinished(() => gateway.close({ graceMs: 0 }));
  const send = async (path: string, body: object, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await sendRaw(gateway.url + path, { body: JSON.stringify(body), headers });
    const count = upstream.arrived.length;
    await expect.poll(() => lines.length).toBe(count);
    expect(upstream.arrived.at(-1)?.bytes.toString()).toBe(JSON.stringify(body));
    return { passed: answer.headers['x-palimpsest-passed'], line: lines.at(-1), gateway };
  };
  return send;
}

const LONG = 'some words that take room '.repeat(3_000);
const GEMINI = '/v1beta/models/m:generateContent';

describe('a request whose history is on the server goes on as it came, and says so in a header and in the log', () => {
  const cases: readonly [name: string, path: string, body: (text: string) => object][] = [
    ['previous_response_id', '/v1/responses', (input) => ({ model: 'm', input, previous_response_id: 'resp_1' })],
    ['conversation', '/v1/responses', (input) => ({ model: 'm', input, conversation: { id: 'conv_1' } })],
    [
      'item_reference',
      '/v1/responses',
      (text) => ({
        model: 'm',
        input: [
          { type: 'item_reference', id: 'msg_1' },
          { role: 'user', content: text },
        ],
      }),
    ],
    [
      'cachedContent',
      GEMINI,
      (text) => ({ contents: [{ role: 'user', parts: [{ text }] }], cachedContent: 'cachedContents/1' }),
    ],
  ];
  it.each(cases)('%s', async (name, path, body) => {
    for (const options of [{}, { recall: true }]) {
      const send = await start(options);
      for (const text of ['Hello.', LONG]) {
        const { passed, line } = await send(path, body(text));
        expect(passed).toBe(`${name}: the provider holds earlier messages, which cannot be shortened here`);
        expect(line).toMatchObject({ passed });
      }
    }
  });

  it.each([
    ['/v1/threads/t1/runs', 'threads'],
    ['/v1/threads/runs', 'threads'],
    ['/v1/threads/t1/messages', 'threads'],
    ['/v1/messages/batches', 'batches'],
    ['/v1/batches', 'batches'],
    ['/v1beta/models/m:batchGenerateContent', 'batches'],
    ['/api/chat', 'the API of Ollama'],
    ['/model/anthropic.claude-sonnet-5/invoke-with-response-stream', 'the API of Bedrock'],
    ['/v1/projects/p/locations/l/publishers/anthropic/models/claude:streamRawPredict', 'the API of Vertex'],
    ['/v1/completions', 'completions without messages'],
  ])('%s', async (path, reason) => {
    const send = await start();
    const { passed, line } = await send(path, { text: 'Hello.' });
    expect(passed).toContain(reason);
    expect(line).toMatchObject({ passed });
  });
});

describe('no such header stands', () => {
  it.each<[string, string, object]>([
    ['where the fields are stated as null', '/v1/responses', { model: 'm', input: 'Hi.', previous_response_id: null }],
    ['where a text names them', '/v1/responses', { model: 'm', input: 'What is "previous_response_id"?' }],
    ['where a model is asked for embeddings', '/v1/embeddings', { model: 'm', input: 'Hi.' }],
  ])('%s', async (_, path, body) => {
    const send = await start();
    expect((await send(path, body)).passed).toBeUndefined();
  });

  it('where the client switched the gateway off', async () => {
    const send = await start();
    const body = { model: 'm', input: 'Hi.', previous_response_id: 'resp_1' };
    expect((await send('/v1/responses', body, { 'x-palimpsest-off': '1' })).passed).toBeUndefined();
    expect((await send('/v1/threads/runs', {}, { 'x-palimpsest-off': '1' })).passed).toBeUndefined();
  });
});
