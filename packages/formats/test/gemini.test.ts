import { describe, expect, it } from 'vitest';
import { readSession } from '../src/index.ts';
import { fixture, readFixture, sketch } from './sketch.ts';

describe('a Gemini CLI chat', () => {
  const recording = readFixture('gemini-chat.json');

  it('has thoughts, calls and results; files put behind the user’s words are the host’s', () => {
    expect(sketch(recording.messages)).toEqual([
      'g1 human: shrink @pics',
      'g1/2 harness: ⏎--- Content from referenced files --- | pics/a.gif | ⏎--- End of content ---',
      'g2 model: (Sizes⏎Check them first.) | I will look. | →c1 run_shell_command {"command":"ls"} | →c2 read_file {"path":"b"} | →c3 read_file {"path":"a.gif"}',
      'g2/results tool: ←c1 a.gif | ←c2! no b | ←c3 an image + <image/gif EEEE>',
      'g3 model: Done.',
    ]);
  });

  it.each(['error', 'cancelled'])('a call with the status %s failed, whatever its result says', (status) => {
    const value = JSON.parse(fixture('gemini-chat.json')) as {
      messages: { id: string; toolCalls?: { status: string }[] }[];
    };
    value.messages.find(({ id }) => id === 'g2')!.toolCalls![0]!.status = status;
    expect(sketch(readSession(JSON.stringify(value)).messages)[3]).toMatch(/^g2\/results tool: ←c1! a\.gif/);
  });

  it('counts cached tokens apart from input, thoughts as output', () => {
    expect(recording.usage).toEqual([{ after: 2, usage: { input: 60, output: 15, cacheRead: 40 } }]);
  });
});

describe('a Gemini CLI chat kept as a log', () => {
  const recording = readFixture('gemini-chat-log.jsonl');

  it('takes the last version of each message, and sets aside what was taken back', () => {
    expect(sketch(recording.messages)).toEqual([
      'm1 human: start',
      'm2 model: Calling. | →c1 glob {}',
      'm2/results tool: ←c1 x.py',
      'm5 human: right question',
      'm6 model: right answer',
    ]);
    expect(recording.branches.map(({ messages }) => sketch(messages))).toEqual([
      ['m3 human: wrong question', 'm4 model: wrong answer'],
    ]);
  });

  it('a list of messages put in is the view', () => {
    expect(sketch(recording.viewAfter(0))).toEqual([
      'n1 palimpsest: <state_snapshot>x.py was found</state_snapshot>',
      'm5 human: right question',
    ]);
    expect(recording.compactions[0]).toMatchObject({ type: 'snapshot', at: 4, summaryId: 'n1' });
  });

  it('a list that only repeats what was said and adds to it is no compaction', () => {
    const more = readSession(
      `${fixture('gemini-chat-log.jsonl').split('\n').slice(0, 2).join('\n')}
{"$set":{"messages":[{"id":"m1","type":"user","content":"start"},{"id":"k2","type":"gemini","content":"resumed"}]}}\n`,
    );
    expect(more.compactions).toEqual([]);
    expect(sketch(more.messages)).toEqual(['m1 human: start', 'k2 model: resumed']);
  });
});

describe('Gemini contents', () => {
  const recording = readFixture('gemini-contents.json');

  it('pair results with calls that have no ids by tool and order', () => {
    expect(sketch(recording.messages)).toEqual([
      'content-1 harness: <session_context>⏎Today is Monday.⏎</session_context>',
      'content-4 human: do the rest',
      'content-5 model: (plan §t1) | →content-5.2 read_file {"file_path":"a"} §t2 | →content-5.3 read_file {"file_path":"b"}',
      'content-6 tool: ←content-5.2 A | ←content-5.3! no b',
      'content-7 model: Done.',
      'content-8 tool: ←lost {"files":3}',
    ]);
    expect(recording.notes).toEqual(['1 result(s) do not follow their call']);
  });

  it('show a compression as a snapshot and the answer that the host gave to it', () => {
    expect(recording.compactions[0]).toMatchObject({
      type: 'summary',
      at: 1,
      summaryId: 'content-2',
      visible: ['content-1', 'content-2', 'content-3'],
    });
    expect(recording.viewAt(recording.messages.length)).toHaveLength(8);
  });

  it('are found in a checkpoint and in a request too', () => {
    const contents = JSON.parse(fixture('gemini-contents.json')) as unknown;
    const systemInstruction = { parts: [{ text: 'Be brief.' }] };
    for (const value of [{ history: contents }, { contents, systemInstruction }])
      expect(sketch(readSession(JSON.stringify(value)).messages)).toEqual(sketch(recording.messages));
    expect(readSession(JSON.stringify({ contents, systemInstruction })).system).toBe('Be brief.');
  });
});
