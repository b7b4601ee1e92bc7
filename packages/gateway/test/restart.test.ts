import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Gateway, type GatewayOptions, type RequestLine, startGateway } from '@palimpsest/gateway';
import { fileStore, memoryStore } from '@palimpsest/store';
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

  it('has the rounds that clients never saw after a restart too, and the session that they stand in', async () => {
    const store = memoryStore();
    const answers = [
      [{ type: 'tool_use', id: 'toolu_own', name: 'palimpsest_recall', input: { query: 'LOCKED' } }],
      [
        { type: 'text', text: 'Now I know.' },
        { type: 'tool_use', id: 'toolu_read', name: 'read', input: { path: 'f' } },
      ],
    ];
    let asked = 0;
    const upstream = await startUpstream((_, response) =>
      answerJson(response, {
        id: `msg_${asked}`,
        type: 'message',
        role: 'assistant',
        content: answers[asked++] ?? [{ type: 'text', text: 'Done.' }],
        stop_reason: 'tool_use',
        usage: { input_tokens: 10, output_tokens: 1 },
      }),
    );
    onTestFinished(upstream.close);
    const options: GatewayOptions = {
      upstreams: { '*': upstream.url },
      window: 8_000,
      secret: 'the same',
      recall: true,
      patienceMs: 30_000,
      store,
    };
    const first = await startGateway(options);
    const headers = { 'x-api-key': 'k', 'content-type': 'application/json' };
    const send = async (gateway: Gateway, said: readonly object[]) => {
      const body = { model: 'm', max_tokens: 100, tools: [{ name: 'read', input_schema: {} }], messages: said };
      const answer = await sendRaw(`${gateway.url}/v1/messages`, { headers, body: JSON.stringify(body) });
      return { session: answer.headers['x-palimpsest-session'], ...(JSON.parse(answer.text) as { content: object[] }) };
    };
    const begun = [{ role: 'user', content: 'Never touch LOCKED.md.' }];
    const seen = await send(first, begun);
    expect(JSON.stringify(seen.content)).not.toContain('palimpsest_recall');
    const on = (n: number) => [
      ...begun,
      { role: 'assistant', content: seen.content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_read', content: `file ${n}` }] },
    ];
    const { session } = await send(first, on(1));
    const before = upstream.arrived.at(-1)!.bytes.toString();
    expect(before).toContain('toolu_own');
    await first.close();
    const second = await startGateway(options);
    onTestFinished(() => second.close());
    expect((await send(second, on(1))).session).toBe(session);
    expect(upstream.arrived.at(-1)!.bytes.toString()).toBe(before);
  });
});
