import { describe, expect, it } from 'vitest';
import { readSession } from '../src/index.ts';
import { fixture, readFixture, sketch } from './sketch.ts';

describe('a pi session', () => {
  const recording = readFixture('pi.jsonl');

  it('is the path to its last entry; other branches are set aside', () => {
    expect(sketch(recording.messages)).toEqual([
      '00000004 human: second try',
      '00000006 harness: Be kind.',
      '00000007 model: (run it §sig) | →call|1 bash {"command":"ls"} §ts',
      '00000008 tool: ←call|1 a.c + <image/png DDDD>',
      '00000009 harness: [the user ran] git status (exit code 1)⏎clean',
      '0000000d human: go on',
    ]);
    expect(recording.branches.map(({ type, messages }) => [type, ...sketch(messages)])).toEqual([
      ['abandoned', '00000002 human: first try', '00000003 model: A dead end.'],
    ]);
    expect(recording.notes).toContain('1 message(s) without any content were left out');
  });

  it('counts the usage of each response', () => {
    expect(recording.usage).toEqual([{ after: 2, usage: { input: 10, output: 20, cacheRead: 30, cacheWrite: 40 } }]);
  });

  it('after a compaction the summary and the entries from the first kept one are visible', () => {
    expect(recording.compactions).toHaveLength(1);
    expect(recording.compactions[0]).toMatchObject({
      at: 5,
      tokensBefore: 90000,
      summary: 'It was tried twice.',
      visible: ['0000000c', '00000007', '00000008', '00000009'],
      hidden: ['00000004', '00000006'],
    });
  });

  it('a leaf entry says from where the conversation goes on', () => {
    const leaf = '{"type":"leaf","id":"0000000e","parentId":"0000000d","targetId":"00000003"}\n';
    expect(sketch(readSession(fixture('pi.jsonl') + leaf).messages)).toEqual([
      '00000002 human: first try',
      '00000003 model: A dead end.',
    ]);
  });

  it('of the first version is a list, and the first kept entry is counted from the head line', () => {
    const first = readFixture('pi-first.jsonl');
    expect(first.messages.map((message) => message.id)).toEqual([
      'entry-1',
      'entry-2',
      'entry-3',
      'entry-4',
      'entry-6',
    ]);
    expect(first.compactions[0]!.visible).toEqual(['entry-5', 'entry-3', 'entry-4']);
    expect(first.model).toBe('claude-sonnet-8');
  });
});
