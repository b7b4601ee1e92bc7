import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { estimateText, judge, type Message, requestText, type SummaryFailure, text } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { diskFolder, type Explorer, explorer, type Script, type SummaryKind, startSim } from '../src/index.ts';
import { post, prose, sim } from './talk.ts';

const PATH = '/v1/messages';
const toolsOf = (mate: Explorer) =>
  mate.tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema }));

type Block = { type: string; id: string; name: string; input: Record<string, unknown>; text?: string };

/** The plainest agent loop there is. */
async function work(mate: Explorer, url: string, calls: number) {
  const messages: unknown[] = [{ role: 'user', content: 'Look through the folder and tell me what is wrong.' }];
  const body = { model: 'claude-sonnet-5-5', max_tokens: 4_000, tools: toolsOf(mate), thinking: { type: 'adaptive' } };
  for (let i = 0; i < calls; i++) {
    const { status, json, text: said } = await post(url, PATH, { ...body, messages });
    if (status !== 200) throw new Error(said);
    const content = json.content as Block[];
    messages.push({ role: 'assistant', content });
    const uses = content.filter(({ type }) => type === 'tool_use');
    if (uses.length === 0) break;
    messages.push({
      role: 'user',
      content: uses.map(({ id, name, input }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: mate.run(name, input),
      })),
    });
  }
  return messages as { role: string; content: string | Block[] }[];
}

describe('the explorer', () => {
  it('works with all its tools until its turns are over', async () => {
    const mate = explorer({ seed: 5, turns: 60 });
    const { url, requests } = await sim({ model: mate });
    const messages = await work(mate, url, 100);
    const used = new Set(
      messages.flatMap(({ content }) => (Array.isArray(content) ? content.map(({ name }) => name) : [])),
    );
    for (const name of ['list', 'read', 'grep', 'edit', 'run']) expect(used).toContain(name);
    expect(requests).toHaveLength(61);
    expect(messages.at(-1)!.content).toMatchObject([{ type: 'text', text: 'Done: 60 steps over 64 files.' }]);
    expect(JSON.stringify(messages)).not.toContain('Error:');
  });

  it('does the same for the same seed and something else for another', async () => {
    const run = async (seed: number) => {
      const mate = explorer({ seed, turns: 12 });
      const one = await startSim({ model: mate });
      const messages = await work(mate, one.url, 20);
      await one.close();
      return JSON.stringify(messages);
    };
    const first = await run(1);
    expect(await run(1)).toBe(first);
    expect(await run(2)).not.toBe(first);
  });

  it('really reads and edits the folder that it is given, and nothing outside of it', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'sim-'));
    try {
      writeFileSync(join(dir, 'a.ts'), 'export const answerToEverything = 42;\n');
      const mate = explorer({ seed: 1, turns: 30, dir });
      const { url } = await sim({ model: mate });
      const messages = JSON.stringify(await work(mate, url, 40));
      expect(messages).toContain('answerToEverything');
      expect(readFileSync(join(dir, 'a.ts'), 'utf8')).toContain('// checked in step');
      expect(() => mate.run('read', { path: '../secret' })).toThrow(RangeError);
      expect(diskFolder(dir).paths()).toEqual(['a.ts']);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });

  it('calls only what it is offered', async () => {
    const { url } = await sim({ model: explorer({ seed: 1, turns: 10 }) });
    const tools = [{ name: 'look_up', input_schema: { type: 'object' } }];
    const body = { model: 'claude-sonnet-5-5', max_tokens: 500, messages: [{ role: 'user', content: 'go' }] };
    const { json } = await post(url, PATH, { ...body, tools });
    expect(json.content.filter(({ type }: Block) => type === 'tool_use').map(({ name }: Block) => name)).toContain(
      'look_up',
    );
    expect((await post(url, PATH, body)).json.stop_reason).toBe('end_turn');
  });
});

