import { describe, expect, it } from 'vitest';
import { CLEARED, readSession } from '../src/index.ts';
import { fixture, readFixture, sketch } from './sketch.ts';

describe('an OpenCode export', () => {
  const recording = readFixture('opencode.json');

  it('has calls and results apart, one response a step, synthetic text as the host’s', () => {
    expect(sketch(recording.messages)).toEqual([
      'msg_1 human: explain @src/a.ts',
      'msg_1/2 harness: <content>const a = 1;</content>',
      'msg_1/3 human: <image/png CCCC>',
      'msg_2 model: (read more §opaque-1) | →call_1 read {"filePath":"src/b.ts"} | →call_2 bash {"command":"make"}',
      'msg_2/results tool: ←call_1 const b = 2; | ←call_2! no make',
      'msg_2/2 model: It is a constant.',
      'msg_3 human: and b?',
      'msg_4 model: Another. | →call_3 bash {"command":"sleep 9"}',
      'msg_7 harness: Go on.',
    ]);
    expect(recording.notes).toEqual(['1 call(s) at the end have no result']);
  });

  it('counts usage once a step', () => {
    expect(recording.usage).toEqual([
      { after: 3, usage: { input: 100, output: 15, cacheRead: 20, cacheWrite: 0 } },
      { after: 5, usage: { input: 8, output: 4, cacheRead: 130, cacheWrite: 0 } },
    ]);
  });

  it('a pruned output is blank from the time of its pruning', () => {
    expect(recording.compactions[0]).toMatchObject({ type: 'clear', at: 7, cleared: ['call_1'] });
    expect(sketch(recording.viewAt(6))).toContain('msg_2/results tool: ←call_1 const b = 2; | ←call_2! no make');
    expect(sketch(recording.viewAt(7))).toContain(`msg_2/results tool: ←call_1 ${CLEARED} | ←call_2! no make`);
  });

  it('after a compaction the request, the summary and the kept tail are visible', () => {
    expect(recording.compactions[1]).toMatchObject({
      type: 'summary',
      at: 8,
      trigger: 'auto',
      summary: 'Two constants were explained.',
      visible: ['msg_5', 'msg_6', 'msg_3', 'msg_4'],
      usage: { input: 300, output: 30 },
    });
    expect(sketch(recording.viewAfter(1))[1]).toBe('msg_6 palimpsest as assistant: Two constants were explained.');
  });

  it('a compaction that failed changed nothing, nor does one that is not finished', () => {
    expect(recording.compactions).toHaveLength(2);
    type Info = Record<string, unknown>;
    const value = JSON.parse(fixture('opencode.json')) as { messages: { info: Info }[] };
    const compactionsWith = (outcome: Info): number => {
      const last = value.messages.at(-1)!;
      const { error: _, finish: __, ...info } = last.info;
      const messages = [...value.messages.slice(0, -1), { ...last, info: { ...info, ...outcome } }];
      return readSession(JSON.stringify({ ...value, messages })).compactions.length;
    };
    expect(compactionsWith({ error: { name: 'Aborted' }, finish: 'error' })).toBe(2);
    expect(compactionsWith({})).toBe(2);
    expect(compactionsWith({ finish: 'stop' })).toBe(3);
  });

  it('what was reverted is set aside', () => {
    const value = JSON.parse(fixture('opencode.json')) as { info: Record<string, unknown> };
    value.info.revert = { messageID: 'msg_3' };
    const reverted = readSession(JSON.stringify(value));
    expect(reverted.messages.at(-1)!.id).toBe('msg_2/2');
    expect(reverted.branches[0]).toMatchObject({ type: 'abandoned' });
  });
});
