import Anthropic from '@anthropic-ai/sdk';
import { KNOWN_MODELS } from '@palimpsest/wire';
import { describe, expect, it } from 'vitest';
import { DEFAULT_MODELS, explorer, program, type Script, type SimEntry } from '../src/index.ts';
import { post, sim } from './talk.ts';

type Said = { role: 'user' | 'assistant'; content: string };
const chat = async (url: string, messages: readonly Said[], headers = {}): Promise<string> =>
  (await post(url, '/v1/chat/completions', { model: 'gpt-4o', messages }, headers)).json.choices[0].message.content;
const user = (content: string): Said => ({ role: 'user', content });
const assistant = (content: string): Said => ({ role: 'assistant', content });

const counting: Script = ({ turn }) => ({ text: `turn ${turn}` });

describe('turns are counted in each conversation', () => {
  it('two under one key do not push each other on', async () => {
    const { url } = await sim({ model: counting });
    const one = [user('Look through the first folder, please.')];
    const other = [user('Look through the second folder, please.')];
    for (const turn of [0, 1, 2]) {
      for (const messages of [one, other]) {
        const said = await chat(url, messages);
        expect(said).toBe(`turn ${turn}`);
        messages.push(assistant(said), user('go on'));
      }
    }
  });

  it('equal beginnings are told apart by the id their clients give them', async () => {
    const { url } = await sim({ model: counting });
    for (const id of ['a', 'b', 'c']) expect(await chat(url, [user('hi')], { 'session-id': id })).toBe('turn 0');
  });

  it('a conversation that begins with the words of an earlier one begins anew, with no id and beside the earlier one', async () => {
    const { url } = await sim({ model: counting });
    const task = 'List the files of this folder, please.';
    const first = [user(task)];
    for (const turn of [0, 1, 2]) {
      const said = await chat(url, first);
      expect(said).toBe(`turn ${turn}`);
      first.push(assistant(said), user('go on'));
    }
    const second = [user(task)];
    for (const turn of [0, 1]) {
      const said = await chat(url, second);
      expect(said).toBe(`turn ${turn}`);
      second.push(assistant(said), user('go on'));
    }
    expect(await chat(url, first)).toBe('turn 3');
    expect(await chat(url, second)).toBe('turn 2');
  });

  it('a first request that was not answered is the same conversation when it is sent again', async () => {
    const { url, requests } = await sim({ model: counting, faults: [{ at: 1, kind: 'cut-stream' }] });
    const body = { model: 'gpt-4o', stream: true, messages: [user('Look through the folder, please.')] };
    await post(url, '/v1/chat/completions', body).catch(() => undefined);
    const { text } = await post(url, '/v1/chat/completions', body);
    expect(text).toContain('turn 0');
    expect(requests).toHaveLength(2);
  });

  it('a compaction that carries the first words on goes on where the conversation was', async () => {
    const { url } = await sim({ model: counting });
    const first = 'Look through the folder and leave LICENSE alone.';
    await chat(url, [user(first)]);
    await chat(url, [user(first), assistant('turn 0'), user('go on')]);
    expect(await chat(url, [user(`Summary of what was before. The user said: ${first}`)])).toBe('turn 2');
    expect(await chat(url, [user('Something else altogether, if you please.')])).toBe('turn 0');
  });

  it('calls of an earlier answer tell it too, when all else is gone', async () => {
    const { url } = await sim({
      model: program([{ calls: [{ name: 'f', input: {} }] }, { text: 'second' }, { text: 'third' }]),
    });
    const client = new Anthropic({ baseURL: url, apiKey: 'key' });
    const ask = (messages: Anthropic.MessageParam[]) =>
      client.messages.create({
        model: 'claude-sonnet-5',
        max_tokens: 100,
        tools: [{ name: 'f', input_schema: { type: 'object' } }],
        messages,
      });
    const { content } = await ask([{ role: 'user', content: 'Begin with the first, then the second.' }]);
    const calls = content.flatMap((block) => (block.type === 'tool_use' ? [block] : []));
    const round: Anthropic.MessageParam[] = [
      { role: 'assistant', content: calls },
      { role: 'user', content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'x' })) },
    ];
    await ask([{ role: 'user', content: 'Begin with the first, then the second.' }, ...round]);
    const { content: last } = await ask([{ role: 'user', content: '[hidden]' }, ...round]);
    expect(last).toMatchObject([{ type: 'text', text: 'third' }]);
  });
});

