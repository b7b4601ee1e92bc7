import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Gateway, type GatewayOptions, type RequestLine, startGateway } from '@palimpsest/gateway';
import { fileStore } from '@palimpsest/store';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answerJson, sendRaw, startUpstream } from './raw-upstream.ts';

const messages = (rounds: number) => [
  { role: 'user', content: 'Never touch LOCKED.md.' },
  ...Array.from({ length: rounds }, (_, n) => [
    { role: 'assistant', content: [{ type: 'tool_use', id: `t${n}`, name: 'read', input: { path: `f${n}` } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${n}`, content: `file ${n} `.repeat(200) }] },
  ]).flat(),
];

const ask = (gateway: Gateway, rounds: number, key = 'k') =>
  sendRaw(`${gateway.url}/v1/messages`, {
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'm',
      max_tokens: 100,
      tools: [{ name: 'read', input_schema: {} }],
      messages: messages(rounds),
    }),
  });

describe('a gateway with a store', () => {
  it('goes on after a restart with the very view that it had, for the same tenant only', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-gateway-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const upstream = await startUpstream((_, response) => answerJson(response, { usage: { output_tokens: 1 } }));
    onTestFinished(upstream.close);
    const lines: RequestLine[] = [];
    const options: GatewayOptions = {
      upstreams: { '*': upstream.url },
      window: 8_000,
      secret: 'the same',
      patienceMs: 30_000,
      store: (tenant) => fileStore({ dir: join(folder, tenant), fsync: 'never' }),
      onRequest: (line) => lines.push(line),
    };
    const first = await startGateway(options);
    for (let rounds = 1; rounds <= 24; rounds++) await ask(first, rounds);
    await first.close();
    const before = upstream.arrived.at(-1)!.bytes.toString();
    expect(before.length).toBeLessThan(JSON.stringify(messages(24)).length);

    const second = await startGateway(options);
    onTestFinished(() => second.close());
    await ask(second, 24);
    expect(upstream.arrived.at(-1)!.bytes.toString()).toBe(before);
    await expect.poll(() => lines.length).toBe(25);
    expect(lines[24]!.compacted).toBeUndefined();
    await ask(second, 24, 'another key');
    await expect.poll(() => lines.length).toBe(26);
    // To it nothing was ever hidden: it is compacted anew.
    expect(lines[25]!.compacted).toBe(true);
    expect(lines.filter(({ passed }) => passed !== undefined)).toEqual([]);
  });
});
