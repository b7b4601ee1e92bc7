import { StoreError } from '@palimpsest/store';
import { decodeSessionName } from '@palimpsest/store/authors';
import { database } from './connection/database.ts';
import type { Answer, PostgresAccess } from './connection/pool.ts';
import { checkTenant, type PostgresLimits, withPool } from './options.ts';
import { quoteSchema, refuseOlder } from './schema/migrate.ts';

/** By what use can be added up. */
export type UsageKey = 'day' | 'model' | 'tenant' | 'session';

/** What to add up. */
export type SumUsageOptions = PostgresAccess &
  PostgresLimits & {
    /** From this time on, in ms; from the beginning without it. */
    readonly from?: number;
    /** Up to this time and without it; all that is there without it. */
    readonly to?: number;
    /** One sum of everything without it. Days are those of UTC, the newest first; of the others the largest come first. */
    readonly by?: UsageKey;
    /** Only what this tenant used; all tenants without it. */
    readonly tenant?: string;
    /** At most so many sums. 1,000 by default. */
    readonly atMost?: number;
  };

/** What some requests used together. */
export interface UsageSum {
  /** The day, the model, the tenant or the session; undefined where that is not known, and of the sum of everything. */
  readonly name: string | undefined;
  /** Whose session it is, where sums are by session: two tenants may have one of the same name. */
  readonly tenant?: string;
  readonly requests: number;
  /** Those whose answer was no success, or that had none. */
  readonly failed: number;
  readonly compacted: number;
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** On the mean, where it is known. */
  readonly overheadMs: number | undefined;
}

const GROUPS: Readonly<Record<UsageKey, readonly string[]>> = {
  day: ["to_char(at at time zone 'UTC', 'YYYY-MM-DD')"],
  model: ['model'],
  tenant: ['tenant'],
  session: ['session', 'tenant'],
};

/** The version since which there is such a table. */
const SINCE = 2;

/** Adds up what requests used. Nothing is changed by it, and no tables are made. */
export const sumUsage = (options: SumUsageOptions): Promise<readonly UsageSum[]> =>
  withPool(options, async (pool, { schema, limits }) => {
    const { by, tenant, atMost = 1_000 } = options;
    const from = checkTime('from', options.from);
    const to = checkTime('to', options.to);
    if (by !== undefined && !Object.hasOwn(GROUPS, by))
      throw new StoreError('bad-option', `\`by\` must be one of ${Object.keys(GROUPS).join(', ')}`);
    if (!Number.isSafeInteger(atMost) || atMost < 1)
      throw new StoreError('bad-option', '`atMost` must be a whole number of 1 or more');
    const settings: Readonly<Record<string, string>> =
      tenant === undefined ? { 'palimpsest.usage': 'all' } : { 'palimpsest.tenant': checkTenant(tenant) };
    const text = `
      ${selectSums(by)} from ${quoteSchema(schema)}.usage
      where ($1::timestamptz is null or at >= $1) and ($2::timestamptz is null or at < $2)
      ${groupSums(by)} limit $3`;
    const { rows } = await database(pool, limits, settings).transact(
      async (send) => {
        await refuseOlder(send, schema, SINCE);
        return send({ text, values: [from, to, atMost] });
      },
      { doing: 'adding up what was used' },
    );
    return rows.map((row) => readSum(row, by));
  });

function checkTime(name: string, value: number | undefined): string | null {
  if (value === undefined) return null;
  if (!(value >= 0 && value <= Date.UTC(9999, 11, 31)))
    throw new StoreError('bad-option', `\`${name}\` must be a time in ms, from 1970 to 9999`);
  return new Date(value).toISOString();
}

const selectSums = (by: UsageKey | undefined): string => `
  select ${by === undefined ? 'null' : GROUPS[by][0]} as name, ${by === 'session' ? 'tenant' : 'null'} as of_tenant,
    count(*)::float8 as requests,
    (count(*) filter (where status not between 200 and 399))::float8 as failed,
    (count(*) filter (where compacted))::float8 as compacted,
    ${TOKENS.map((name) => `coalesce(sum(${name}), 0)::float8 as ${name}`).join(', ')},
    avg(overhead_ms) as overhead_ms`;

const TOKENS = ['input', 'cache_read', 'cache_write', 'output', 'tokens_before', 'tokens_after'] as const;

const SIZE =
  'coalesce(sum(coalesce(input, 0) + coalesce(cache_read, 0) + coalesce(cache_write, 0) + coalesce(output, 0)), 0)';

function groupSums(by: UsageKey | undefined): string {
  if (by === undefined) return '';
  return `group by ${GROUPS[by].join(', ')} order by ${by === 'day' ? '1 desc' : `${SIZE} desc, 1 nulls last`}`;
}

function readSum(row: Answer['rows'][number], by: UsageKey | undefined): UsageSum {
  const [name, ofTenant] = [readText(row.name), readText(row.of_tenant)];
  const isEncoded = by === 'tenant' || by === 'session';
  return {
    name: name !== undefined && isEncoded ? (decodeSessionName(name) ?? name) : name,
    ...(ofTenant === undefined ? {} : { tenant: decodeSessionName(ofTenant) ?? ofTenant }),
    requests: Number(row.requests),
    failed: Number(row.failed),
    compacted: Number(row.compacted),
    input: Number(row.input),
    cacheRead: Number(row.cache_read),
    cacheWrite: Number(row.cache_write),
    output: Number(row.output),
    tokensBefore: Number(row.tokens_before),
    tokensAfter: Number(row.tokens_after),
    overheadMs: row.overhead_ms === null ? undefined : Number(row.overhead_ms),
  };
}

const readText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
