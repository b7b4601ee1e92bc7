import { gzipSync } from 'node:zlib';
import { assistant } from '@palimpsest/core';
import { startGateway } from '@palimpsest/gateway';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHiddenRounds } from '../src/recall/hidden-rounds.ts';
import { answerJson, type RawArrived, sendRaw, startUpstream } from './raw-upstream.ts';

const TOOL = 'palimpsest_recall';
const HEADERS = { 'content-type': 'application/json', authorization: 'Bearer k1' };

async function start(answer: Parameters<typeof startUpstream>[0]) {
  const upstream = await startUpstream(answer);
  onTestFinished(upstream.close);
  const gateway = await startGateway({ upstreams: { '*': upstream.url }, window: 8_000, recall: true });
  onTestFinished(() => gateway.close({ graceMs: 0 }));
  return { upstream, gateway };
}

const textOf = ({ bytes }: RawArrived): string => bytes.toString('utf8');

describe('rounds that a client never saw', () => {
  it('stay with their conversation, where a provider gives the calls of each the same ids', async () => {
    const call = (name: string, id: string, input: object) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    });
    // As some models count them: from 0 in every conversation.
    const read = call('read', 'functions.read:0', { path: 'README.md' });
    const { upstream, gateway } = await start((arrived, response) => {
      const isFirst = textOf(arrived).includes('Ann') && !textOf(arrived).includes(`"name":"${TOOL}","arguments"`);
      const tool_calls = isFirst ? [call(TOOL, 'functions.recall:0', { query: 'the word of Ann' })] : [read];
      const message = { role: 'assistant', content: null, tool_calls };
      answerJson(response, { id: 'c', choices: [{ index: 0, message, finish_reason: 'tool_calls' }] });
    });
    const tools = [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }];
    const send = async (messages: readonly object[], key = 'k1'): Promise<string> => {
      const body = JSON.stringify({ model: 'm', tools, messages });
      const headers = { ...HEADERS, authorization: `Bearer ${key}` };
      const before = upstream.arrived.length;
      expect((await sendRaw(`${gateway.url}/v1/chat/completions`, { headers, body })).status).toBe(200);
      return textOf(upstream.arrived[before]!);
    };
    const goOn = (said: string) => [
      { role: 'user', content: said },
      { role: 'assistant', content: null, tool_calls: [read] },
      { role: 'tool', tool_call_id: 'functions.read:0', content: 'read' },
    ];
    await send([{ role: 'user', content: 'I am Ann.' }]);
    await send([{ role: 'user', content: 'I am Ben.' }]);
    expect(await send(goOn('I am Ann.'))).toContain('the word of Ann');
    expect(await send(goOn('I am Ben.'))).not.toContain('the word of Ann');
    expect(await send(goOn('I am Ann.'), 'k2')).not.toContain('the word of Ann');
  });

  it('are counted once, however often they are told again', () => {
    const hidden = createHiddenRounds();
    const round = (text: string) => [{ parts: assistant(text).parts, results: [] }];
    for (let n = 0; n < 70; n++) hidden.remember('t', 'long', round('x'.repeat(2 ** 20)));
    hidden.remember('t', 'short', round('short'));
    expect(hidden.find('t', 'long')).toBeDefined();
    expect(hidden.find('t', 'short')).toBeDefined();
  });
});

describe('an answer that cannot be read round by round', () => {
  const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
  const tools = [{ functionDeclarations: [{ name: 'read', parameters: {} }] }];

  it('is not asked for with the tool: a stream of Gemini’s as one list, which nobody takes for a stream', async () => {
    const { upstream, gateway } = await start((arrived, response) => {
      const hasTool = textOf(arrived).includes(TOOL);
      const part = hasTool ? { functionCall: { name: TOOL, args: { query: 'x' } } } : { text: 'No tool.' };
      answerJson(response, [{ candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }] }]);
    });
    const path = '/v1beta/models/m:streamGenerateContent';
    const body = JSON.stringify({ contents, tools });
    const { text } = await sendRaw(`${gateway.url}${path}?key=k`, { headers: HEADERS, body });
    expect(text).toContain('No tool.');
    await sendRaw(`${gateway.url}${path}?key=k&alt=sse`, { headers: HEADERS, body });
    expect(upstream.arrived.map((one) => textOf(one).includes(TOOL))).toEqual([false, true]);
  });

  it('comes as it came where the provider compresses a stream that was asked for plain', async () => {
    const bytes = gzipSync('data: {"choices":[{"index":0,"delta":{"content":"hé"}}]}\n\ndata: [DONE]\n\n');
    const { gateway } = await start((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      response.end(bytes);
    });
    const body = JSON.stringify({
      model: 'm',
      stream: true,
      tools: [{ type: 'function', function: { name: 'read', parameters: {} } }],
      messages: [{ role: 'user', content: 'hi' }],
    });
    const answer = await sendRaw(`${gateway.url}/v1/chat/completions`, { headers: HEADERS, body });
    expect(answer.bytes.equals(bytes)).toBe(true);
  });
});

