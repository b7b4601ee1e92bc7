import type { ServerResponse } from 'node:http';
import { startGateway } from '@palimpsest/gateway';
import { memoryStore, type Store } from '@palimpsest/store';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answerJson, sendRaw, startUpstream } from './raw-upstream.ts';

const TOOL = 'palimpsest_recall';

/** Looks something up in its first round; what comes then, `then` says. */
async function start(then: (response: ServerResponse) => void) {
  let count = 0;
  const upstream = await startUpstream(({ target }, response) =>
    count++ === 0 ? answerJson(response, FIRST[target]) : then(response),
  );
  onTestFinished(upstream.close);
  const gateway = await startGateway({ upstreams: { '*': upstream.url }, window: 8_000, recall: true });
  onTestFinished(() => gateway.close({ graceMs: 0 }));
  return { gateway, upstream };
}

const FIRST: Readonly<Record<string, object>> = {
  '/v1/messages': {
    id: 'm',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'tool_use', id: 't1', name: TOOL, input: { query: 'x' } }],
    stop_reason: 'tool_use',
  },
  '/v1/responses': {
    id: 'r',
    object: 'response',
    status: 'completed',
    output: [{ type: 'function_call', id: 'f1', call_id: 't1', name: TOOL, arguments: '{"query":"x"}' }],
  },
};

const BODIES: Readonly<Record<string, object>> = {
  '/v1/messages': {
    model: 'm',
    max_tokens: 100,
    tools: [{ name: 'read', input_schema: { type: 'object' } }],
    messages: [{ role: 'user', content: 'Hello.' }],
  },
  '/v1/responses': {
    model: 'm',
    tools: [{ type: 'function', name: 'read', parameters: { type: 'object' } }],
    input: 'Hello.',
  },
};

describe.each(Object.keys(BODIES))('a round behind a lookup, %s', (path) => {
  const body = JSON.stringify(BODIES[path]);

  it('that is refused: the refusal comes as it came, with what it says about trying again', async () => {
    const refusal = { type: 'error', error: { type: 'rate_limit_error', message: 'slow down', more: 1 } };
    const { gateway, upstream } = await start((response) => {
      response.setHeader('retry-after', '9');
      answerJson(response, refusal, 429);
    });
    const { status, headers, text } = await sendRaw(gateway.url + path, { body });
    expect(upstream.arrived).toHaveLength(2);
    expect([status, headers['retry-after'], JSON.parse(text)]).toEqual([429, '9', refusal]);
  });

  it('that is no answer at all is not made one', async () => {
    const { gateway, upstream } = await start((response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<html>busy</html>');
    });
    const { text, headers } = await sendRaw(gateway.url + path, { body });
    expect(upstream.arrived).toHaveLength(2);
    expect([text, headers['content-type']]).toEqual(['<html>busy</html>', 'text/html']);
  });

  it('that breaks off is told in the client’s own dialect', async () => {
    const { gateway } = await start((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
      response.write('{"id":');
      setTimeout(() => response.destroy(), 20);
    });
    const { status, text } = await sendRaw(gateway.url + path, { body });
    expect([status, JSON.parse(text).error.message]).toEqual([500, expect.stringContaining('broke')]);
  });

  it('before which keeping begins to rest, since the store failed others, goes on without the store', async () => {
    const store = memoryStore();
    const gone = { ...store, open: () => Promise.reject(Object.assign(new Error('gone'), { code: 'unavailable' })) };
    const tenants: string[] = [];
    const storeOf = (tenant: string): Store => {
      if (!tenants.includes(tenant)) tenants.push(tenant);
      return tenant === tenants[0] ? store : gone;
    };
    let failOthers = async (): Promise<void> => {};
    const upstream = await startUpstream(async ({ target, bytes }, response) => {
      if (target.endsWith('?other')) return answerJson(response, {});
      if (bytes.includes('"t1"')) return answerJson(response, DONE[path]);
      await failOthers();
      answerJson(response, FIRST[path]);
    });
    onTestFinished(upstream.close);
    const gateway = await startGateway({
      upstreams: { '*': upstream.url },
      window: 8_000,
      recall: true,
      store: storeOf,
    });
    onTestFinished(() => gateway.close({ graceMs: 0 }));
    failOthers = async () => {
      for (let n = 0; n < 5; n++) {
        const sent = await sendRaw(`${gateway.url}/v1/messages?other`, {
          body: OTHER,
          headers: { 'x-api-key': 'another' },
        });
        expect(sent.headers['x-palimpsest-passed']).toContain('failed inside');
      }
    };
    const { status, text, headers } = await sendRaw(gateway.url + path, { body, headers: { 'x-api-key': 'mine' } });
    expect([status, headers['x-palimpsest-session']]).toEqual([200, expect.any(String)]);
    expect(text).toContain('Done.');
  });
});

const OTHER = JSON.stringify({
  model: 'm',
  max_tokens: 100,
  messages: Array.from({ length: 41 }, (_, n) => ({
    role: n % 2 ? 'assistant' : 'user',
    content: `${n} ${'word '.repeat(400)}`,
  })),
});

const DONE: Readonly<Record<string, object>> = {
  '/v1/messages': { id: 'm', type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
  '/v1/responses': {
    id: 'r',
    object: 'response',
    status: 'completed',
    output: [{ type: 'message', id: 'x', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] }],
  },
};
