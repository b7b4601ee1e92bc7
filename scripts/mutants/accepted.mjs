import { readFileSync } from 'node:fs';

const PAGE = new URL('./accepted.json', import.meta.url);
const squeeze = (code) => code.replaceAll(/\s+/g, ' ').trim();

const FIELDS = ['file', 'code', 'original', 'replacement'];

/**
 * A mutant by what it changes, not by where: its file, the source line on which it starts, the code that goes and the
 * code that comes. It stays the same when lines move.
 */
export const identify = (mutant) => FIELDS.map((field) => squeeze(mutant[field])).join(' | ');

/** Survivors that were looked at and left, each with the reason: a map from what identifies it to the reason. */
export function readAccepted() {
  const entries = JSON.parse(readFileSync(PAGE, 'utf8'));
  for (const entry of entries)
    for (const field of [...FIELDS, 'reason'])
      if (typeof entry[field] !== 'string' || (field === 'reason' && entry.reason.trim() === ''))
        throw new Error(`accepted.json: an entry of ${entry.file} has no ${field}`);
  return new Map(entries.map((entry) => [identify(entry), entry.reason]));
}
