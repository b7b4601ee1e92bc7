import { describe, expect, it } from 'vitest';
import { post, prose, sim } from './talk.ts';

const MODEL = 'claude-sonnet-5';
const MARK = { cache_control: { type: 'ephemeral' } };
const HOUR = { cache_control: { type: 'ephemeral', ttl: '1h' } };
const say = (text: string, more: object = {}) => ({ type: 'text', text, ...more });
const user = (...content: readonly object[]) => ({ role: 'user', content });
const bot = (text: string) => ({ role: 'assistant', content: text });

async function asker() {
  const { url, clock, requests } = await sim();
  const ask = async (messages: readonly object[], more: object = {}) => {
    const said = await post(url, '/v1/messages', { model: MODEL, max_tokens: 10, messages, ...more });
    expect(said.status, said.text).toBe(200);
    const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, cache_creation } = said.json.usage;
    return {
      input: input_tokens,
      write: cache_creation_input_tokens,
      read: cache_read_input_tokens,
      split: cache_creation,
    };
  };
  return { ask, clock, requests };
}

describe('breakpoints', () => {
  it('a prefix is written once and read after, and the rest is plain input', async () => {
    const { ask } = await asker();
    const head = user(say(prose(2_000), MARK));
    const first = await ask([head, bot('yes'), user(say('one'))]);
    expect(first.read).toBe(0);
    expect(first.write).toBeGreaterThan(1_900);
    expect(first.input).toBeGreaterThan(0);
    const second = await ask([head, bot('yes'), user(say('two'))]);
    expect(second).toMatchObject({ read: first.write, write: 0, input: first.input });
  });

  it('without a breakpoint nothing is cached', async () => {
    const { ask } = await asker();
    const messages = [user(say(prose(2_000)))];
    await ask(messages);
    expect(await ask(messages)).toMatchObject({ read: 0, write: 0 });
  });

  it('a mark on the whole request moves along with the conversation', async () => {
    const { ask } = await asker();
    const messages = [user(say(prose(2_000)))];
    const first = await ask(messages, MARK);
    const grown = [...messages, bot('yes'), user(say('go on'))];
    const second = await ask(grown, MARK);
    expect(second.read).toBe(first.write);
    expect(second.write).toBeGreaterThan(0);
    expect(second.input).toBe(0);
  });

  it('a shorter prefix than the minimum is not cached, and nobody says so', async () => {
    const { ask } = await asker();
    const messages = [user(say(prose(600), MARK))];
    await ask(messages);
    expect(await ask(messages)).toMatchObject({ read: 0, write: 0 });
    const small = { model: 'claude-haiku-5-5' };
    const { write } = await ask(messages, small);
    expect(write).toBeGreaterThan(500);
    expect(await ask(messages, small)).toMatchObject({ read: write });
  });

  it('tools come before the system prompt and that before the messages', async () => {
    const { ask } = await asker();
    const tool = (name: string) => ({ name, description: prose(1_500), input_schema: { type: 'object' } });
    const system = [say(prose(1_500, 1), MARK)];
    const messages = [user(say(prose(1_500, 2), MARK))];
    const first = await ask(messages, { tools: [{ ...tool('a'), ...MARK }], system });
    const otherSystem = await ask(messages, {
      tools: [{ ...tool('a'), ...MARK }],
      system: [say(prose(1_500, 3), MARK)],
    });
    expect(otherSystem.read).toBeGreaterThan(1_400);
    expect(otherSystem.read).toBeLessThan(first.write / 2);
    expect(await ask(messages, { tools: [{ ...tool('b'), ...MARK }], system })).toMatchObject({ read: 0 });
  });

  it('a choice of tools leaves tools and system cached, but not the messages', async () => {
    const { ask } = await asker();
    const tools = [{ name: 'f', description: prose(1_500), input_schema: { type: 'object' }, ...MARK }];
    const messages = [user(say(prose(1_500, 1), MARK))];
    const first = await ask(messages, { tools });
    const second = await ask(messages, { tools, tool_choice: { type: 'any' } });
    expect(second.read).toBeGreaterThan(1_400);
    expect(second.read + second.write).toBe(first.write);
    expect(second.write).toBeGreaterThan(1_400);
  });

  it('consecutive messages of one role are the same prefix as one message', async () => {
    const { ask } = await asker();
    const first = await ask([user(say(prose(2_000)), say('more', MARK))]);
    const second = await ask([user(say(prose(2_000))), user(say('more', MARK))]);
    expect(second.read).toBe(first.write);
  });

  it.each([
    [18, true],
    [19, true],
    [20, false],
    [30, false],
  ])('with %i blocks behind the last entry, the look-back finds it: %s', async (blocks, found) => {
    const { ask } = await asker();
    const head = say(prose(2_000));
    const first = await ask([user({ ...head, ...MARK })]);
    const rest = Array.from({ length: blocks }, (_, i) => say(`part ${i}`));
    const second = await ask([user(head, ...rest.slice(0, -1), { ...rest.at(-1)!, ...MARK })]);
    expect(second.read).toBe(found ? first.write : 0);
  });

  it('an earlier breakpoint has a look-back of its own', async () => {
    const { ask } = await asker();
    const head = say(prose(2_000));
    const first = await ask([user({ ...head, ...MARK })]);
    const rest = Array.from({ length: 60 }, (_, i) => say(`part ${i}`));
    const second = await ask([user({ ...head, ...MARK }, ...rest, { ...say('end'), ...MARK })]);
    expect(second.read).toBe(first.write);
  });
});

