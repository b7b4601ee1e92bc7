import { StoreError } from '@palimpsest/store';
import { encodeSessionName } from '@palimpsest/store/authors';

/** What one request used. What is not known stays away. */
export interface UsageRow {
  /** The request's own name: the same one at the same time is written once, however often it comes. */
  readonly id: string;
  readonly tenant: string;
  /** When it came, in ms since 1970; its month is made by it. */
  readonly at: number;
  readonly session?: string | undefined;
  /** Who was asked: the name of a provider or a server. */
  readonly upstream?: string | undefined;
  readonly model?: string | undefined;
  /** Of the answer, as HTTP has it; 0 where there was none. */
  readonly status?: number | undefined;
  /** Tokens as the provider reported them. `input` is without what was read from its cache or written to it. */
  readonly input?: number | undefined;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
  readonly output?: number | undefined;
  /** Tokens of the request as it came and as it went on. */
  readonly tokensBefore?: number | undefined;
  readonly tokensAfter?: number | undefined;
  /** It went on smaller than ever before. */
  readonly compacted?: boolean | undefined;
  /** What it spent on the way before it went on. */
  readonly overheadMs?: number | undefined;
}

type Cell = string | number | boolean | null;

/** Whoever asks chooses the model's name, and a provider the figures: none of them may keep the other rows from being written. */
const MOST_CHARS = 200;
const toText = (value: string | undefined): string | null =>
  value === undefined ? null : value.replaceAll('\0', '').slice(0, MOST_CHARS);
const toWhole =
  (most: number) =>
  (value: number | undefined): number | null =>
    value === undefined || !Number.isFinite(value) ? null : Math.min(Math.max(0, Math.round(value)), most);
const toTokens = toWhole(Number.MAX_SAFE_INTEGER);
const toStatus = toWhole(999);

/** A name that no store would take is none of a session that is stored. */
function toSession(session: string | undefined): string | null {
  try {
    return session === undefined ? null : encodeSessionName(session);
  } catch {
    return null;
  }
}

function toTenant(tenant: string): string {
  try {
    return encodeSessionName(tenant);
  } catch {
    throw new StoreError('bad-option', '`tenant` of a row must be a string that is not empty and not too long');
  }
}

/** Years that a month's table can be named after. */
const LATEST = Date.UTC(9999, 11, 1) - 1;

function toTime(at: number): string {
  if (!(at >= 0 && at <= LATEST))
    throw new StoreError('bad-option', '`at` of a row must be a time in ms, from 1970 to 9999');
  return new Date(at).toISOString();
}

/** How each column is made of a row, and its type. */
const COLUMNS: Readonly<Record<string, readonly [type: string, read: (row: UsageRow) => Cell]>> = {
  tenant: ['text', (row) => toTenant(row.tenant)],
  at: ['timestamptz', (row) => toTime(row.at)],
  id: ['text', (row) => toText(row.id)],
  session: ['text', (row) => toSession(row.session)],
  upstream: ['text', (row) => toText(row.upstream)],
  model: ['text', (row) => toText(row.model)],
  status: ['int', (row) => toStatus(row.status)],
  input: ['bigint', (row) => toTokens(row.input)],
  cache_read: ['bigint', (row) => toTokens(row.cacheRead)],
  cache_write: ['bigint', (row) => toTokens(row.cacheWrite)],
  output: ['bigint', (row) => toTokens(row.output)],
  tokens_before: ['bigint', (row) => toTokens(row.tokensBefore)],
  tokens_after: ['bigint', (row) => toTokens(row.tokensAfter)],
  compacted: ['boolean', (row) => row.compacted === true],
  overhead_ms: ['float8', (row) => (Number.isFinite(row.overheadMs) ? (row.overheadMs ?? null) : null)],
};

/** One statement for any number of rows: a list for each column. */
export function insertRows(quoted: string, rows: readonly UsageRow[]): { text: string; values: unknown[] } {
  const columns = Object.entries(COLUMNS);
  const lists = columns.map(([, [type]], i) => `$${i + 1}::${type}[]`);
  return {
    text: `insert into ${quoted}.usage (${columns.map(([name]) => name).join(', ')})
      select * from unnest(${lists.join(', ')}) on conflict do nothing`,
    values: columns.map(([, [, read]]) => rows.map(read)),
  };
}

/** The first days of the months that the rows are of, in UTC. */
export const monthsOf = (rows: readonly UsageRow[]): readonly string[] => [
  ...new Set(rows.map(({ at }) => `${toTime(at).slice(0, 7)}-01`)),
];
