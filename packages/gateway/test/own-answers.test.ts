import Anthropic from '@anthropic-ai/sdk';
import { asFields, parseJson } from '@palimpsest/core/json';
import { type Gateway, type GatewayOptions, startGateway } from '@palimpsest/gateway';
import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { answerJson, type RawArrived, type RawUpstream, sendRaw, startUpstream } from './raw-upstream.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function start(
  answer: (arrived: RawArrived) => readonly [number, unknown],
  options: GatewayOptions = {},
): Promise<{ gateway: Gateway; upstream: RawUpstream }> {
  const upstream = await startUpstream((arrived, response) => {
    const [status, value] = answer(arrived);
    answerJson(response, value, status);
  });
  ends.push(upstream.close);
  const gateway = await startGateway({ upstreams: { '*': upstream.url }, window: 8_000, ...options });
  ends.push(() => gateway.close({ graceMs: 0 }));
  return { gateway, upstream };
}

const bodyOf = ({ bytes }: RawArrived) => asFields(parseJson(bytes.toString()));
const messages = (count: number) =>
  Array.from({ length: count * 2 + 1 }, (_, n) => ({
    role: n % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: `${n}: ${'some words that take room '.repeat(60)}`,
  }));

describe('rule 5: counting', () => {
  it('is the provider’s, of what would be sent', async () => {
    const { gateway, upstream } = await start(({ bytes }) => [200, { input_tokens: Math.ceil(bytes.length / 4) }]);
    const client = new Anthropic({ baseURL: gateway.url, apiKey: 'k' });
    const small = await client.messages.countTokens({ model: 'm', messages: messages(1) });
    expect(small.input_tokens).toBe(Math.ceil(upstream.arrived[0]!.bytes.length / 4));
    const large = await client.messages.countTokens({ model: 'm', messages: messages(60) });
    expect(large.input_tokens).toBeLessThan(8_000);
  });

  it('is done here where the provider cannot, and is never 0', async () => {
    const answers: [number, unknown][] = [
      [404, { error: 'no such path' }],
      [200, { input_tokens: 0 }],
      [501, {}],
    ];
    const { gateway } = await start(() => answers.shift()!);
    const client = new Anthropic({ baseURL: gateway.url, apiKey: 'k', maxRetries: 0 });
    for (const expected of [500, 500, 500]) {
      const { input_tokens } = await client.messages.countTokens({ model: 'm', messages: messages(1) });
      expect(input_tokens).toBeGreaterThan(expected);
      expect(input_tokens).toBeLessThan(2_000);
    }
  });
});

describe('rule 7: models', () => {
  it('are the provider’s, with the windows that it does not state', async () => {
    const data = [{ id: 'claude-sonnet-4-5' }, { id: 'own', context_window: 5 }];
    const upstream = await startUpstream((_, response) => answerJson(response, { data, has_more: false }));
    const gateway = await startGateway({ upstreams: { '*': upstream.url } });
    ends.push(upstream.close, () => gateway.close({ graceMs: 0 }));
    const { text } = await sendRaw(`${gateway.url}/v1/models`);
    expect(JSON.parse(text)).toEqual({
      data: [
        { id: 'claude-sonnet-4-5', context_window: 200_000 },
        { id: 'own', context_window: 5 },
      ],
      has_more: false,
    });
  });

  it('are those that are known here where the provider lists none', async () => {
    const { gateway } = await start(() => [404, {}]);
    const { text } = await sendRaw(`${gateway.url}/v1/models`);
    expect((JSON.parse(text) as { data: object[] }).data).toContainEqual({
      id: 'gpt-5',
      object: 'model',
      context_window: 8_000,
    });
  });
});