describe('time', () => {
  it('five minutes after the last use an entry is gone; every use renews it', async () => {
    const { ask, clock } = await asker();
    const messages = [user(say(prose(2_000), MARK))];
    const { write } = await ask(messages);
    clock.advance(299_000);
    expect(await ask(messages)).toMatchObject({ read: write });
    clock.advance(299_000);
    expect(await ask(messages)).toMatchObject({ read: write });
    clock.advance(300_000);
    expect(await ask(messages)).toMatchObject({ read: 0, write });
  });

  it('a use renews the shorter prefixes that are marked too', async () => {
    const { ask, clock } = await asker();
    const head = say(prose(2_000), MARK);
    const { write } = await ask([user(head)]);
    await ask([user(head, say(prose(2_000, 1), MARK))]);
    clock.advance(200_000);
    await ask([user(head, say(prose(2_000, 1), MARK))]);
    clock.advance(200_000);
    expect(await ask([user(head, say('something else'))])).toMatchObject({ read: write });
  });

  it('an hour is written at its own price and lasts an hour', async () => {
    const { ask, clock, requests } = await asker();
    const messages = [user(say(prose(2_000), HOUR))];
    const first = await ask(messages);
    expect(first.split).toEqual({ ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: first.write });
    clock.advance(3_599_000);
    expect(await ask(messages)).toMatchObject({ read: first.write });
    clock.advance(3_600_000);
    expect(await ask(messages)).toMatchObject({ read: 0 });
    const { usage, money } = requests[0]!;
    expect(money).toBeCloseTo((usage!.cacheWrite * 6 + usage!.input * 3 + usage!.output * 15) / 1e6, 12);
  });

  it('with both kinds the write is split where the long one ends', async () => {
    const { ask, clock } = await asker();
    const messages = [user(say(prose(2_000), HOUR), say(prose(3_000, 1), MARK))];
    const { write, split } = await ask(messages);
    expect(split.ephemeral_1h_input_tokens).toBeGreaterThan(1_900);
    expect(split.ephemeral_5m_input_tokens).toBeGreaterThan(2_900);
    expect(split.ephemeral_1h_input_tokens + split.ephemeral_5m_input_tokens).toBe(write);
    clock.advance(400_000);
    expect(await ask(messages)).toMatchObject({ read: split.ephemeral_1h_input_tokens });
  });
});

it('caches are kept apart by model and by key', async () => {
  const { url } = await sim();
  const body = { model: MODEL, max_tokens: 10, messages: [user(say(prose(2_000), MARK))] };
  const read = async (over: object, key: string) =>
    (await post(url, '/v1/messages', { ...body, ...over }, { 'x-api-key': key })).json.usage.cache_read_input_tokens;
  expect(await read({}, 'one')).toBe(0);
  expect(await read({}, 'two')).toBe(0);
  expect(await read({ model: 'claude-opus-5' }, 'one')).toBe(0);
  expect(await read({}, 'one')).toBeGreaterThan(1_900);
});
