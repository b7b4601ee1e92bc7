import { describe, expect, it } from 'vitest';
import { readSession } from '../src/index.ts';
import { fixture, readFixture, sketch } from './sketch.ts';

describe('a Cline history', () => {
  it('has calls that the model wrote as markup, and their answers as results', () => {
    const recording = readFixture('cline.json');
    expect(sketch(recording.messages)).toEqual([
      'message-1 human: <task>⏎read two files⏎</task>',
      'message-1/2 harness: <environment_details>⏎# Visible files⏎</environment_details>',
      'message-2 model: Reading. | →message-2.call read_file {"files":[{"path":"a.ts"},{"path":"b.ts"}]}',
      "message-3 tool: ←message-2.call [read_file for 'a.ts', 'b.ts'] Result: + <file><path>a.ts</path>1 | const a</file>",
      'message-3/2 harness: <environment_details>⏎# Time⏎</environment_details>',
      'message-4 model: →message-4.call write_to_file {"path":"c.html","content":"<path>not a parameter</path>"}',
      "message-5 tool: ←message-4.call [write_to_file for 'c.html'] Result:⏎⏎The file was saved.",
      'message-6 model: <attempt_completion>⏎<result>done</result>⏎</attempt_completion>',
    ]);
    expect(recording.notes).toEqual([]);
  });

  it('with an id that stands twice has two messages all the same', () => {
    const turns = [
      { role: 'user', id: 'a', content: 'one' },
      { role: 'assistant', id: 'a', content: 'two' },
      { role: 'user', id: 'a', content: 'three' },
    ];
    expect(sketch(readSession(JSON.stringify(turns)).messages)).toEqual([
      'a human: one',
      'a~2 model: two',
      'a~3 human: three',
    ]);
  });

  it('of Roo hides what a summary in the file stands for, and nothing else', () => {
    const recording = readFixture('roo.json');
    expect(sketch(recording.messages)).toEqual([
      'message-1 human: <task>tidy up</task>',
      'message-2 model: Listing. | →toolu_1 list_files {"path":"."}',
      'message-3 tool: ←toolu_1 a b c',
      'message-5 model: Removing c.',
    ]);
    expect(recording.viewAt(4).map((message) => message.id)).toEqual(['message-1', 'message-4', 'message-5']);
    expect(recording.compactions[0]).toMatchObject({
      summary: 'The files are a, b and c.',
      hidden: ['message-2', 'message-3'],
    });
  });
});

describe('a Copilot CLI session', () => {
  const recording = readFixture('copilot.jsonl');

  it('tells what was typed from what was put around it', () => {
    expect(sketch(recording.messages)).toEqual([
      'e2/1 harness: <current_datetime>now</current_datetime>',
      'e2 human: tidy up',
      'e2/3 harness: <system_reminder>tables: none</system_reminder>',
      'e3 model: ( §op) | →t1 bash {"command":"ls"} | →t2 view {"path":"x"}',
      'e5 tool: ←t2! no x',
      'e6 tool: ←t1 a b',
      'e7 harness: <skill-context name="s">do it so</skill-context>',
      'e9 model: (easy) | Tidied.',
      'e13 human: thanks',
    ]);
    expect(recording.system).toBe('You are a terminal assistant.');
  });

  it('counts cached tokens apart from input, and the last report for a response', () => {
    const usage =
      '{"type":"assistant.usage","data":{"inputTokens":100,"cacheReadTokens":70,"cacheWriteTokens":5,"outputTokens":9},"id":"u1","parentId":"e3"}';
    const lines = fixture('copilot.jsonl').split('\n');
    lines.splice(4, 0, usage);
    expect(recording.usage).toEqual([{ after: 3, usage: { output: 12 } }]);
    expect(readSession(lines.join('\n')).usage).toEqual([
      { after: 3, usage: { input: 30, output: 9, cacheRead: 70, cacheWrite: 5 } },
    ]);
  });

  it('a compaction keeps what was said since it began', () => {
    expect(recording.compactions[0]).toMatchObject({
      at: 8,
      trigger: 'auto',
      tokensBefore: 5000,
      tokensAfter: 400,
      visible: ['e10', 'e9'],
      usage: { input: 5000, output: 100 },
    });
  });

  it('sets subagents and what was taken back aside', () => {
    expect(recording.branches.map(({ type, messages }) => [type, ...sketch(messages)])).toEqual([
      ['abandoned', 'e11 human: oops'],
      ['sidechain', 'e4 model: from the helper'],
    ]);
  });
});
