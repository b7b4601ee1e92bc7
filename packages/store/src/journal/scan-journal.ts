import type { FileHandle } from 'node:fs/promises';
import type { JournalRecord } from '@palimpsest/core';
import { StoreError } from '../store-error.ts';
import { decodeRecord, FIRST_SUM, verifySum } from './journal-line.ts';

const CHUNK_BYTES = 1 << 20;
const NEWLINE = 0x0a;

export interface Scan {
  readonly records: readonly JournalRecord[];
  /** Where the last whole record ends. */
  readonly end: number;
  readonly sum: number;
  /** The last record is whole but for its newline. */
  readonly unended: boolean;
  /** Bytes of a record that a crash cut short. */
  readonly torn: Buffer;
}

/**
 * Reads every record, or throws and names the first bad one. Only bytes after the last newline may be incomplete:
 * appends are written front to back, so a crash can leave nothing else behind.
 */
export async function scanJournal(handle: FileHandle, file: string): Promise<Scan> {
  const records: JournalRecord[] = [];
  let end = 0;
  let sum = FIRST_SUM;

  const takeLine = (line: Buffer): boolean => {
    const next = verifySum(line, sum);
    if (next === undefined) return false;
    records.push(decodeRecord(line, { file, line: records.length + 1, offset: end }));
    sum = next;
    return true;
  };
  const throwCorrupt = (): never => {
    const at = { file, line: records.length + 1, offset: end };
    throw new StoreError(
      'corrupt',
      `${file}, line ${at.line} (byte ${at.offset}): the bytes are not those that were written. Nothing was changed; restore the file from a copy, or keep its first ${end} bytes to go on from there.`,
      at,
    );
  };

  let rest: Buffer[] = [];
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    const chunk = buffer.subarray(0, bytesRead);
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      const piece = chunk.subarray(from, at);
      const line = rest.length === 0 ? piece : Buffer.concat([...rest, piece]);
      rest = [];
      if (!takeLine(line)) throwCorrupt();
      end += line.length + 1;
      from = at + 1;
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  }

  const tail = Buffer.concat(rest);
  if (tail.length === 0) return { records, end, sum, unended: false, torn: tail };
  if (takeLine(tail)) return { records, end: end + tail.length, sum, unended: true, torn: tail.subarray(tail.length) };
  // A whole record with something else where its newline belongs was not cut short: it was damaged.
  if (verifySum(tail.subarray(0, -1), sum) !== undefined) throwCorrupt();
  return { records, end, sum, unended: false, torn: tail };
}
