import { startGateway } from '@palimpsest/gateway';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findExactNumbers, stringifyExactly } from '../src/http/exact-numbers.ts';
import { sendRaw, startUpstream } from './raw-upstream.ts';

const BIG = '12345678901234567890';
const NEXT = '12345678901234569891';

/** What JavaScript makes of a text, written with the numbers that stood there. */
const copyExactly = (text: string): string | undefined =>
  stringifyExactly(JSON.parse(text), findExactNumbers(Buffer.from(text)));

describe('numbers that JavaScript rounds', () => {
  it.each([
    `{"a":${BIG},"b":[-${BIG},9007199254740993],"c":{"d":0.5}}`,
    '{"a":1e400,"b":-1E+400,"c":1.7976931348623157e+308}',
    `{"a":"${BIG}","b":"\\"${BIG}","c\\\\":${BIG}}`,
    `[${BIG}]`,
    BIG,
  ])('are written as they came: %s', (text) => {
    expect(copyExactly(text)).toBe(text);
  });

  it('and all others as ever', () => {
    for (const text of [
      '{"a":1.0,"b":1e5,"c":-0,"d":100000,"e":0.30000000000000004}',
      '{"a":1000000000000000000000}',
      '{"a":5.00000000000000000001,"b":5}',
    ])
      expect(copyExactly(text)).toBe(JSON.stringify(JSON.parse(text)));
  });

  it('stay rounded where two become the same: nobody could tell which is which', () => {
    for (const one of ['9007199254740992', '9007199254740992.5', '9.007199254740992e15'])
      for (const text of [`{"a":9007199254740993,"b":${one}}`, `{"a":${one},"b":9007199254740993}`])
        expect(copyExactly(text)).toBe(JSON.stringify(JSON.parse(text)));
  });

  it('are found in what is no JSON too, without end or error', () => {
    for (const text of ['"', `{"a":${BIG}`, '-', '--1.1.1.1.1.1.1.1.1.1', '\\"', `1${'0'.repeat(200_000)}`])
      expect(findExactNumbers(Buffer.from(text))).toBeDefined();
  });
});

/** A conversation that is too long, with a call in its midst whose input has an id beyond 2^53. */
const makeBody = (isGemini: boolean): string => {
  const texts = Array.from({ length: 21 }, (_, n) => ({ n, text: `${n} ${'word '.repeat(600)}` }));
  const call = isGemini
    ? `{"role":"model","parts":[{"functionCall":{"name":"read","args":{"id":${NEXT}}}}]},{"role":"user","parts":[{"functionResponse":{"name":"read","response":{"id":${NEXT}}}}]}`
    : `{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"read","input":{"id":${NEXT}}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"x"}]}`;
  const messages = texts.map(({ n, text }) =>
    JSON.stringify(
      isGemini
        ? { role: n % 2 ? 'model' : 'user', parts: [{ text }] }
        : { role: n % 2 ? 'assistant' : 'user', content: text },
    ),
  );
  const more = `{"role":"${isGemini ? 'model' : 'assistant'}",${isGemini ? '"parts":[{"text":"ok"}]' : '"content":"ok"'}}`;
  const last = isGemini ? '{"role":"user","parts":[{"text":"go"}]}' : '{"role":"user","content":"go"}';
  const tools = isGemini ? '[{"functionDeclarations":[{"name":"read"}]}]' : '[{"name":"read","input_schema":{}}]';
  return `{"model":"m","max_tokens":10,"seed":${BIG},"tools":${tools},"${isGemini ? 'contents' : 'messages'}":[${[...messages, call, more, last].join(',')}]}`;
};

describe('a body that is written anew', () => {
  it.each([
    ['/v1/messages', false, {}],
    ['/v1/messages', false, { recall: true }],
    ['/v1beta/models/m:generateContent', true, {}],
    ['/v1beta/models/m:generateContent', true, { recall: true }],
  ])('has the client’s own numbers, and so has the second that follows it: %s %o', async (path, isGemini, options) => {
    const upstream = await startUpstream((_, response) => void response.end('{}'));
    onTestFinished(upstream.close);
    const gateway = await startGateway({ upstreams: { '*': upstream.url }, window: 8_000, ...options });
    onTestFinished(() => gateway.close({ graceMs: 0 }));
    for (let n = 0; n < 2; n++) {
      const body = makeBody(isGemini);
      await sendRaw(gateway.url + path, { body });
      const sent = upstream.arrived.at(-1)?.bytes.toString() ?? '';
      expect(sent.length).toBeLessThan(body.length / 2);
      expect(sent).toContain(`"seed":${BIG}`);
      expect(sent).toContain(`{"id":${NEXT}}`);
    }
  });
});

describe('an answer that is made of several rounds', () => {
  const lookup = { functionCall: { name: 'palimpsest_recall', args: { query: 'x' } } };
  const read = { functionCall: { name: 'read', args: { id: '@' } } };
  const chunk = (parts: readonly object[], more: object = {}): string =>
    JSON.stringify({ candidates: [{ content: { role: 'model', parts }, ...more }] }).replace('"@"', BIG);
  const body = JSON.stringify({
    tools: [{ functionDeclarations: [{ name: 'read' }] }],
    contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
  });

  it.each([
    [':generateContent', chunk([lookup, read], { finishReason: 'STOP' }), 'application/json'],
    [
      ':streamGenerateContent?alt=sse',
      `data: ${chunk([lookup])}\n\ndata: ${chunk([read])}\n\ndata: ${chunk([read], { finishReason: 'STOP' })}\n\n`,
      'text/event-stream',
    ],
  ])('has the model’s own numbers: %s', async (method, answer, type) => {
    const upstream = await startUpstream((_, response) => {
      response.writeHead(200, { 'content-type': type });
      response.end(answer);
    });
    onTestFinished(upstream.close);
    const gateway = await startGateway({ upstreams: { '*': upstream.url }, window: 8_000, recall: true });
    onTestFinished(() => gateway.close({ graceMs: 0 }));
    const { text } = await sendRaw(`${gateway.url}/v1beta/models/m${method}`, { body });
    expect(text).not.toContain('palimpsest_recall');
    expect(text.split(`{"id":${BIG}}`)).toHaveLength(type === 'application/json' ? 2 : 3);
  });
});
