import { gzipSync } from 'node:zlib';
import { type GatewayOptions, type RequestLine, startGateway, type UsageRow } from '@palimpsest/gateway';
import { explorer, startSim } from '@palimpsest/sim';
import { AGENTS } from '@palimpsest/testing/sdk-agents';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runGeminiAgent } from './gemini-agent.ts';
import { answerJson, sendRaw, startUpstream } from './raw-upstream.ts';

const WINDOW = 8_000;
const TASK = 'Look through the folder. Never touch the file LOCKED.md.';

async function start(url: string, about: GatewayOptions = {}) {
  const rows: UsageRow[] = [];
  const lines: RequestLine[] = [];
  const gateway = await startGateway({
    upstreams: { '*': url },
    window: WINDOW,
    patienceMs: 30_000,
    onRequest: (line) => lines.push(line),
    usage: { write: async (batch) => rows.push(...batch) },
    ...about,
  });
  onTestFinished(() => gateway.close({ graceMs: 0 }));
  return { gateway, rows, lines };
}

const send = (url: string, path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  sendRaw(url + path, {
    headers: {
      'content-type': 'application/json',
      'x-api-key': 'sk-secret',
      'anthropic-version': '2023-06-01',
      ...headers,
    },
    body: JSON.stringify(body),
  });

const BODY = { model: 'claude-sonnet-5', max_tokens: 10, messages: [{ role: 'user', content: 'secret words' }] };

const WIRES = {
  'Anthropic Messages': AGENTS['Anthropic SDK'],
  'OpenAI Chat': AGENTS['OpenAI SDK, chat'],
  'OpenAI Responses': AGENTS['OpenAI SDK, responses'],
  Gemini: runGeminiAgent,
};

describe('the rows of a gateway', () => {
  const ways = Object.entries(WIRES).flatMap(([name, agent]) =>
    [true, false].map((stream) => ({ name, agent, stream })),
  );
  it.each(ways)('agree with what the provider counted: $name, stream: $stream', async ({ agent, stream }) => {
    const model = explorer({ seed: 3, turns: 16 });
    const sim = await startSim({ window: WINDOW, model });
    onTestFinished(sim.close);
    const { gateway, rows, lines } = await start(sim.url);
    await agent({ url: gateway.url, key: 'k', workshop: model, task: TASK, stream });
    await gateway.close();
    expect(rows.length).toBeGreaterThan(10);
    const counted = rows.map(({ input = 0, cacheRead = 0, cacheWrite = 0, output }) => ({
      input,
      cacheRead,
      cacheWrite,
      output,
    }));
    const real = sim.requests.map(({ usage }) => {
      const { input, cacheRead, cacheWrite, output } = usage!;
      return { input, cacheRead, cacheWrite, output };
    });
    expect(counted).toEqual(real);
    expect(rows.some(({ compacted }) => compacted)).toBe(true);
    expect(rows.map(({ id, session, tokensAfter }) => [id, session, tokensAfter])).toEqual(
      lines.map((line) => [line.id, line.session, line.tokens?.after]),
    );
    expect(new Set(rows.map(({ tenant }) => tenant)).size).toBe(1);
    expect(rows[0]!.tenant).toMatch(/^[0-9a-f]{32}$/);
  });

  it('are of conversations: no page of its own, no list of models, no count, nobody who was refused at the door', async () => {
    const sim = await startSim({ window: WINDOW });
    onTestFinished(sim.close);
    const key = 'a key of the gateway';
    const { gateway, rows } = await start(sim.url, { keys: { alice: key } });
    const headers = { 'x-palimpsest-key': key };
    await sendRaw(`${gateway.url}/metrics`);
    await sendRaw(`${gateway.url}/v1/models`, { headers: { ...headers, 'x-api-key': 'k' } });
    expect((await send(gateway.url, '/v1/messages/count_tokens', BODY, headers)).status).toBe(200);
    expect((await send(gateway.url, '/v1/messages', BODY)).status).toBe(401);
    expect((await send(gateway.url, '/v1/messages', { model: 'claude-sonnet-5' }, headers)).status).toBe(400);
    const { text } = await send(gateway.url, '/v1/messages?key=sk-secret', BODY, headers);
    await gateway.close();
    expect(rows.map(({ status, upstream, model }) => [status, upstream, model])).toEqual([
      [400, 'anthropic', 'claude-sonnet-5'],
      [200, 'anthropic', 'claude-sonnet-5'],
    ]);
    expect(text).toContain('ok');
    expect(JSON.stringify(rows)).not.toMatch(/sk-secret|secret words|a key of|\/v1/);
  });

  it('have what a packed answer says of its cost, and so have the line and the metrics', async () => {
    const upstream = await startUpstream((_, response) => {
      const answer = { type: 'message', content: [], usage: { input_tokens: 7, output_tokens: 3 } };
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(JSON.stringify({ ...answer, padding: 'x'.repeat(20_000_000) })));
    });
    onTestFinished(upstream.close);
    const { gateway, rows, lines } = await start(upstream.url);
    for (let n = 0; n < 3; n++) await send(gateway.url, '/v1/messages', BODY);
    await expect.poll(() => lines.length).toBe(3);
    const { text } = await sendRaw(`${gateway.url}/metrics`);
    expect(text).toContain('palimpsest_usage_tokens_total{kind="output"} 9');
    // The client has this answer before the gateway has read it.
    await send(gateway.url, '/v1/messages', BODY);
    await gateway.close();
    expect(rows.map(({ input, output }) => [input, output])).toEqual([0, 1, 2, 3].map(() => [7, 3]));
    expect(lines.slice(0, 3).map(({ usage }) => usage?.output)).toEqual([3, 3, 3]);
  });

  it('hold up no request and no end of the gateway where the place for them never answers', async () => {
    const upstream = await startUpstream((_, response) => answerJson(response, { usage: { output_tokens: 1 } }));
    onTestFinished(upstream.close);
    const { gateway } = await start(upstream.url, { usage: { write: () => new Promise(() => {}) } });
    for (let n = 0; n < 3; n++) expect((await send(gateway.url, '/v1/messages', BODY)).status).toBe(200);
    await expect
      .poll(async () => (await sendRaw(`${gateway.url}/metrics`)).text)
      .toContain('palimpsest_usage_waiting 3');
    await gateway.close({ graceMs: 100 });
  });

  it('that could not be written when the gateway ended are told', async () => {
    const upstream = await startUpstream((_, response) => answerJson(response, { usage: { output_tokens: 1 } }));
    onTestFinished(upstream.close);
    const told: number[] = [];
    const write = () => Promise.reject(new Error('gone'));
    const { gateway } = await start(upstream.url, { usage: { write, onTrouble: ({ lost }) => told.push(lost) } });
    for (let n = 0; n < 3; n++) expect((await send(gateway.url, '/v1/messages', BODY)).status).toBe(200);
    await gateway.close();
    expect(told).toEqual([0, 3]);
  });
});
