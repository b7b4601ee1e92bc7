import type { JournalRecord } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { inspectOwn } from '../src/index.ts';
import { tellReason } from '../src/model/tell.ts';
import { liveSession } from './made-sessions.ts';

/** As journals were written before walks told their budget. */
const forgetRoom = (record: JournalRecord): JournalRecord => {
  if (record.type !== 'entry' || record.entry.type !== 'edits') return record;
  const { room: _, ...entry } = record.entry;
  return { ...record, entry };
};

describe('the window of a session of ours', () => {
  it('is read off its journal, with trigger and target, and says why a compaction was made', async () => {
    const { session, records } = await liveSession(24);
    const { inspection } = inspectOwn(records, { title: 'made' });
    const [course] = inspection.courses;
    const { budget } = session.status();
    expect(course!.budget).toMatchObject({ window: 12_000, trigger: expect.any(Number), target: expect.any(Number) });
    expect(course!.budget.target).toBeLessThan(course!.budget.trigger ?? 0);
    expect(course!.budget.trigger).toBeLessThanOrEqual(budget.effective);
    const cliff = course!.cliffs.find(({ declared }) => declared)!;
    expect(cliff.room?.window).toBe(12_000);
    expect(tellReason(cliff, {})).not.toContain('as a matter of course');
    expect(inspection.notes).toEqual([]);
  });

  it('that an old journal does not say is asked for: no line, no guess, and no wrong reason', async () => {
    const { records } = await liveSession(24);
    const old = records.map(forgetRoom);
    const { inspection } = inspectOwn(old, { title: 'made' });
    const [course] = inspection.courses;
    expect(course!.budget).toEqual({});
    expect(inspection.notes).toEqual([expect.stringContaining('state it with --window')]);
    const pressed = course!.cliffs.filter((one) => one.pressed);
    expect(pressed.length).toBeGreaterThan(0);
    for (const { reason: _, ...cliff } of pressed)
      expect(tellReason(cliff, course!.budget)).toContain('the window is not recorded: state it with --window');
    const stated = inspectOwn(old, { title: 'made', window: 12_000 }).inspection;
    expect(stated.courses[0]!.budget.window).toBe(12_000);
    expect(stated.notes).toEqual([]);
  });

  it('that is stated goes before what the journal says', async () => {
    const { records } = await liveSession(24);
    const { budget } = inspectOwn(records, { title: 'made', window: 64_000 }).inspection.courses[0]!;
    expect(budget.window).toBe(64_000);
    expect(budget.trigger).toBeGreaterThan(12_000);
  });
});
