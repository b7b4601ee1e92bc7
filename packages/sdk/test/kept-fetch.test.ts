import { clearOldResults, dropOldestRounds, type Session, summarizeHistory } from '@palimpsest/core';
import { type KeepOptions, palimpsest } from '@palimpsest/sdk/openai';
import { type HttpServer, sendJson, sse, startServer } from '@palimpsest/testing/http-server';
import { providerSummarizer } from '@palimpsest/wire';
import { afterEach, describe, expect, it } from 'vitest';

let server: HttpServer;
afterEach(() => server.close());

const TOO_LONG = {
  error: { message: "This model's maximum context length is 4000 tokens.", code: 'context_length_exceeded' },
};

const chat = (rounds: number): object => ({
  model: 'm',
  messages: [
    { role: 'user', content: 'Read every file.' },
    ...Array.from({ length: rounds }, (_, n) => [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: `c${n}`, type: 'function', function: { name: 'read', arguments: `{"path": "${n}"}` } }],
      },
      { role: 'tool', tool_call_id: `c${n}`, content: `line of file ${n}\n`.repeat(60) },
    ]).flat(),
  ],
});

const anthropic = (rounds: number): object => ({
  model: 'claude-sonnet-5',
  max_tokens: 100,
  messages: [
    { role: 'user', content: 'Read every file.' },
    ...Array.from({ length: rounds }, (_, n) => [
      { role: 'assistant', content: [{ type: 'tool_use', id: `c${n}`, name: 'read', input: { path: `${n}` } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${n}`, content: `file ${n}\n`.repeat(20) }] },
    ]).flat(),
  ],
});

function client(options: Partial<KeepOptions> = {}) {
  const sessions: Session[] = [];
  const fetch = palimpsest({ window: 20_000, ...options, onSession: (session) => sessions.push(session) });
  const post = (path: string, body: unknown, init: RequestInit = {}): Promise<Response> =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...init,
    });
  const usage = () =>
    sessions.flatMap((one) => one.ledger().entries.flatMap((e) => (e.type === 'usage' ? [e.usage] : [])));
  return { fetch, post, sessions, usage };
}

const answered = { choices: [{ message: { role: 'assistant', content: 'ok' } }], usage: { prompt_tokens: 700 } };

describe('a request through the kept fetch', () => {
  it('goes as it is, byte for byte, where nothing has to change', async () => {
    server = await startServer((_, response) => sendJson(response, 200, answered));
    const { post, sessions } = client();
    const odd = `{ "messages": [ {"role":"user","content":"h\\u00e9"} ],\n "model":"m", "unknown": [1.0] }`;
    await post('/v1/chat/completions', odd);
    expect(server.arrived[0]!.text).toBe(odd);
    expect(sessions).toHaveLength(1);
  });

  it.each([
    ['/v1/messages/count_tokens', anthropic(40)],
    ['/v1/messages/batches', anthropic(40)],
    ['/v1/threads/t/messages', anthropic(40)],
    ['/v1/responses/compact', { model: 'm', input: 'x' }],
    ['/v1/embeddings', { model: 'm', input: 'x' }],
    ['/v1/chat/completions', 'not json'],
    ['/v1/responses', { model: 'm', previous_response_id: 'resp_1', input: [{ role: 'user', content: 'On.' }] }],
  ])('is none of our business at %s', async (path, body) => {
    server = await startServer((_, response) => sendJson(response, 200, {}));
    const { post, sessions } = client({ window: 500 });
    await post(path, body);
    expect(server.arrived[0]!.text).toBe(typeof body === 'string' ? body : JSON.stringify(body));
    expect(sessions).toHaveLength(0);
  });

  it.each([
    ['/v1/messages', anthropic(60), 'messages'],
    ['/v1/chat/completions', chat(60), 'messages'],
    [
      '/v1/responses',
      {
        model: 'm',
        input: Array.from({ length: 80 }, (_, n) => ({
          role: n % 2 ? 'assistant' : 'user',
          content: `${n} `.repeat(300),
        })),
      },
      'input',
    ],
    [
      '/v1beta/models/gemini-2.5-pro:generateContent',
      {
        contents: Array.from({ length: 80 }, (_, n) => ({
          role: n % 2 ? 'model' : 'user',
          parts: [{ text: `${n} `.repeat(300) }],
        })),
      },
      'contents',
    ],
    [
      '/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse',
      {
        contents: Array.from({ length: 80 }, (_, n) => ({
          role: n % 2 ? 'model' : 'user',
          parts: [{ text: `${n} `.repeat(300) }],
        })),
      },
      'contents',
    ],
  ])('is made to fit at %s, with the length it then has', async (path, body, list) => {
    server = await startServer((_, response) => sendJson(response, 200, {}));
    const { post } = client({ window: 6_000 });
    const given = JSON.stringify(body);
    await post(path, body, { headers: { 'content-type': 'application/json', 'content-length': `${given.length}` } });
    const [{ text, headers }] = server.arrived as [(typeof server.arrived)[0]];
    expect(text.length).toBeLessThan(given.length * 0.75);
    expect(Number(headers['content-length'])).toBe(Buffer.byteLength(text));
    expect(JSON.parse(text)[list].length).toBeGreaterThan(1);
  });

  it('comes as a Request just as well', async () => {
    server = await startServer((_, response) => sendJson(response, 200, answered));
    const { fetch, usage } = client({ window: 6_000 });
    const given = JSON.stringify(chat(60));
    const url = `${server.url}/v1/chat/completions`;
    await fetch(new Request(url, { method: 'POST', body: given, headers: { authorization: 'Bearer s' } }));
    expect(server.arrived[0]!.text.length).toBeLessThan(given.length / 2);
    expect(server.arrived[0]!.headers.authorization).toBe('Bearer s');
    expect(usage()).toEqual([{ input: 700 }]);
  });

  it('is not read where it is none of our business', async () => {
    server = await startServer((_, response) => sendJson(response, 200, {}));
    const upload = new Request(`${server.url}/v1/files`, { method: 'POST', body: 'a large file' });
    const clone = () => {
      throw new Error('read twice');
    };
    Object.defineProperty(upload, 'clone', { value: clone });
    expect((await client().fetch(upload)).status).toBe(200);
    expect(server.arrived[0]!.text).toBe('a large file');
  });

  it('joins the headers that native editing needs with those of the caller', async () => {
    server = await startServer((_, response) => sendJson(response, 200, {}));
    const { post } = client({ layers: [clearOldResults({ mode: 'native', keep: 3 }), dropOldestRounds()] });
    await post('/v1/messages', anthropic(30), { headers: { 'anthropic-beta': 'files-api-2025-04-14' } });
    expect(server.arrived[0]!.headers['anthropic-beta']).toBe('files-api-2025-04-14,context-management-2025-06-27');
    expect(server.arrived[0]!.body.context_management).toMatchObject({ edits: [{ type: 'clear_tool_uses_20250919' }] });
  });

  it('is answered inside where the provider finds it too long', async () => {
    server = await startServer((_, response, n) =>
      sendJson(response, n === 1 ? 400 : 200, n === 1 ? TOO_LONG : answered),
    );
    const { post, sessions } = client();
    const response = await post('/v1/chat/completions', chat(20));
    expect(await response.json()).toEqual(answered);
    expect(server.arrived[1]!.text.length).toBeLessThan(server.arrived[0]!.text.length / 2);
    expect(sessions[0]!.status().budget.window).toBe(4_000);
  });

  it("gets the provider's own refusal where nothing more can go", async () => {
    server = await startServer((_, response) => sendJson(response, 400, TOO_LONG));
    const { post } = client();
    const response = await post('/v1/chat/completions', chat(20));
    expect(response.status).toBe(400);
    expect(response.url).toBe(`${server.url}/v1/chat/completions`);
    expect(await response.json()).toEqual(TOO_LONG);
    expect(server.arrived).toHaveLength(2);
  });

  it.each([429, 500, 503, 529])('is not made smaller for a status of %i, whatever its words', async (status) => {
    server = await startServer((_, response) =>
      sendJson(response, status, { error: { message: 'prompt is too long', type: 'overloaded_error' } }),
    );
    const { post, sessions } = client();
    const first = await post('/v1/chat/completions', chat(8));
    expect(first.status).toBe(status);
    await post('/v1/chat/completions', chat(8));
    expect(server.arrived).toHaveLength(2);
    expect(server.arrived[1]!.text).toBe(server.arrived[0]!.text);
    expect(sessions[0]!.receipts()).toEqual([]);
  });

  it('is asked again where the answer was cut off at the end of the window', async () => {
    const cut = { type: 'message', content: [], stop_reason: 'model_context_window_exceeded', usage: {} };
    const whole = { ...cut, stop_reason: 'end_turn' };
    server = await startServer((_, response, n) => sendJson(response, 200, n === 1 ? cut : whole));
    const { post } = client();
    expect(await (await post('/v1/messages', anthropic(30))).json()).toEqual(whole);
  });

  it('is asked again where the connection broke before anything was handed on, and not for ever', async () => {
    server = await startServer((_, response, n) => {
      if (n === 2) return sendJson(response, 200, answered);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"cho', () => response.destroy());
    });
    const { post } = client();
    expect(await (await post('/v1/chat/completions', chat(1))).json()).toEqual(answered);
    expect(server.arrived[1]!.text).toBe(server.arrived[0]!.text);
    await expect(post('/v1/chat/completions', chat(2))).rejects.toThrow();
    expect(server.arrived).toHaveLength(5);
  });

  it('ends when it is aborted', async () => {
    const stop = new AbortController();
    server = await startServer(() => stop.abort(new Error('enough')));
    const { post } = client();
    await expect(post('/v1/chat/completions', chat(1), { signal: stop.signal })).rejects.toThrow('enough');
    expect(server.arrived).toHaveLength(1);
  });

  it('of a summary is no turn of the conversation, even through the same fetch', async () => {
    server = await startServer(({ body }, response) => {
      const { messages } = body as { messages: { content: unknown }[] };
      if (!JSON.stringify(messages.at(-1)).includes('<summary>')) return sendJson(response, 200, answered);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(sse([{ choices: [{ delta: { content: 'no' }, finish_reason: 'stop' }] }]));
    });
    const { fetch, post, sessions } = client({
      window: 6_000,
      layers: [summarizeHistory(), dropOldestRounds()],
      ports: {
        summarizer: providerSummarizer({
          api: 'openai-chat',
          endpoint: {
            get url() {
              return `${server.url}/v1`;
            },
            key: 'k',
            fetch: (...given) => fetch(...given),
          },
          model: 'm',
          window: 6_000,
        }),
      },
    });
    expect((await post('/v1/chat/completions', chat(40))).ok).toBe(true);
    expect(server.arrived.length).toBeGreaterThan(1);
    expect(sessions).toHaveLength(1);
    expect(sessions[0]!.transcript()).toHaveLength(81);
  });
});

describe('a stream through the kept fetch', () => {
  const events = [
    { type: 'message_start', message: { role: 'assistant', usage: { input_tokens: 9, cache_read_input_tokens: 600 } } },
    { type: 'content_block_delta', delta: { type: 'text_delta', text: 'héllo 日本 🙂 "usage" and "error"' } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ];

  it('brings the very bytes, wherever they are cut, and its usage is read', async () => {
    const bytes = Buffer.from(`: ping\r\n\r\n${sse(events)}`);
    server = await startServer(async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'request-id': 'r1' });
      for (let at = 0; at < bytes.length; at += 7)
        await new Promise<void>((resolve) => response.write(bytes.subarray(at, at + 7), () => setImmediate(resolve)));
      response.end();
    });
    const { post, usage } = client();
    const response = await post('/v1/messages', { ...anthropic(1), stream: true });
    expect(response.headers.get('request-id')).toBe('r1');
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect(usage()).toEqual([{ input: 9, cacheRead: 600, output: 5 }]);
  });

  it('is not held back: what has come can be read while the rest is still to come', async () => {
    let more = (): void => {};
    server = await startServer(async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of events) {
        const read = new Promise<void>((resolve) => {
          more = resolve;
        });
        response.write(sse([event]));
        await read;
      }
      response.end();
    });
    const { post } = client();
    const reader = (await post('/v1/messages', { ...anthropic(1), stream: true })).body!.getReader();
    for (const event of events) {
      expect(Buffer.from((await reader.read()).value!).toString()).toBe(sse([event]));
      more();
    }
    expect((await reader.read()).done).toBe(true);
  });

  it('that nobody wants any more is closed, and tells what it told', async () => {
    let closed = (): void => {};
    const gone = new Promise<void>((resolve) => {
      closed = resolve;
    });
    server = await startServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.on('close', closed);
      response.write(sse(events.slice(0, 1)));
    });
    const { post, usage } = client();
    await (await post('/v1/messages', { ...anthropic(1), stream: true })).body!.cancel();
    await gone;
    expect(usage()).toEqual([{ input: 9, cacheRead: 600 }]);
  });

  it('that broke off tells nothing', async () => {
    server = await startServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(sse(events.slice(0, 2)), () => setTimeout(() => response.destroy(), 20));
    });
    const { post, usage } = client();
    const response = await post('/v1/messages', { ...anthropic(1), stream: true });
    await expect(response.text()).rejects.toThrow();
    expect(usage()).toEqual([]);
  });

  it('that ends in an error tells nothing', async () => {
    const failed = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    server = await startServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(sse([events[0], events[1], failed]));
    });
    const { post, usage } = client();
    const response = await post('/v1/messages', { ...anthropic(1), stream: true });
    expect(await response.text()).toBe(sse([events[0], events[1], failed]));
    expect(usage()).toEqual([]);
  });

  it('that begins with a refusal for size is asked for again, and only the second is seen', async () => {
    const created = { type: 'response.created', response: { id: 'r', status: 'in_progress' } };
    const failed = {
      type: 'response.failed',
      response: { error: { code: 'context_length_exceeded', message: 'Your input exceeds the context window.' } },
    };
    const completed = { type: 'response.completed', response: { usage: { input_tokens: 50 } } };
    server = await startServer((_, response, n) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      // The refusal comes a while after the stream has begun.
      response.write(sse([created]), () => setTimeout(() => response.end(sse([n === 1 ? failed : completed])), 20));
    });
    const { post } = client();
    const input = Array.from({ length: 40 }, (_, n) => ({
      role: n % 2 ? 'assistant' : 'user',
      content: `${n} `.repeat(200),
    }));
    const response = await post('/v1/responses', { model: 'm', input, stream: true });
    expect(await response.text()).toBe(sse([created, completed]));
    expect(server.arrived[1]!.text.length).toBeLessThan(server.arrived[0]!.text.length);
  });

  it('whose answer was cut off at the end of the window makes the next request smaller', async () => {
    const cut = { type: 'message_delta', delta: { stop_reason: 'model_context_window_exceeded' }, usage: {} };
    server = await startServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(sse([events[0], events[1], cut]));
    });
    const { post } = client();
    const streamed = { ...anthropic(40), stream: true };
    await (await post('/v1/messages', streamed)).text();
    await (await post('/v1/messages', streamed)).text();
    expect(server.arrived[1]!.text.length).toBeLessThan(server.arrived[0]!.text.length);
  });
});
