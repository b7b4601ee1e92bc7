import { assistant, call, createSession, presets, result, results, user } from '@palimpsest/core';
import { anthropicMessages, cacheBreaks } from '@palimpsest/wire';
import { describe, expect, it } from 'vitest';
import { post, prose, sim } from './talk.ts';

const rules = { reasoning: 'free', nativeEditing: true } as const;
const tool = (name: string) => ({ name, description: 'does', input_schema: { type: 'object' } });
const base = {
  model: 'claude-sonnet-5-5',
  max_tokens: 50,
  tools: [tool('Read'), tool('Skill')],
  system: prose(2_000),
  messages: [],
  cache_control: { type: 'ephemeral' },
};

/** Forty-five files read one by one, and a skill loaded before; each request as the session and its wire make it. */
async function readMany() {
  const { url, clock } = await sim();
  const breaks = cacheBreaks();
  const session = createSession({
    window: 200_000,
    layers: presets['claude-code'](),
    wire: rules,
    on: (event) => breaks.hear(event),
  });
  const sent: { read: number; cleared: number; broke: string | undefined; edits: unknown }[] = [];
  const send = async (): Promise<void> => {
    const { messages, native } = await session.view();
    const { body, headers } = anthropicMessages.encode(messages, base as never, { nativeEdits: native });
    const { status, json, text } = await post(url, '/v1/messages', body as never, headers);
    if (status !== 200) throw new Error(text);
    const { usage, context_management: managed } = json;
    const broke = breaks.observe({
      api: 'anthropic-messages',
      body,
      at: clock.now(),
      cacheRead: usage.cache_read_input_tokens,
      cacheWrite: usage.cache_creation_input_tokens,
      input: usage.input_tokens,
    });
    const [applied] = managed?.applied_edits ?? [];
    const edits = (body as { context_management?: { edits: unknown } }).context_management?.edits;
    sent.push({
      read: usage.cache_read_input_tokens,
      cleared: applied?.cleared_tool_uses ?? 0,
      broke: broke?.type,
      edits,
    });
  };
  session.append(user('Read them all.'));
  const use = async (name: string, i: number): Promise<void> => {
    session.append(assistant([call(`${name}${i}`, name, { file_path: `src/${i}.ts` })]));
    session.append(results([result(`${name}${i}`, prose(400, i))]));
    await send();
  };
  await use('Skill', 0);
  for (let i = 0; i < 45; i++) await use('Read', i);
  return sent;
}

describe('clearing by the provider, in preset claude-code', () => {
  it('CC49 CC50 CC51 CC54: it clears in steps of 18, spares skills, keeps the prefix in between, and is no break', async () => {
    const sent = await readMany();
    // Skill and 20 reads: nothing. From 21 reads on 18 of them are cleared, from 39 on 36; the skill never is.
    expect(sent.map(({ cleared }) => cleared)).toEqual([
      ...Array.from({ length: 21 }, () => 0),
      ...Array.from({ length: 18 }, () => 18),
      ...Array.from({ length: 7 }, () => 36),
    ]);
    expect(sent[21]!.edits).toEqual([
      {
        type: 'clear_tool_uses_20250919',
        trigger: { type: 'tool_uses', value: 20 },
        keep: { type: 'tool_uses', value: 3 },
        clear_at_least: { type: 'input_tokens', value: 1_000 },
        exclude_tools: ['Skill'],
      },
    ]);
    // What is read from the cache falls where a step is made, at 2 of 46 requests, and nowhere else.
    const drops = sent.flatMap(({ read }, i) => (i > 0 && read < sent[i - 1]!.read ? [i] : []));
    expect(drops).toEqual([21, 39]);
    expect(sent.filter(({ broke }) => broke !== undefined)).toEqual([]);
  });

  it('CC117: a live detector hears of a compaction from the session, and reports none of what it changed', async () => {
    const breaks = cacheBreaks();
    const session = createSession({ window: 200_000, on: (event) => breaks.hear(event) });
    for (let i = 0; i < 40; i++) {
      session.append(user(`question ${i} ${prose(60, i)}`));
      session.append(assistant(`answer ${i} ${prose(60, i)}`));
    }
    const told = { api: 'anthropic-messages', at: 0, input: 10 } as const;
    const bodyNow = async () => ({ ...base, messages: (await session.view()).messages.map(({ id }) => ({ id })) });
    breaks.observe({ ...told, body: await bodyNow(), cacheRead: 0, cacheWrite: 9_000 });
    await session.compact();
    expect(breaks.observe({ ...told, body: await bodyNow(), cacheRead: 100, cacheWrite: 900 })).toBeUndefined();
    session.append(user('on'));
    breaks.observe({ ...told, body: await bodyNow(), cacheRead: 1_000, cacheWrite: 9_000 });
    session.undo();
    expect(breaks.observe({ ...told, body: await bodyNow(), cacheRead: 0, cacheWrite: 9_000 })).toBeUndefined();
    // Without a word of the session the same change is a break.
    const deaf = cacheBreaks();
    deaf.observe({ ...told, body: { messages: [{ id: 'a' }] }, cacheRead: 0, cacheWrite: 9_000 });
    expect(deaf.observe({ ...told, body: { messages: [{ id: 'b' }] }, cacheRead: 0, cacheWrite: 9_000 })?.type).toBe(
      'messages',
    );
  });
});
