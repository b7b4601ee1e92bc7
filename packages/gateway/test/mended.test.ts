import { type Gateway, startGateway } from '@palimpsest/gateway';
import { startSim } from '@palimpsest/sim';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answerJson, sendRaw, startUpstream } from './raw-upstream.ts';

const messages = (rounds: number, tool: string, times = 200) => [
  { role: 'user', content: 'Read everything. Never touch LOCKED.md.' },
  ...Array.from({ length: rounds }, (_, n) => [
    { role: 'assistant', content: [{ type: 'tool_use', id: `toolu_${n}`, name: tool, input: { path: `f${n}` } }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `toolu_${n}`, content: `line ${n} `.repeat(times) }],
    },
  ]).flat(),
];

const send = (gateway: Gateway, body: object, key = 'k') =>
  sendRaw(`${gateway.url}/v1/messages`, {
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify(body),
  });

describe('a view whose provider takes no such names of tools', () => {
  it.each(['whole', 'streamed'])('goes out with others, and its answer has the client’s own again: %s', async (how) => {
    const sentNames: string[] = [];
    const upstream = await startUpstream(({ bytes }, response) => {
      const { tools } = JSON.parse(bytes.toString()) as { tools: { name: string }[] };
      const name = tools[0]!.name;
      sentNames.push(name);
      const block = { type: 'tool_use', id: 'toolu_next', name, input: {} };
      if (how === 'whole') return answerJson(response, { content: [block], usage: { output_tokens: 1 } });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const event = { type: 'content_block_start', index: 0, content_block: block };
      const text = `event: content_block_start\ndata: ${JSON.stringify(event)}\n\n`;
      // Cut in the middle of the name.
      const middle = text.indexOf(name) + 4;
      response.write(text.slice(0, middle));
      setTimeout(() => response.end(text.slice(middle)), 20);
    });
    onTestFinished(upstream.close);
    const gateway = await startGateway({ upstreams: { '*': upstream.url }, window: 6_000, patienceMs: 30_000 });
    onTestFinished(() => gateway.close({ graceMs: 0 }));
    const tools = [{ name: 'files.read/all', input_schema: { type: 'object' } }];
    const { text } = await send(gateway, {
      model: 'm',
      max_tokens: 100,
      stream: how === 'streamed',
      tools,
      messages: messages(30, 'files.read/all'),
    });
    expect(sentNames[0]).toMatch(/^[\w-]+$/);
    expect(text).toContain('"name":"files.read/all"');
    expect(text).not.toContain(sentNames[0]);
  });
});

describe('summaries of the conversation’s own model', () => {
  it('are asked for where the conversation goes, with its client’s own key, and stand in its view', async () => {
    const sim = await startSim({ window: 60_000 });
    onTestFinished(sim.close);
    const gateway = await startGateway({ upstreams: { '*': sim.url }, window: 60_000, summaries: 'upstream' });
    onTestFinished(() => gateway.close({ graceMs: 0 }));
    const tools = [{ name: 'read', input_schema: { type: 'object' } }];
    for (let rounds = 1; rounds <= 40; rounds++) {
      const body = { model: 'claude-sonnet-5', max_tokens: 100, tools, messages: messages(rounds, 'read', 1_000) };
      expect((await send(gateway, body, 'sk-of-the-client')).status).toBe(200);
    }
    const asked = sim.requests.filter(({ summary }) => summary);
    expect(asked.length).toBeGreaterThan(0);
    expect(sim.requests.flatMap(({ problem }) => problem ?? [])).toEqual([]);
    expect(asked.every(({ body }) => (body as { model: string }).model === 'claude-sonnet-5')).toBe(true);
    for (const { body } of sim.requests.filter(({ summary }) => !summary))
      expect(JSON.stringify(body)).toContain('Never touch LOCKED.md');
  });
});
