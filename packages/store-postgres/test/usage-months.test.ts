import { dropOldUsage, migratePostgres, recordUsage, sumUsage } from '@palimpsest/store-postgres';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { describeOnServer, makeDatabase } from './postgres.ts';
import { listMonths, newUsage, ownerOf } from './usage.ts';

const HOUR_MS = 3_600_000;
const NOVEMBER = Date.UTC(2026, 10, 1);

/** The first moment of this month, or of one before it. */
const monthStart = (ago: number): number => {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1);
};
const nameOf = (at: number): string => `usage_${new Date(at).toISOString().slice(0, 7).replace('-', '_')}`;

describeOnServer('a month of usage', () => {
  it('is a table of its own: what came before midnight is in one, what came after in the other, wherever the server is', async () => {
    const connectionString = await makeDatabase();
    const { username } = new URL(connectionString);
    await ownerOf(connectionString).query(`alter role ${username} set timezone = 'Pacific/Kiritimati'`);
    await ownerOf(connectionString).query(`alter role ${username} set datestyle = 'German'`);
    const rows = [newUsage({ at: NOVEMBER - 1 }), newUsage({ at: NOVEMBER }), newUsage({ at: NOVEMBER + 1 })];
    expect(await recordUsage({ connectionString, rows })).toBe(3);
    expect(await listMonths(connectionString)).toEqual(['usage_2026_10', 'usage_2026_11']);
    const { rows: held } = await ownerOf(connectionString).query(
      'select c.relname as name, count(*)::int as rows from palimpsest.usage u join pg_class c on c.oid = u.tableoid group by 1 order by 1',
    );
    expect(held).toEqual([
      { name: 'usage_2026_10', rows: 1 },
      { name: 'usage_2026_11', rows: 2 },
    ]);
    const days = await sumUsage({ connectionString, by: 'day' });
    expect(days.map(({ name, requests }) => [name, requests])).toEqual([
      ['2026-11-01', 2],
      ['2026-10-31', 1],
    ]);
  });

  it('is made for a clock that is far off too, and its rows are found by it', async () => {
    const connectionString = await makeDatabase();
    const rows = [0, Date.UTC(2099, 11, 31, 23, 59), Date.UTC(9999, 10, 30)].map((at) => newUsage({ at }));
    expect(await recordUsage({ connectionString, rows })).toBe(3);
    expect(await listMonths(connectionString)).toEqual(['usage_1970_01', 'usage_2099_12', 'usage_9999_11']);
    expect((await sumUsage({ connectionString, from: Date.UTC(2099, 0, 1) }))[0]!.requests).toBe(2);
    expect(await dropOldUsage({ connectionString, olderThanMs: 0 })).toEqual(['usage_1970_01']);
  });

  it('is made once by many who have its first row at the same moment', async () => {
    const connectionString = await makeDatabase();
    await migratePostgres({ connectionString });
    // One has made it, and not committed yet.
    const first = new pg.Client(connectionString);
    await first.connect();
    onTestFinished(() => first.end());
    await first.query('begin');
    await first.query("select palimpsest.make_usage_month('2026-11-01')");
    const others = Array.from({ length: 8 }, () => recordUsage({ connectionString, rows: [newUsage()] }));
    const owner = ownerOf(connectionString);
    const countWaiting = async (): Promise<number> =>
      (
        await owner.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
      ).rows.length;
    await expect.poll(countWaiting).toBe(8);
    await first.query('commit');
    expect(await Promise.all(others)).toEqual(others.map(() => 1));
    expect(await listMonths(connectionString)).toEqual(['usage_2026_11']);
  });

  it('goes as a whole when all of it is old enough, and not before', async () => {
    const connectionString = await makeDatabase();
    const months = [0, 1, 2, 3].map(monthStart);
    await recordUsage({ connectionString, rows: months.map((at) => newUsage({ at })) });
    const since = Date.now() - monthStart(1);
    // An hour of the month before the last is younger than that.
    expect(await dropOldUsage({ connectionString, olderThanMs: since + HOUR_MS })).toEqual([nameOf(months[3]!)]);
    expect(await dropOldUsage({ connectionString, olderThanMs: since - HOUR_MS })).toEqual([nameOf(months[2]!)]);
    expect(await dropOldUsage({ connectionString, olderThanMs: since - HOUR_MS })).toEqual([]);
    expect(await listMonths(connectionString)).toEqual([nameOf(months[1]!), nameOf(months[0]!)]);
    expect((await sumUsage({ connectionString }))[0]!.requests).toBe(2);
    // A row that comes late has its month again.
    expect(await recordUsage({ connectionString, rows: [newUsage({ at: months[3]! })] })).toBe(1);
    for (const olderThanMs of [-1, Number.NaN, Number.POSITIVE_INFINITY])
      await expect(dropOldUsage({ connectionString, olderThanMs })).rejects.toMatchObject({ code: 'bad-option' });
    expect(await dropOldUsage({ connectionString, olderThanMs: 1e300 })).toEqual([]);
  });

  it('that somebody reads is not dropped under them: it is tried again another time', async () => {
    const connectionString = await makeDatabase();
    await recordUsage({ connectionString, rows: [newUsage({ at: monthStart(3) })] });
    const reader = await ownerOf(connectionString).connect();
    await reader.query('begin');
    await reader.query('select from palimpsest.usage');
    const drop = () => dropOldUsage({ connectionString, olderThanMs: 0, retryMs: 0 });
    await expect(drop()).rejects.toMatchObject({ code: 'unavailable', message: /lock timeout/ });
    await reader.query('commit');
    reader.release();
    expect(await drop()).toEqual([nameOf(monthStart(3))]);
  });

  it('is made while others read and write the months before it', async () => {
    const connectionString = await makeDatabase();
    await recordUsage({ connectionString, rows: [newUsage({ at: NOVEMBER - 1 })] });
    const busy = await ownerOf(connectionString).connect();
    await busy.query('begin');
    await busy.query('update palimpsest.usage set status = 201 where status = 200');
    expect(await recordUsage({ connectionString, rows: [newUsage({ at: NOVEMBER })], retryMs: 0 })).toBe(1);
    await busy.query('commit');
    busy.release();
  });
});