describe('rule 11: control that exists already', () => {
  it('/responses/compact is the provider’s where it has it, and done here where not', async () => {
    const own = { id: 'r', object: 'response.compaction', output: [{ type: 'compaction', encrypted_content: 'x' }] };
    let has = true;
    const { gateway, upstream } = await start(() => (has ? [200, own] : [404, { error: { message: 'unknown path' } }]));
    const compact = async (rounds = 20) => {
      const body = JSON.stringify({ model: 'gpt-5', input: messages(rounds) });
      return JSON.parse((await sendRaw(`${gateway.url}/v1/responses/compact`, { body })).text) as Record<
        string,
        unknown
      >;
    };
    expect(await compact()).toEqual(own);
    has = false;
    const made = await compact();
    expect(made).toMatchObject({ object: 'response.compaction', usage: { input_tokens: expect.any(Number) } });
    const given = JSON.stringify(bodyOf(upstream.arrived.at(-1)!).input).length;
    expect(JSON.stringify(made.output).length).toBeLessThan(given / 2);
    expect(Array.isArray(made.output)).toBe(true);
    // What would fit is compacted too: it was asked for.
    const few = await compact(6);
    const little = JSON.stringify(bodyOf(upstream.arrived.at(-1)!).input).length;
    expect(JSON.stringify(few.output).length).toBeLessThan(little * 0.8);
  });

  const lacking = (arrived: RawArrived): readonly [number, object] =>
    'context_management' in bodyOf(arrived)
      ? [
          400,
          {
            type: 'error',
            error: { type: 'invalid_request_error', message: 'context_management: Extra inputs are not permitted' },
          },
        ]
      : [200, { role: 'assistant', content: [], usage: {} }];

  it.each([
    ['without recall', {}],
    ['with it', { recall: true }],
  ])(
    'context_management goes to the provider; one that refuses it gets the smaller view without it, from then on: %s',
    async (_, options) => {
      const { gateway, upstream } = await start(lacking, options);
      const client = new Anthropic({ baseURL: gateway.url, apiKey: 'k', maxRetries: 0 });
      const ask = () =>
        client.beta.messages.create({
          model: 'm',
          max_tokens: 10,
          messages: messages(8),
          tools: [{ name: 'read', input_schema: { type: 'object' } }],
          context_management: {
            edits: [{ type: 'clear_tool_uses_20250919', trigger: { type: 'input_tokens', value: 2_000 } }],
          },
        });
      expect((await ask()).role).toBe('assistant');
      expect(upstream.arrived.map((arrived) => 'context_management' in bodyOf(arrived))).toEqual([true, false]);
      expect((await ask()).role).toBe('assistant');
      expect(upstream.arrived).toHaveLength(3);
      expect(upstream.arrived.at(-1)!.bytes.length).toBeLessThan(upstream.arrived[0]!.bytes.length * 0.8);
      const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'k', maxRetries: 0 });
      await openai.responses.create({ model: 'gpt-5', input: 'hi' });
    },
  );

  it.each([
    ['without recall', {}],
    ['with it', { recall: true }],
  ])(
    'what a preset asks the provider to clear is told behind the client’s betas, and asked once of one that cannot: %s',
    async (_, options) => {
      const { gateway, upstream } = await start(lacking, { window: 60_000, preset: 'claude-code', ...options });
      const rounds = Array.from({ length: 25 }, (_, n) => [
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: `t${n}`, name: 'Read', input: { file_path: `/f${n}` } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${n}`, content: `line ${n} `.repeat(300) }] },
      ]);
      const tools = [{ name: 'Read', input_schema: { type: 'object' } }];
      const body = JSON.stringify({
        model: 'm',
        max_tokens: 10,
        tools,
        messages: [{ role: 'user', content: 'go' }, ...rounds.flat()],
      });
      const headers = { 'content-type': 'application/json', 'x-api-key': 'k', 'anthropic-beta': 'zeta-1,alpha-2' };
      for (const _time of [1, 2])
        expect((await sendRaw(`${gateway.url}/v1/messages`, { headers, body })).status).toBe(200);
      const betas = upstream.arrived.map(({ rawHeaders }) => rawHeaders[rawHeaders.indexOf('anthropic-beta') + 1]);
      expect(betas).toEqual(['zeta-1,alpha-2,context-management-2025-06-27', 'zeta-1,alpha-2', 'zeta-1,alpha-2']);
      if (!('recall' in options))
        for (const { bytes } of upstream.arrived.slice(1)) expect(bytes.toString()).toBe(body);
    },
  );
});
