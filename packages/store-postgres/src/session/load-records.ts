import type { JournalRecord } from '@palimpsest/core';
import { StoreError } from '@palimpsest/store';
import { decodeBody } from '@palimpsest/store/authors';
import type { Doing } from '../connection/database.ts';
import type { Tables } from './tables.ts';

/** Records come in pages, so that no statement grows with the session. */
const PAGE = 256;

const pageText = ({ quoted }: Tables): string => `
  select seq, payload from ${quoted}.record
  where tenant = $1 and session = $2 and seq > $3 and seq <= $4 order by seq limit ${PAGE}`;

/** Every record up to the head; throws where one is missing. */
export async function loadRecords(
  tables: Tables,
  id: string,
  name: string,
  head: number,
  doing: Doing,
): Promise<readonly JournalRecord[]> {
  const records: JournalRecord[] = [];
  while (records.length < head) {
    const values = [tables.tenant, name, records.length, head];
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
