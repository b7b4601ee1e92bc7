import { type CacheBreak, cacheBreaks } from '@palimpsest/wire';
import { describe, expect, it } from 'vitest';
import { post, prose, sim } from './talk.ts';

const MARK = { cache_control: { type: 'ephemeral' } };
const tool = (name: string) => ({ name, description: 'does', input_schema: { type: 'object' } });
type Body = Record<string, unknown> & { messages: object[] };

const base = (): Body => ({
  model: 'claude-sonnet-5',
  max_tokens: 50,
  tools: [tool('a'), tool('b')],
  system: [{ type: 'text', text: prose(2_000) }],
  messages: [
    { role: 'user', content: prose(2_000, 1) },
    { role: 'assistant', content: prose(2_000, 2) },
    { role: 'user', content: 'go on' },
  ],
  ...MARK,
});

/** What a host would see: it sends, reads the usage, and asks the detector. */
async function watched() {
  const { url, clock } = await sim();
  const breaks = cacheBreaks();
  const send = async (body: Body, compacted = false): Promise<CacheBreak | undefined> => {
    const at = clock.now();
    const { status, json, text } = await post(url, '/v1/messages', body);
    if (status !== 200) throw new Error(text);
    return breaks.observe({
      api: 'anthropic-messages',
      body,
      at,
      cacheRead: json.usage.cache_read_input_tokens,
      cacheWrite: json.usage.cache_creation_input_tokens,
      input: json.usage.input_tokens,
      compacted,
    });
  };
  return { send, clock };
}

const grown = (body: Body, i = 0): Body => ({
  ...body,
  messages: [...body.messages, { role: 'assistant', content: `step ${i}` }, { role: 'user', content: `and ${i}` }],
});

describe('against the simulator', () => {
  it('a conversation that only grows has no break', async () => {
    const { send } = await watched();
    let body = base();
    for (let i = 0; i < 5; i++) {
      expect(await send(body)).toBeUndefined();
      body = grown(body, i);
    }
  });

  it.each<[string, (body: Body) => Body, Partial<CacheBreak>]>([
    ['the model', (body) => ({ ...body, model: 'claude-opus-5' }), { type: 'model' }],
    ['a tool', (body) => ({ ...body, tools: [tool('a'), tool('c')] }), { type: 'tools', index: 1 }],
    ['a tool more', (body) => ({ ...body, tools: [tool('a'), tool('b'), tool('c')] }), { type: 'tools', index: 2 }],
    ['the system prompt', (body) => ({ ...body, system: 'short' }), { type: 'system' }],
    [
      'an old message',
      (body) => ({
        ...body,
        messages: [body.messages[0]!, { role: 'assistant', content: 'cut' }, ...body.messages.slice(2)],
      }),
      { type: 'messages', index: 1 },
    ],
    ['the choice of tools', (body) => ({ ...body, tool_choice: { type: 'any' } }), { type: 'options' }],
    ['the breakpoint', (body) => ({ ...body, cache_control: undefined }), { type: 'breakpoints' }],
  ])('%s explains its break', async (_, change, expected) => {
    const { send } = await watched();
    await send(base());
    const found = await send(change(grown(base())));
    expect(found).toMatchObject(expected);
    expect(found!.lost).toBeGreaterThan(1_500);
    expect(found!.message).not.toBe('');
  });

  it('time explains its break', async () => {
    const { send, clock } = await watched();
    await send(base());
    clock.advance(299_000);
    expect(await send(grown(base()))).toBeUndefined();
    clock.advance(600_000);
    expect(await send(grown(grown(base())))).toMatchObject({ type: 'ttl' });
  });

  it('time explains what a change further down does not', async () => {
    const { send, clock } = await watched();
    await send(base());
    clock.advance(600_000);
    const edited = { ...base(), messages: [...base().messages.slice(0, 2), { role: 'user', content: 'stop' }] };
    expect(await send(edited)).toMatchObject({ type: 'ttl' });
  });

  it('a conversation that went back to an earlier point and reads all it has is no break', async () => {
    const { send } = await watched();
    const long = {
      ...base(),
      messages: [...base().messages, { role: 'assistant', content: prose(3_000, 3) }, { role: 'user', content: 'on' }],
    };
    await send(base());
    await send(long);
    expect(await send(base())).toBeUndefined();
  });

  it('too many blocks at once are out of reach of the breakpoint', async () => {
    const { send } = await watched();
    await send(base());
    const parts = Array.from({ length: 30 }, (_, i) => ({ type: 'text', text: `part ${i}` }));
    const body = { ...base(), messages: [...base().messages, { role: 'user', content: parts }] };
    expect(await send(body)).toMatchObject({ type: 'breakpoints' });
  });

  it('a declared compaction is silent, and what comes after is compared with it', async () => {
    const { send } = await watched();
    await send(base());
    const small: Body = { ...base(), messages: [{ role: 'user', content: prose(1_500, 5) }] };
    expect(await send(small, true)).toBeUndefined();
    expect(await send(grown(small))).toBeUndefined();
    expect(await send({ ...small, messages: [{ role: 'user', content: prose(1_500, 6) }] })).toMatchObject({
      type: 'messages',
      index: 0,
    });
  });
});
