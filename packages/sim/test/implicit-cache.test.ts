import { describe, expect, it } from 'vitest';
import { post, prose, sim } from './talk.ts';

async function asker() {
  const { url, clock } = await sim();
  const chat = async (messages: readonly object[], more: object = {}) => {
    const said = await post(url, '/v1/chat/completions', { model: 'gpt-4o', messages, ...more });
    expect(said.status, said.text).toBe(200);
    return said.json.usage.prompt_tokens_details.cached_tokens as number;
  };
  return { url, clock, chat };
}

const user = (content: string) => ({ role: 'user', content });
const bot = (content: string) => ({ role: 'assistant', content });

describe('implicit caching of OpenAI', () => {
  it('the longest shared beginning is served, in steps of 128 from 1,024 on', async () => {
    const { chat } = await asker();
    const head = user(prose(3_000));
    expect(await chat([head])).toBe(0);
    const cached = await chat([head, bot('yes'), user('go on')]);
    expect(cached).toBeGreaterThan(2_700);
    expect(cached % 128).toBe(0);
  });

  it('less than 1,024 shared tokens are none', async () => {
    const { chat } = await asker();
    await chat([user(prose(900))]);
    expect(await chat([user(prose(900))])).toBe(0);
  });

  it('a change in front takes all of it, a change behind only what follows', async () => {
    const { chat } = await asker();
    const messages = [user(prose(2_000)), bot(prose(2_000, 1)), user(prose(2_000, 2))];
    await chat(messages);
    expect(await chat([user(prose(2_000, 9)), ...messages.slice(1)])).toBe(0);
    const behind = await chat([...messages.slice(0, 2), user(prose(2_000, 8))]);
    expect(behind).toBeGreaterThan(3_700);
    expect(behind).toBeLessThan(4_400);
  });

  it('a message that only grew shares its head', async () => {
    const { chat } = await asker();
    const text = prose(3_000);
    await chat([user(text)]);
    expect(await chat([user(`${text}\nand one more line`)])).toBeGreaterThan(2_700);
  });

  it('changed tools change everything', async () => {
    const { chat } = await asker();
    const tools = (name: string) => ({ tools: [{ type: 'function', function: { name } }] });
    await chat([user(prose(3_000))], tools('a'));
    expect(await chat([user(prose(3_000))], tools('a'))).toBeGreaterThan(2_700);
    expect(await chat([user(prose(3_000))], tools('b'))).toBe(0);
  });

  it('another cache key is another machine', async () => {
    const { chat } = await asker();
    await chat([user(prose(3_000))], { prompt_cache_key: 'one' });
    expect(await chat([user(prose(3_000))], { prompt_cache_key: 'two' })).toBe(0);
    expect(await chat([user(prose(3_000))], { prompt_cache_key: 'one' })).toBeGreaterThan(2_700);
  });

  it('minutes without use end it, unless it is kept for a day', async () => {
    const { chat, clock } = await asker();
    const long = { prompt_cache_key: 'long', prompt_cache_retention: '24h' };
    await chat([user(prose(3_000))]);
    await chat([user(prose(3_000))], long);
    clock.advance(300_000);
    expect(await chat([user(prose(3_000))])).toBe(0);
    expect(await chat([user(prose(3_000))], long)).toBeGreaterThan(2_700);
  });
});

it('the Responses API and Gemini report it in their own fields', async () => {
  const { url } = await asker();
  const input = prose(3_000);
  await post(url, '/v1/responses', { model: 'gpt-5.5', input });
  const openai = await post(url, '/v1/responses', { model: 'gpt-5.5', input });
  expect(openai.json.usage.input_tokens_details.cached_tokens).toBeGreaterThan(2_700);
  expect(openai.json.usage.input_tokens).toBeGreaterThan(openai.json.usage.input_tokens_details.cached_tokens);
  const path = '/v1beta/models/gemini-2.5-pro:generateContent';
  const body = { contents: [{ role: 'user', parts: [{ text: input }] }] };
  expect((await post(url, path, body)).json.usageMetadata).not.toHaveProperty('cachedContentTokenCount');
  const { usageMetadata } = (await post(url, path, body)).json;
  expect(usageMetadata.cachedContentTokenCount).toBeGreaterThan(2_700);
  expect(usageMetadata.promptTokenCount).toBeGreaterThan(usageMetadata.cachedContentTokenCount);
});
