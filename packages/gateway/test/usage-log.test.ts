import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMetrics } from '../src/account/metrics.ts';
import { createUsageLog, type UsageSink } from '../src/account/usage-log.ts';
import { makeUsageRow, type UsageRow } from '../src/account/usage-row.ts';

const newRow = (n: number): UsageRow =>
  makeUsageRow(
    { id: `pr_${n}`, at: n, method: 'POST', path: '/v1/messages', status: 200, totalMs: 1, bytesIn: 1, bytesOut: 1 },
    'tenant',
  );

/** A place that is away as long as it is told to be, and what it was told. */
function newSink() {
  const written: UsageRow[] = [];
  const told: { why: string; lost: number }[] = [];
  const state = { isAway: false, calls: 0, most: 0 };
  const sink: UsageSink = {
    async write(rows) {
      state.calls++;
      state.most = Math.max(state.most, rows.length);
      if (state.isAway) throw new Error('gone');
      written.push(...rows);
    },
    onTrouble: (trouble) => told.push(trouble),
  };
  return { written, told, state, sink };
}

const ids = (rows: readonly UsageRow[]): readonly string[] => rows.map(({ id }) => id);
const range = (count: number, from = 0): readonly string[] => Array.from({ length: count }, (_, n) => `pr_${from + n}`);
const MINUTE = 60_000;
const MOST = 10_000;

describe('what is written down beside the requests', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('goes in few batches of a bounded size, in order, without being asked to', async () => {
    const { sink, written, state } = newSink();
    const log = createUsageLog(sink, () => {});
    for (let n = 0; n < 1_200; n++) log.note(newRow(n));
    expect([state.calls, log.countWaiting()]).toEqual([0, 1_200]);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(ids(written)).toEqual(range(1_200));
    expect([state.calls, state.most, log.countWaiting()]).toEqual([3, 500, 0]);
    log.note(newRow(1_200));
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(ids(written)).toEqual(range(1_201));
  });

  it('goes out when it is closed, also what came while a batch was on its way', async () => {
    const { sink, written } = newSink();
    let arrive = (): void => {};
    const slow = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const log = createUsageLog({ write: (rows) => slow.then(() => sink.write(rows)) }, () => {});
    log.note(newRow(0));
    await vi.advanceTimersByTimeAsync(MINUTE);
    log.note(newRow(1));
    const closed = log.close();
    arrive();
    await closed;
    expect(ids(written)).toEqual(range(2));
  });

  it('waits while the place is away, is tried again ever more seldom, and is told once', async () => {
    const { sink, written, told, state } = newSink();
    state.isAway = true;
    const log = createUsageLog(sink, () => {});
    log.note(newRow(0));
    await vi.advanceTimersByTimeAsync(60 * MINUTE);
    expect(state.calls).toBeGreaterThan(10);
    expect(state.calls).toBeLessThan(200);
    state.isAway = false;
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(ids(written)).toEqual(range(1));
    expect(told).toEqual([{ why: 'gone', lost: 0 }]);
  });

  it('takes no more than a bounded room; how many were lost is counted at once and told in one line when it is over', async () => {
    const { sink, written, told, state } = newSink();
    state.isAway = true;
    const metrics = createMetrics();
    const log = createUsageLog(sink, metrics.loseUsage);
    for (let n = 0; n < MOST; n++) log.note(newRow(n));
    await vi.advanceTimersByTimeAsync(MINUTE);
    for (let n = MOST; n < MOST + 77; n++) log.note(newRow(n));
    expect(log.countWaiting()).toBe(MOST);
    expect(metrics.print()).toContain('\npalimpsest_usage_lost_total 77\n');
    await vi.advanceTimersByTimeAsync(60 * MINUTE);
    state.isAway = false;
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(ids(written)).toEqual(range(MOST));
    expect(told).toEqual([
      { why: 'gone', lost: 0 },
      { why: 'gone', lost: 77 },
    ]);
    state.isAway = true;
    log.note(newRow(MOST + 77));
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(told.slice(2)).toEqual([{ why: 'gone', lost: 0 }]);
  });

  it('that finds no room while a batch is still on its way is lost, and told when that is written', async () => {
    const { sink, told } = newSink();
    let arrive = (): void => {};
    const slow = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const log = createUsageLog({ ...sink, write: (rows) => slow.then(() => sink.write(rows)) }, () => {});
    for (let n = 0; n < MOST; n++) log.note(newRow(n));
    await vi.advanceTimersByTimeAsync(MINUTE);
    for (let n = 0; n < 5; n++) log.note(newRow(MOST + n));
    arrive();
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(told).toEqual([{ why: 'it takes too long', lost: 5 }]);
  });

  it('that cannot be written when it is closed is lost, and told', async () => {
    const { sink, told, state } = newSink();
    state.isAway = true;
    let lost = 0;
    const log = createUsageLog(sink, (rows) => {
      lost += rows;
    });
    for (let n = 0; n < 3; n++) log.note(newRow(n));
    await log.close();
    expect(lost).toBe(3);
    expect(told.at(-1)).toEqual({ why: 'gone', lost: 3 });
    expect(vi.getTimerCount()).toBe(0);
  });
});
