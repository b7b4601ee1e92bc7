import { startGateway } from '@palimpsest/gateway';
import { afterEach, describe, expect, it } from 'vitest';
import { answerJson, sendRaw, startUpstream } from './raw-upstream.ts';

const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

/** Far larger than its window, and larger than a stretch of what is written after its compaction. */
const body = {
  model: 'm',
  max_tokens: 1_000,
  tools: Array.from({ length: 10 }, (_, n) => ({
    name: n === 0 ? 'read' : `tool_${n}`,
    description: 'Straße und Weg. '.repeat(1_000),
    input_schema: { type: 'object' },
  })),
  messages: [
    { role: 'user', content: 'Read all files. Never touch db/.' },
    ...Array.from({ length: 400 }, (_, n) => [
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: `toolu_${n}`, name: 'read', input: { path: `f${n}.ts` } }],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: `toolu_${n}`, content: `const größe_${n} = ${n * 7919};\n`.repeat(60) },
        ],
      },
    ]).flat(),
  ],
};

describe('a large body that was changed', () => {
  it.each([
    ['goes out whole and once', 0],
    ['goes out whole once more where the connection broke before the answer', 1],
  ])('%s', async (_, breaks) => {
    let left = breaks;
    const upstream = await startUpstream((_arrived, response) => {
      if (left-- > 0) response.destroy();
      else answerJson(response, { content: [], usage: {} });
    });
    const gateway = await startGateway({ upstreams: { '*': upstream.url }, window: 150_000, patienceMs: 60_000 });
    ending.push(
      () => upstream.close(),
      () => gateway.close({ graceMs: 0 }),
    );
    const headers = { 'content-type': 'application/json', 'x-api-key': 'k' };
    const answer = await sendRaw(`${gateway.url}/v1/messages`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.status).toBe(200);
    expect(upstream.arrived).toHaveLength(1 + breaks);
    for (const { bytes, rawHeaders } of upstream.arrived) {
      const sent = JSON.parse(bytes.toString('utf8')) as typeof body;
      expect(sent.messages.length).toBeLessThan(body.messages.length);
      expect(bytes.toString('utf8')).toBe(JSON.stringify(sent));
      expect(bytes.length).toBeGreaterThan(65_536 * 2);
      const at = rawHeaders.findIndex((name) => name.toLowerCase() === 'content-length');
      expect(rawHeaders[at + 1]).toBe(String(bytes.length));
      expect(bytes.equals(upstream.arrived[0]?.bytes ?? Buffer.alloc(0))).toBe(true);
    }
  });
});
