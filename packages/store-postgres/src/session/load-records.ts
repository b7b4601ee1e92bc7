import type { JournalRecord } from '@palimpsest/core';
import { StoreError } from '@palimpsest/store';
import { decodeBody } from '@palimpsest/store/authors';
import type { Doing } from '../connection/database.ts';
import type { Tables } from './tables.ts';

/** Records come in pages of about this size, so that no statement grows with the session. */
const PAGE_BYTES = 8 << 20;
const MOST_A_PAGE = 5_000;

/** How much a session holds. */
export interface Extent {
  readonly head: number;
  readonly bytes: number;
}

const chooseLimit = ({ head, bytes }: Extent): number =>
  Math.min(MOST_A_PAGE, Math.max(1, Math.floor(PAGE_BYTES / Math.max(1, bytes / head))));

const pageText = ({ quoted }: Tables): string => `
  select seq, payload from ${quoted}.record
  where tenant = $1 and session = $2 and seq > $3 and seq <= $4 order by seq limit $5`;

/** Every record up to the head; throws where one is missing. */
export async function loadRecords(
  tables: Tables,
  id: string,
  name: string,
  extent: Extent,
  doing: Doing,
): Promise<readonly JournalRecord[]> {
  const records: JournalRecord[] = [];
  const { head } = extent;
  const limit = chooseLimit(extent);
  while (records.length < head) {
    const values = [tables.tenant, name, records.length, head, limit];
    const [page] = await tables.database.run([{ text: pageText(tables), values }], doing);
    const rows = page?.rows ?? [];
    for (const { seq, payload } of rows) {
      if (Number(seq) !== records.length + 1) throw missingRecord(id, records.length + 1);
      records.push(decodeBody(String(payload), `session "${id}", record ${seq}`));
    }
    if (rows.length === 0) throw missingRecord(id, records.length + 1);
  }
  return records;
}

const missingRecord = (id: string, seq: number): StoreError =>
  new StoreError(
    'corrupt',
    `session "${id}": record ${seq} is missing in the database. Nothing was changed; restore the table from a backup, or set the session's head_seq to ${seq - 1} to go on from there.`,
  );
