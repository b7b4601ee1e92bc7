import type { UsageRow } from '@palimpsest/store-postgres';
import { connectOwner } from './postgres.ts';

let count = 0;

/** What some request used. */
export const newUsage = (about: Partial<UsageRow> = {}): UsageRow => ({
  id: `pr_${count++}`,
  tenant: 'acme',
  at: Date.UTC(2026, 10, 18, 12),
  session: 'conversation-1',
  upstream: 'anthropic',
  model: 'claude-sonnet-5',
  status: 200,
  input: 10,
  cacheRead: 100,
  cacheWrite: 1_000,
  output: 5,
  tokensBefore: 2_000,
  tokensAfter: 1_110,
  compacted: false,
  overheadMs: 4,
  ...about,
});

export const ownerOf = (connectionString: string) => connectOwner(new URL(connectionString).pathname.slice(1));

/** The tables of months that there are. */
export async function listMonths(connectionString: string): Promise<readonly string[]> {
  const { rows } = await ownerOf(connectionString).query(
    "select relname as name from pg_class where relkind = 'r' and relname like 'usage\\_%' order by 1",
  );
  return rows.map(({ name }) => String(name));
}
