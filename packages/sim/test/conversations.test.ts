import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import { explorer, program, type Script, type SimEntry } from '../src/index.ts';
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