describe('summaries', () => {
  const said = 'Please fix the parser in src/core/parse.ts, and never touch the tests.';
  const history = [
    { role: 'user', content: said },
    { role: 'assistant', content: `I changed src/core/parse.ts. ${prose(1_500)}` },
    { role: 'user', content: 'And now the docs in docs/core.md, please.' },
  ];
  const source: Message[] = history.map(({ role, content }, i) => ({
    id: `m${i}`,
    role: role as 'user' | 'assistant',
    origin: role === 'user' ? 'human' : 'model',
    parts: [text(content)],
  }));
  const ask = async (url: string, api: 'messages' | 'chat' = 'messages') => {
    const messages = [...history, { role: 'user', content: requestText({ maxTokens: 400 }) }];
    if (api === 'chat') return (await post(url, '/v1/chat/completions', { model: 'gpt-4o', messages })).json;
    return (await post(url, PATH, { model: 'claude-sonnet-5-5', max_tokens: 800, messages })).json;
  };
  const verdictOn = (answer: { content: Block[]; stop_reason: string }) =>
    judge(
      {
        text: answer.content.map((block) => block.text ?? '').join(''),
        stop: answer.stop_reason === 'max_tokens' ? 'length' : answer.stop_reason === 'tool_use' ? 'tool' : 'end',
      },
      { source, sourceTokens: 1_600, maxTokens: 400, countText: estimateText },
    );

  it('a good one is believed: true to its source, in form, and small enough', async () => {
    const { url } = await sim();
    const verdict = verdictOn(await ask(url));
    expect(verdict).toMatchObject({ type: 'accepted', flagged: [] });
    expect(verdict.type === 'accepted' && verdict.text).toContain(said.slice(0, 60));
    expect(verdict.type === 'accepted' && verdict.text).toContain('src/core/parse.ts');
  });

  it.each([
    ['empty', ['empty']],
    ['cut-off', ['cut-off']],
    ['tool-call', ['tool-call']],
    ['chat', ['chat-continuation']],
    ['error-text', ['error-text']],
    ['too-large', ['not-smaller', 'over-budget', 'cut-off']],
    ['fabricated', ['fabricated']],
    ['wrong-language', ['wrong-language']],
  ] satisfies [SummaryKind, SummaryFailure[]][])('a bad one (%s) is not', async (kind, codes) => {
    const { url } = await sim({ summaries: kind });
    const verdict = verdictOn(await ask(url));
    expect(verdict.type).toBe('rejected');
    expect(codes).toContain(verdict.type === 'rejected' && verdict.code);
  });

  it('come in turn, are no turn of the model, and are marked in the log', async () => {
    const heard: number[] = [];
    const model: Script = ({ turn }) => {
      heard.push(turn);
      return { text: 'ok' };
    };
    const { url, requests } = await sim({ model, summaries: ['empty', 'good'] });
    const talk = () => post(url, PATH, { model: 'claude-sonnet-5-5', max_tokens: 100, messages: history });
    await talk();
    expect(verdictOn(await ask(url)).type).toBe('rejected');
    expect(verdictOn(await ask(url)).type).toBe('accepted');
    await ask(url, 'chat');
    await talk();
    expect(heard).toEqual([0, 1]);
    expect(requests.map(({ summary }) => summary)).toEqual([false, true, true, true, false]);
  });
});

describe('answers', () => {
  const body = (max_tokens: number) => ({
    model: 'claude-sonnet-5-5',
    max_tokens,
    messages: [{ role: 'user', content: prose(900) }],
  });

  it('are cut at the output limit, and at the end of the window', async () => {
    const model: Script = () => ({ text: prose(2_000), calls: [{ name: 'f', input: {} }] });
    const { url, requests } = await sim({ model, window: 1_500 });
    const short = await post(url, PATH, body(100));
    expect(short.json.stop_reason).toBe('max_tokens');
    expect(short.json.usage.output_tokens).toBe(100);
    expect(short.json.content).toHaveLength(1);
    const full = await post(url, PATH, body(1_000));
    expect(full.json.stop_reason).toBe('model_context_window_exceeded');
    expect(full.json.usage.input_tokens + full.json.usage.output_tokens).toBe(1_500);
    expect(requests.every(({ delivered }) => delivered)).toBe(true);
  });

  it('of a script that fails are a plain error, told once', async () => {
    const { url } = await sim({
      model: () => {
        throw new Error('my own mistake');
      },
    });
    const said = await post(url, PATH, body(10));
    expect(said.status).toBe(500);
    expect(said.headers.get('x-should-retry')).toBe('false');
    expect(said.text).toContain('my own mistake');
  });

  it('are billed by the model, and the bill can be asked about some of them', async () => {
    const { url, bill } = await sim();
    await post(url, PATH, body(10));
    await post(url, PATH, { ...body(10), model: 'claude-opus-5' });
    await post(url, '/v1/chat/completions', { model: 'gpt-4o', messages: [{ role: 'user', content: prose(900) }] });
    await post(url, PATH, { ...body(10), model: 'claude-none' });
    const all = bill();
    expect(all.requests).toBe(3);
    expect(Object.keys(all.byModel).sort()).toEqual(['claude-none', 'claude-opus-5', 'claude-sonnet-5-5', 'gpt-4o']);
    const opus = all.byModel['claude-opus-5']!;
    expect(opus.money).toBeCloseTo((opus.input * 5 + opus.output * 25) / 1e6, 12);
    expect(bill(({ model }) => model === 'gpt-4o').money).toBeCloseTo(all.byModel['gpt-4o']!.money, 12);
  });

  it('count by the tokenizer that the host brings', async () => {
    const { url } = await sim({ countText: (one) => one.length });
    const { json } = await post(url, PATH, body(10));
    expect(json.usage.input_tokens).toBeGreaterThanOrEqual(prose(900).length);
    expect(json.usage.output_tokens).toBe(2);
  });
});
