import { describe, expect, it } from 'vitest';
import { auditRecording, inspectForeign, judgeAudit, STATES, writeMarkdown } from '../src/index.ts';
import { makeRecording } from './made-sessions.ts';

const { signal } = new AbortController();

describe('a summary that cannot be read', () => {
  const made = makeRecording(24, [25, 41]);
  const withUnread = (unread: readonly ('encrypted' | 'unrecorded' | undefined)[]) => ({
    ...made,
    compactions: made.compactions.map(({ summary, ...one }, i) =>
      unread[i] === undefined
        ? { ...one, ...(summary === undefined ? {} : { summary }) }
        : { ...one, unread: unread[i] },
    ),
  });

  it('is no loss: the verdict is that it cannot be judged, and why, in all that an audit writes', async () => {
    const report = await auditRecording(withUnread(['unrecorded', 'unrecorded']), { signal });
    const { sentence, because, worst } = judgeAudit(report);
    expect(sentence).toMatch(/^What it forgot cannot be judged: .*the recording does not hold it/);
    expect([...because, ...worst].filter((one) => /gone|kept/.test(String(one)))).toEqual([]);
    expect(writeMarkdown('made', report)).toContain(sentence);
    expect(writeMarkdown('made', report)).not.toContain('| compaction |');
  });

  it('leaves the verdict to the others, and is counted', async () => {
    const { sentence, because } = judgeAudit(await auditRecording(withUnread(['encrypted', undefined]), { signal }));
    expect(sentence).not.toContain('cannot be judged');
    expect(because[0]).toMatch(/^1 of 2 compactions cannot be judged: .*encrypted/);
  });

  it('is named at its compaction, and what it stands in the place of counts as folded', () => {
    const { courses } = inspectForeign(withUnread(['unrecorded', undefined]), 'made').inspection;
    expect(courses[0]!.cliffs.map(({ unread, summary }) => [unread, summary?.by])).toEqual([
      ['unrecorded', undefined],
      [undefined, 'agent'],
    ]);
    expect(STATES[courses[0]!.lifelines[0]!.at(-1)!]).toBe('folded');
  });
});