describe('a model that only looks things up', () => {
  const tools = [{ name: 'read', input_schema: { type: 'object' } }];
  const body = JSON.stringify({ model: 'm', max_tokens: 9, tools, messages: [{ role: 'user', content: 'hi' }] });

  it('is asked seven times, and then its answer ends in words', async () => {
    const { upstream, gateway } = await start((_, response) => {
      const content = [{ type: 'tool_use', id: `t${Math.random()}`, name: TOOL, input: { query: 'more' } }];
      answerJson(response, { type: 'message', role: 'assistant', content, stop_reason: 'tool_use', usage: {} });
    });
    const { text } = await sendRaw(`${gateway.url}/v1/messages`, { headers: HEADERS, body });
    expect(JSON.parse(text)).toMatchObject({
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: 'I have looked up as much as I may in one go.' }],
    });
    expect(upstream.arrived).toHaveLength(7);
    expect(textOf(upstream.arrived[6]!)).toContain('This was the last lookup before you answer.');
  });

  it('has no tool where several answers are asked for at once: they could not be made one', async () => {
    const { upstream, gateway } = await start((_, response) => answerJson(response, {}));
    const chat = [{ type: 'function', function: { name: 'read', parameters: {} } }];
    const google = [{ functionDeclarations: [{ name: 'read', parameters: {} }] }];
    const send = (path: string, asked: object) =>
      sendRaw(gateway.url + path, { headers: HEADERS, body: JSON.stringify(asked) });
    for (const n of [1, 2]) {
      await send('/v1/chat/completions', { model: 'm', n, tools: chat, messages: [{ role: 'user', content: 'hi' }] });
      await send('/v1beta/models/m:generateContent', {
        contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
        generationConfig: { candidateCount: n },
        tools: google,
      });
    }
    expect(upstream.arrived.map((one) => textOf(one).includes(TOOL))).toEqual([true, true, false, false]);
  });
});

describe('what a lookup reaches', () => {
  const tools = [{ name: 'read', input_schema: { type: 'object' } }];
  const ask = (said: string) =>
    JSON.stringify({ model: 'm', max_tokens: 100, tools, messages: [{ role: 'user', content: said }] });

  it('is the client’s conversation and those of the same id and credential, and no other’s', async () => {
    const { upstream, gateway } = await start((arrived, response) => {
      const isAsked = textOf(arrived).includes('Look') && !textOf(arrived).includes('tool_result');
      const input = { query: 'harbour' };
      const content = isAsked ? [{ type: 'tool_use', id: 't1', name: TOOL, input }] : [{ type: 'text', text: 'Well.' }];
      answerJson(response, { type: 'message', role: 'assistant', content, stop_reason: 'end_turn', usage: {} });
    });
    const send = async (said: string, id: string, key: string): Promise<string> => {
      const headers = { 'content-type': 'application/json', 'x-api-key': key, 'session-id': id };
      const { text } = await sendRaw(`${gateway.url}/v1/messages`, { headers, body: ask(said) });
      expect(text).toContain('Well.');
      expect(text).not.toContain(TOOL);
      return textOf(upstream.arrived.at(-1)!);
    };
    await send('The harbour is closed on Mondays.', 'one', 'k1');
    expect(await send('Look in the same group.', 'one', 'k1')).toContain('closed on Mondays');
    expect(await send('Look in another group.', 'two', 'k1')).not.toContain('closed on Mondays');
    expect(await send('Look with another key.', 'one', 'k2')).not.toContain('closed on Mondays');
    expect(await send('Look with none.', 'one', '')).not.toContain('closed on Mondays');
  });
});
