import Anthropic from '@anthropic-ai/sdk';
import { type Gateway, type GatewayOptions, type RequestLine, startGateway } from '@palimpsest/gateway';
import { type Sim, type SimOptions, startSim } from '@palimpsest/sim';
import { afterEach, describe, expect, it } from 'vitest';
import { sendRaw } from './raw-upstream.ts';

const WINDOW = 8_000;
const TASK = 'Look through the folder. Never touch the file LOCKED.md. The release code is QX-4471-ZED.';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

interface Stage {
  readonly sim: Sim;
  readonly gateway: Gateway;
  readonly lines: readonly RequestLine[];
}

async function start(sim: SimOptions = {}, options: GatewayOptions = {}): Promise<Stage> {
  const provider = await startSim({ window: WINDOW, ...sim });
  ends.push(provider.close);
  const lines: RequestLine[] = [];
  const gateway = await startGateway({
    upstreams: { '*': provider.url },
    window: WINDOW,
    onRequest: (line) => lines.push(line),
    ...options,
  });
  ends.push(() => gateway.close({ graceMs: 0 }));
  return { sim: provider, gateway, lines };
}

const client = (gateway: Gateway, apiKey = 'key-1'): Anthropic =>
  new Anthropic({ baseURL: gateway.url, apiKey, maxRetries: 0 });

const messages = (rounds: number): Anthropic.MessageParam[] => [
  { role: 'user', content: TASK },
  ...Array.from({ length: rounds }, (_, n): Anthropic.MessageParam[] => [
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: `toolu_${n}`, name: 'read', input: { path: `src/f${n}.ts` } }],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: `toolu_${n}`, content: `// f${n}\n${'const x = 1;\n'.repeat(80)}` },
      ],
    },
  ]).flat(),
];

const body = (rounds: number) => ({
  model: 'claude-sonnet-5',
  max_tokens: 512,
  tools: [{ name: 'read', input_schema: { type: 'object' as const } }],
  messages: messages(rounds),
});

describe('what a client is told about it', () => {
  it('headers name session, sizes, time and receipt; the receipt is for its owner alone', async () => {
    const { gateway } = await start();
    const { response } = await client(gateway).messages.create(body(40)).withResponse();
    const header = (name: string) => response.headers.get(`x-palimpsest-${name}`) ?? '';
    expect(header('request')).toMatch(/^pr_[0-9a-f]{18}$/);
    expect(header('session')).not.toBe('');
    const [before = 0, after = 0] = header('tokens').split('/').map(Number);
    expect(before).toBeGreaterThan(WINDOW);
    expect(after).toBeLessThan(WINDOW);
    expect(Number(header('overhead-ms'))).toBeGreaterThan(0);
    expect(header('compacted')).toBe('true');
    const url = gateway.url + header('receipt');
    const own = await sendRaw(url, { headers: { 'x-api-key': 'key-1' } });
    expect(JSON.parse(own.text)).toMatchObject({ session: header('session'), receipt: { lines: expect.any(Array) } });
    for (const headers of [{ 'x-api-key': 'key-2' }, {}]) expect((await sendRaw(url, { headers })).status).toBe(404);
  });

  it('one line of log says the same, and no word of the conversation or the key', async () => {
    const { gateway, lines } = await start();
    await client(gateway, 'sk-secret').messages.create(body(40));
    await expect.poll(() => lines.length).toBe(1);
    expect(lines[0]).toMatchObject({
      method: 'POST',
      path: '/v1/messages',
      status: 200,
      model: 'claude-sonnet-5',
      upstream: 'anthropic',
      compacted: true,
      usage: { output: expect.any(Number) },
    });
    expect(JSON.stringify(lines)).not.toMatch(/sk-secret|LOCKED|QX-4471/);
  });

  it('x-palimpsest-off passes a request as it is, -window and -preset change how it is kept', async () => {
    const { gateway, sim } = await start();
    const send = (headers: Record<string, string>) => client(gateway).messages.create(body(40), { headers });
    await expect(send({ 'x-palimpsest-off': '1' })).rejects.toMatchObject({ status: 400 });
    const bytes = () => JSON.stringify(sim.requests.at(-1)!.body).length;
    await send({});
    const usual = bytes();
    await send({ 'x-palimpsest-window': '1000' });
    expect(bytes()).toBeLessThan(usual);
  });
});
