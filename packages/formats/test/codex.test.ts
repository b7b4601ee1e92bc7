import { describe, expect, it } from 'vitest';
import { readSession } from '../src/index.ts';
import { fixture, readFixture, sketch } from './sketch.ts';

describe('a Codex rollout', () => {
  const recording = readFixture('codex.jsonl');

  it('has one message a response, and context that was put in is not the user’s', () => {
    expect(sketch(recording.messages)).toEqual([
      'line-2 harness: <permissions instructions>all allowed',
      'line-3 harness: # AGENTS.md instructions for /home/ada/site⏎⏎Use pnpm. | <environment_context>⏎  <cwd>/home/ada/site</cwd>⏎</environment_context>',
      'line-5 human: fix the header | <image/png BBBB>',
      'rs_1 model: (look first §enc-1) | {openai-responses {"type":"web_search_call","status":"completed","action":{"type":"search","query":"header tags"}}} | Looking. | →call_1 shell {"cmd":"ls"} | →call_2 apply_patch "*** Begin Patch"',
      'line-12 tool: ←call_1 index.html',
      'line-13 tool: ←call_2! patch failed',
      'line-18 human: make it blue',
      'line-21 model: Blue.',
    ]);
    expect(recording.system).toBe('You work in a terminal.');
    expect(recording.model).toBe('gpt-9');
    expect(recording.messages[3]!.parts[3]).toMatchObject({
      native: { 'openai-responses': { namespace: 'mcp__box' } },
    });
  });

  it('a report that is told again counts once, cached tokens apart from input', () => {
    expect(recording.usage).toMatchObject([
      { after: 3, usage: { input: 600, output: 50, cacheRead: 400 }, window: 200000 },
    ]);
    expect(recording.usage).toHaveLength(1);
  });

  it('a report told again behind the next response is not that one’s', () => {
    const report = fixture('codex.jsonl')
      .split('\n')
      .find((line) => line.includes('"last_token_usage"'));
    const again = readSession(`${fixture('codex.jsonl')}${report}\n`);
    expect(again.messages.at(-1)).toMatchObject({ role: 'assistant' });
    expect(again.usage).toEqual(recording.usage);
  });

  it('a replacement history is the view, and what it repeats keeps its id', () => {
    expect(sketch(recording.viewAfter(0))).toEqual([
      'line-5 human: fix the header | <image/png BBBB>',
      'line-19.2 harness: <permissions instructions>none allowed',
      'line-18 human: make it blue',
      'cmp_1 palimpsest: {openai-responses {"type":"compaction","id":"cmp_1","encrypted_content":"enc-2"}}',
    ]);
    expect(recording.compactions[0]).toMatchObject({
      type: 'snapshot',
      at: 7,
      summaryId: 'cmp_1',
      unread: 'encrypted',
    });
    expect(recording.compactions[0]!.inserted.map((message) => message.id)).toEqual(['line-19.2', 'cmp_1']);
  });

  it('a replacement history without words, and without the item that holds its summary, is not one without a summary', () => {
    const compacted = (message: string): string =>
      JSON.stringify({
        type: 'compacted',
        payload: {
          message,
          replacement_history: [
            { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'make it blue' }] },
          ],
        },
      });
    const { compactions } = readSession(`${fixture('codex.jsonl')}${compacted('')}\n${compacted('It is blue now.')}\n`);
    expect(compactions.map(({ unread, summary }) => ({ unread, summary }))).toEqual([
      { unread: 'encrypted', summary: undefined },
      { unread: 'unrecorded', summary: undefined },
      { unread: undefined, summary: 'It is blue now.' },
    ]);
  });

  it('turns that were rolled back are set aside', () => {
    expect(recording.branches.map(({ type, messages }) => [type, ...sketch(messages)])).toEqual([
      ['abandoned', 'line-15 human: make it red', 'line-16 model: Red it is.'],
    ]);
  });
});

describe('a rollout of the first versions', () => {
  const recording = readFixture('codex-first.jsonl');

  it('is read from bare items', () => {
    expect(sketch(recording.messages)).toEqual([
      'line-2 harness: <environment_context>x</environment_context>',
      'line-3 human: list the files',
      'line-5 model: →call_1 shell {"command":["ls"]}',
      'line-6 tool: ←call_1 a b',
      'line-8 model: Two files.',
    ]);
    expect(recording.system).toBe('Be short.');
  });

  it('a compaction that is only a summary kept the context and the user’s words', () => {
    expect(recording.compactions[0]).toMatchObject({
      type: 'summary',
      summary: 'Files a and b were listed.',
      visible: ['line-2', 'line-3', 'line-7'],
    });
  });

  it('of the user’s words it kept the newest 80,000 characters', () => {
    const line = (role: string, words: string): string =>
      JSON.stringify({ type: 'message', role, content: [{ type: 'input_text', text: words }] });
    const { compactions } = readSession(
      [
        '{"id":"thread-0","instructions":"Be short."}',
        line('user', `old ${'x'.repeat(40_000)}`),
        line('user', `newer ${'x'.repeat(50_000)}`),
        line('user', 'newest'),
        '{"type":"compacted","payload":{"message":"Much was pasted."}}',
      ].join('\n'),
    );
    expect(compactions[0]).toMatchObject({ visible: ['line-3', 'line-4', 'line-5'], hidden: ['line-2'] });
  });
});
