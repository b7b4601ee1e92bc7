import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import { program } from '../src/index.ts';
import { prose, sim } from './talk.ts';

const MODEL = 'claude-sonnet-5-5';
const betas = ['context-management-2025-06-27'];
const ask = { model: MODEL, max_tokens: 2_000, betas };
type Messages = Anthropic.Beta.BetaMessageParam[];

/** Calls of tools `a` and `b` in turn, with results of about 500 tokens. */
const history = (calls: number): Messages => [
  { role: 'user', content: 'go' },
  ...Array.from(
    { length: calls },
    (_, i): Messages => [
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: `t${i}`, name: i % 2 === 0 ? 'a' : 'b', input: { text: prose(100, i) } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${i}`, content: prose(500, i) }] },
    ],
  ).flat(),
];

const client = (url: string) => new Anthropic({ baseURL: url, apiKey: 'key', maxRetries: 0 }).beta.messages;
const clear = (more: object = {}) => ({
  context_management: {
    edits: [
      { type: 'clear_tool_uses_20250919' as const, trigger: { type: 'input_tokens' as const, value: 1_000 }, ...more },
    ],
  },
});

describe('context editing', () => {
  it('clears all but the last three results once the trigger is passed, and says so', async () => {
    const { url, requests } = await sim();
    const messages = history(10);
    const plain = await client(url).create({ ...ask, messages });
    const edited = await client(url).create({ ...ask, messages, ...clear() });
    const [applied] = edited.context_management!.applied_edits;
    expect(applied).toMatchObject({ type: 'clear_tool_uses_20250919', cleared_tool_uses: 7 });
    expect(applied!.cleared_input_tokens).toBe(plain.usage.input_tokens - edited.usage.input_tokens);
    expect(applied!.cleared_input_tokens).toBeGreaterThan(3_000);
    expect(requests[1]!.usage!.input).toBe(edited.usage.input_tokens);
    expect(plain.context_management ?? null).toBeNull();
  });

  it('leaves everything below the trigger', async () => {
    const { url } = await sim();
    const { context_management } = await client(url).create({
      ...ask,
      messages: history(10),
      context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
    });
    expect(context_management).toEqual({ applied_edits: [] });
  });

  it('spares tools, clears inputs, counts uses and minds the least that must go', async () => {
    const { url } = await sim();
    const run = async (more: object) => {
      const { context_management, usage } = await client(url).create({ ...ask, messages: history(10), ...clear(more) });
      return { edits: context_management!.applied_edits, input: usage.input_tokens };
    };
    const base = await run({});
    expect((await run({ exclude_tools: ['a'] })).edits).toMatchObject([{ cleared_tool_uses: 3 }]);
    expect((await run({ keep: { type: 'tool_uses', value: 0 } })).edits).toMatchObject([{ cleared_tool_uses: 10 }]);
    expect((await run({ trigger: { type: 'tool_uses', value: 10 } })).edits).toEqual([]);
    expect((await run({ trigger: { type: 'tool_uses', value: 9 } })).edits).toMatchObject([{ cleared_tool_uses: 7 }]);
    expect((await run({ clear_tool_inputs: true })).input).toBeLessThan(base.input - 500);
    expect((await run({ clear_tool_inputs: ['a'] })).input).toBeLessThan(base.input - 250);
    expect((await run({ clear_at_least: { type: 'input_tokens', value: 50_000 } })).edits).toEqual([]);
  });

  it('is told at the end of a stream', async () => {
    const { url } = await sim();
    const stream = await client(url).create({ ...ask, messages: history(10), ...clear(), stream: true });
    let applied: unknown;
    for await (const event of stream) if (event.type === 'message_delta') applied = event.context_management;
    expect(applied).toMatchObject({ applied_edits: [{ cleared_tool_uses: 7 }] });
  });

  it('is counted by count_tokens, before and after', async () => {
    const { url } = await sim();
    const messages = history(10);
    const { betas: _, max_tokens: __, ...counted } = ask;
    const plain = await client(url).countTokens({ ...counted, messages });
    const edited = await client(url).countTokens({ ...counted, betas, messages, ...clear() });
    expect(edited.context_management!.original_input_tokens).toBe(plain.input_tokens);
    expect(edited.input_tokens).toBeLessThan(plain.input_tokens - 3_000);
  });

  it('ends the cached prefix where it clears', async () => {
    const { url } = await sim();
    const cache_control = { type: 'ephemeral' as const };
    const first = await client(url).create({ ...ask, messages: history(10), cache_control });
    const second = await client(url).create({ ...ask, messages: history(10), cache_control, ...clear() });
    expect(first.usage.cache_creation_input_tokens).toBeGreaterThan(5_000);
    expect(second.usage.cache_read_input_tokens).toBe(0);
  });

  it('makes a prompt fit that would be too long', async () => {
    const { url } = await sim({ window: 4_000 });
    await expect(client(url).create({ ...ask, messages: history(10) })).rejects.toThrow(/prompt is too long/);
    await expect(client(url).create({ ...ask, messages: history(10), ...clear() })).resolves.toBeDefined();
  });
});

describe('thinking', () => {
  const model = program([
    { thinking: 'first thought', text: 'one' },
    { thinking: 'second thought', text: 'two' },
    { text: 'three' },
  ]);
  const thinking = { type: 'adaptive' as const };

  const talk = async (url: string, which: string) => {
    const messages: Messages = [{ role: 'user', content: 'a' }];
    for (const next of ['b', 'c']) {
      const { content } = await client(url).create({ ...ask, model: which, messages, thinking });
      messages.push({ role: 'assistant', content }, { role: 'user', content: next });
    }
    return messages;
  };

  it('is taken back behind the conversation it was made in, and behind no other', async () => {
    const { url, requests } = await sim({ model });
    const messages = await talk(url, MODEL);
    const moved: Messages = [{ role: 'user', content: 'changed' }, ...messages.slice(1)];
    await expect(client(url).create({ ...ask, messages: moved, thinking })).rejects.toThrow(
      /messages\.1\.content\.0: Invalid `signature` in `thinking` block/,
    );
    expect(requests.at(-1)!.problem).toMatchObject({ rule: 'thinking-behind-change', path: 'messages.1.content.0' });
    const bare = moved.map((message) =>
      Array.isArray(message.content)
        ? { ...message, content: message.content.filter(({ type }) => type !== 'thinking') }
        : message,
    ) as Messages;
    await expect(client(url).create({ ...ask, messages: bare, thinking })).resolves.toBeDefined();
  });

  it('may stand behind a changed conversation on a model that does not check, but not be changed itself', async () => {
    const { url } = await sim({ model });
    const older = 'claude-sonnet-5';
    const messages = await talk(url, older);
    const moved: Messages = [{ role: 'user', content: 'changed' }, ...messages.slice(1)];
    await expect(client(url).create({ ...ask, model: older, messages: moved, thinking })).resolves.toBeDefined();
    const forged = structuredClone(messages);
    (forged[1]!.content as { thinking: string }[])[0]!.thinking = 'another thought';
    await expect(client(url).create({ ...ask, model: older, messages: forged, thinking })).rejects.toThrow(
      /Invalid `signature`/,
    );
  });

  it('is dropped and reported where the request asks for that', async () => {
    const { url } = await sim({ model });
    const messages = await talk(url, MODEL);
    const moved: Messages = [{ role: 'user', content: 'changed' }, ...messages.slice(1)];
    const answer = await client(url).create({
      ...ask,
      messages: moved,
      thinking: { ...thinking, block_binding: { prefix_mismatch_behavior: 'drop_block' } },
      betas: ['thinking-binding-controls-2026-08-01'],
    });
    expect(answer.input_transformations).toEqual([
      { type: 'thinking_dropped', path: 'messages.1.content.0', reason: 'prefix_binding_mismatch' },
      { type: 'thinking_dropped', path: 'messages.3.content.0', reason: 'prefix_binding_mismatch' },
    ]);
  });

  it('of older turns is cleared by the server on demand', async () => {
    const { url } = await sim({ model });
    const messages = await talk(url, MODEL);
    const answer = await client(url).create({
      ...ask,
      messages,
      thinking,
      context_management: { edits: [{ type: 'clear_thinking_20251015' }] },
    });
    expect(answer.context_management!.applied_edits).toMatchObject([
      { type: 'clear_thinking_20251015', cleared_thinking_turns: 1 },
    ]);
  });
});