it('an explorer without a number of turns never says that it is done', () => {
  const coder = explorer({ seed: 1 });
  const asked = { turn: 100_000, tools: ['read'] } as unknown as Parameters<Script>[0];
  expect(coder(asked)).toMatchObject({ calls: [{ name: 'read' }] });
});

describe('what real clients ask besides', () => {
  it('the list of models, in the form of whoever asks', async () => {
    const { url } = await sim({ window: 16_000 });
    const get = async (path: string, headers: Record<string, string> = {}) =>
      JSON.parse(await (await fetch(`${url}${path}`, { headers })).text());
    expect((await get('/v1/models')).data).toContainEqual(
      expect.objectContaining({ id: 'gpt-5.5', context_window: 16_000 }),
    );
    const anthropic = await get('/v1/models', { 'anthropic-version': '2023-06-01' });
    expect(anthropic.data).toContainEqual(expect.objectContaining({ type: 'model', id: 'claude-sonnet-5' }));
    expect((await get('/v1beta/models')).models).toContainEqual(
      expect.objectContaining({ name: 'models/gemini-2.5-pro', inputTokenLimit: 16_000 }),
    );
    const client = new Anthropic({ baseURL: url, apiKey: 'key' });
    const ids: string[] = [];
    for await (const model of client.models.list()) ids.push(model.id);
    expect(ids).toContain('claude-sonnet-5');
  });

  it('Gemini’s paths under /v1 and /v1alpha, which the newest SDK asks', async () => {
    const { url } = await sim();
    const body = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] };
    for (const version of ['v1', 'v1alpha', 'v1beta']) {
      const path = `/${version}/models/gemini-2.5-pro:generateContent`;
      const { status } = await post(url, path, body, { 'x-goog-api-key': 'k' });
      expect(status).toBe(200);
    }
    const list = await (await fetch(`${url}/v1/models`, { headers: { 'x-goog-api-key': 'k' } })).text();
    expect(list).toContain('models/gemini-2.5-pro');
  });

  it('every model that a client asks for by itself', async () => {
    const { url } = await sim();
    for (const model of ['claude-opus-4-8', 'claude-haiku-4-5-20251001', 'claude-opus-4-7'])
      expect((await post(url, '/v1/messages', { model, max_tokens: 9, messages: [user('hi')] })).status).toBe(200);
    const messages = [user('hi')];
    expect((await post(url, '/v1/chat/completions', { model: 'qwen3.7-max', messages })).status).toBe(200);
    for (const model of ['gpt-6.1-sol', 'gpt-5.4'])
      expect((await post(url, '/v1/responses', { model, input: 'hi' })).status).toBe(200);
    const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
    for (const model of ['gemini-3.1-pro-preview-customtools', 'gemini-3.5-flash-lite'])
      expect((await post(url, `/v1beta/models/${model}:generateContent`, { contents })).status).toBe(200);
    expect(KNOWN_MODELS.filter(({ name }) => !DEFAULT_MODELS.some((one) => one.name === name))).toEqual([]);
  });

  it('the metadata that codex sends', async () => {
    const { url } = await sim();
    const body = { model: 'gpt-5.5', input: 'hi', client_metadata: { session: 'x' } };
    expect((await post(url, '/v1/responses', body)).status).toBe(200);
    expect((await post(url, '/v1/responses', { ...body, invented: 1 })).status).toBe(400);
  });

  it('the size of a Gemini request, of its contents alone or whole', async () => {
    const { url, requests } = await sim();
    const contents = [{ role: 'user', parts: [{ text: 'How long is this?' }] }];
    const path = '/v1beta/models/gemini-2.5-pro:countTokens';
    const { json } = await post(url, path, { contents });
    expect(json.totalTokens).toBeGreaterThan(3);
    expect((await post(url, path, { generateContentRequest: { contents } })).json).toEqual(json);
    expect(requests.map(({ money }) => money)).toEqual([0, 0]);
  });
});

it('tells of every request as it is answered', async () => {
  const told: SimEntry[] = [];
  const { url } = await sim({ on: (entry) => told.push(entry) });
  await chat(url, [user('hi')]);
  await post(url, '/v1/chat/completions', { model: 'gpt-4o' });
  expect(told.map(({ n, status }) => [n, status])).toEqual([
    [1, 200],
    [2, 400],
  ]);
});
