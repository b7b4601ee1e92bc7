import { describe, expect, it } from 'vitest';
import { CLEARED, readSession } from '../src/index.ts';
import { fixture, readFixture, sketch } from './sketch.ts';

describe('a Claude Code session', () => {
  const recording = readFixture('claude-code.jsonl');

  it('has one message a response, though each block is a line of its own and results stand between', () => {
    expect(sketch(recording.messages)).toEqual([
      'a0 harness: [hook_success]⏎Answer briefly.',
      'u0 harness: <local-command-caveat>what follows was run by the user</local-command-caveat>',
      'u1 harness: <command-name>/model</command-name>⏎<command-args></command-args>',
      'u2 human: read a.ts and b.ts, never touch dist',
      'a2 harness: [nested_memory: /home/ada/parser/CLAUDE.md]⏎Use tabs.',
      'r1 model: (two reads §sig-A) | Reading both. | →toolu_1 Read {"file_path":"a.ts"} | →toolu_2 Read {"file_path":"b.ts"}',
      't1 tool: ←toolu_1 export const a = 1;',
      't2 tool: ←toolu_2! no such file + <image/png AAAA>',
      't2/2 human: I meant c.ts',
      'a4 human: and hurry',
      'r5 model: →toolu_3 Bash {"command":"cat src/c.ts"}',
      't3 tool: ←toolu_3 <persisted-output>⏎Output too large (40KB). Full output saved to: /tmp/out.txt⏎⏎Preview:⏎line 1⏎</persisted-output>',
    ]);
    expect(recording.notes).toEqual([]);
  });

  it('counts usage once a response, with the final numbers', () => {
    expect(recording.usage).toEqual([
      { after: 5, usage: { input: 3, output: 42, cacheRead: 0, cacheWrite: 100 } },
      { after: 10, usage: { input: 5, output: 9, cacheRead: 100, cacheWrite: 20 } },
    ]);
  });

  it('knows its id, folder, version and model', () => {
    const { id, cwd, version, model } = recording;
    expect({ id, cwd, version, model }).toEqual({
      id: '11111111-1111-4111-8111-111111111111',
      cwd: '/home/ada/parser',
      version: '2.1.50',
      model: 'claude-opus-9',
    });
    expect(recording.messages[3]!.at).toBe(Date.parse('2026-03-01T10:00:02.000Z'));
  });

  it('keeps a subagent out of the conversation', () => {
    expect(recording.branches.map(({ type, messages }) => [type, ...sketch(messages)])).toEqual([
      ['sidechain', 's1 human: find c.ts', 's2 model: src/c.ts'],
    ]);
  });

  it('does not hold the duplicates of results that no model saw', () => {
    expect(JSON.stringify(recording)).not.toContain('toolUseResult');
  });
});

describe("a Claude Code session's compactions", () => {
  const recording = readFixture('claude-code-compacted.jsonl');

  it('a micro-compaction blanks results and drops attachments from its line on, not before', () => {
    expect(sketch(recording.viewAt(5)).at(2)).toBe('t1 tool: ←toolu_1 900 lines of log');
    expect(sketch(recording.viewAt(7))).toEqual([
      'u1 human: build it',
      'r1 model: →toolu_1 Bash {"command":"make"}',
      `t1 tool: ←toolu_1 ${CLEARED}`,
      'r2 model: →toolu_2 Bash {"command":"make test"}',
      't2 tool: ←toolu_2 3 failed',
      'r3 model: (fix it §s) | →toolu_3 Edit {"file_path":"x.c"}',
    ]);
    expect(recording.compactions[0]).toMatchObject({
      type: 'clear',
      at: 6,
      trigger: 'auto',
      tokensBefore: 50000,
      cleared: ['toolu_1'],
      hidden: ['a1'],
    });
    expect(sketch(recording.messages)[2]).toBe('t1 tool: ←toolu_1 900 lines of log');
  });

  it('a preserved segment is shown after the summary, cut where it begins inside a response', () => {
    expect(sketch(recording.viewAfter(1))).toEqual([
      'c1 palimpsest: The build failed in three tests; x.c was edited.',
      'r3 model: →toolu_3 Edit {"file_path":"x.c"}',
      't3 tool: ←toolu_3 edited',
    ]);
    expect(recording.compactions[1]).toMatchObject({
      type: 'summary',
      at: 8,
      trigger: 'auto',
      tokensBefore: 160000,
      tokensAfter: 9000,
      summary: 'The build failed in three tests; x.c was edited.',
      summaryId: 'c1',
      visible: ['c1', 'r3', 't3'],
      hidden: ['u1', 'r1', 't1', 'r2', 't2'],
    });
  });

  it('a segment anchored at the boundary itself is shown before the summary', () => {
    expect(recording.compactions[2]).toMatchObject({ at: 10, trigger: 'manual', visible: ['c1', 'r3', 't3', 'c2'] });
    expect(sketch(recording.viewAt(11)).at(-1)).toBe('r6 model: Committed.');
  });

  it('summaries are no part of the transcript', () => {
    expect(recording.messages.map((message) => message.id)).toEqual(
      ['u1', 'r1', 't1', 'r2', 't2', 'a1', 'r3', 't3', 'r5', 'u2', 'r6'], // no c1, c2
    );
  });

  it('a summary without a boundary, as old versions wrote it, hides all before it', () => {
    const lines = fixture('claude-code-compacted.jsonl').split('\n');
    const old = readSession(lines.filter((line) => !line.includes('compact_boundary')).join('\n'));
    expect(old.compactions.map(({ visible }) => visible)).toEqual([['c1'], ['c2']]);
  });

  it('a boundary with neither summary nor kept messages is noted', () => {
    const lines = fixture('claude-code-compacted.jsonl').split('\n');
    const bare = lines
      .slice(0, 12)
      .join('\n')
      .replace(/,"preservedSegment":\{[^}]*\}/, '');
    const { compactions, notes } = readSession(bare);
    expect(compactions.at(-1)!.visible).toEqual([]);
    expect(notes.some((note) => note.includes('no summary'))).toBe(true);
  });
});

describe('a Claude Code session with a course taken back', () => {
  const recording = readFixture('claude-code-forked.jsonl');

  it('tells the course that was gone on with, and sets the other aside', () => {
    expect(sketch(recording.messages)).toEqual([
      'u1 human: hello',
      'r1 model: Hi.',
      'u3 human: delete nothing',
      'r3 model: Fine.',
    ]);
    expect(recording.branches.map(({ type, messages }) => [type, ...sketch(messages)])).toEqual([
      ['abandoned', 'u2 human: delete everything', 'r2 model: →toolu_9 Bash {"command":"rm -r ."}'],
    ]);
  });

  it('a line that stands twice is read once', () => {
    expect(recording.notes).toEqual([
      '1 line(s) stand twice in the file and were read once',
      '2 message(s) on courses that were taken back are not part of the conversation',
    ]);
  });
});
