import { crc32 } from 'node:zlib';
import { type JournalRecord, parseRecord } from '@palimpsest/core';
import { type AboutStoreError, StoreError } from '../store-error.ts';

/**
 * A line is the record's JSON with one field more at its end, `sum`: the CRC-32 of every byte before that field,
 * continued from the sum of the line before. So a changed byte, a lost line and a line in the wrong place are all seen,
 * every prefix of whole lines is itself a valid journal, and any JSON reader can still read the file.
 */
const SUM_BYTES = ',"sum":"00000000"}'.length;
const SUM = /^,"sum":"([0-9a-f]{8})"}$/;

export const FIRST_SUM = 0;

/** The record's JSON, checked by reading it back: what cannot be loaded must never be written. */
export function encodeRecord(record: JournalRecord): string {
  let body: string;
  try {
    body = JSON.stringify(record);
    parseRecord(JSON.parse(body));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new StoreError('bad-record', `this record could not be read back, so it was not written: ${why}`, { cause });
  }
  return body;
}

export function makeLine(body: string, before: number): { readonly bytes: Buffer; readonly sum: number } {
  const head = body.slice(0, -1);
  const sum = crc32(head, before);
  return { bytes: Buffer.from(`${head},"sum":"${sum.toString(16).padStart(8, '0')}"}\n`), sum };
}

/** The sum of a whole line (without its newline); undefined where the line is not whole. */
export function verifySum(line: Buffer, before: number): number | undefined {
  const stated = SUM.exec(line.toString('latin1', Math.max(0, line.length - SUM_BYTES)))?.[1];
  if (stated === undefined) return undefined;
  const sum = crc32(line.subarray(0, line.length - SUM_BYTES), before);
  return sum === Number.parseInt(stated, 16) ? sum : undefined;
}

/** The record of a line whose sum was found right. */
export const decodeRecord = (line: Buffer, at: { file: string; line: number; offset: number }): JournalRecord =>
  decodeBody(
    `${line.toString('utf8', 0, line.length - SUM_BYTES)}}`,
    `${at.file}, line ${at.line} (byte ${at.offset})`,
    at,
  );

/** The record of what `encodeRecord` gave. `where` is told to people where it cannot be read. */
export function decodeBody(body: string, where: string, about: AboutStoreError = {}): JournalRecord {
  try {
    const value: unknown = JSON.parse(body);
    const version = typeof value === 'object' && value !== null && 'v' in value ? value.v : undefined;
    if (typeof version === 'number' && version !== 1)
      throw new StoreError(
        'unsupported-version',
        `${where}: the record has version ${version}, this store reads version 1. Nothing was changed; open it with the newer Palimpsest that wrote it.`,
        about,
      );
    return parseRecord(value);
  } catch (cause) {
    if (cause instanceof StoreError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new StoreError('corrupt', `${where} is not a record: ${why} Nothing was changed.`, { ...about, cause });
  }
}
