import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type SessionRecord, writeClaudeCode, writePi } from '@palimpsest/formats';
import { newFolder } from '../run-palimpsest.ts';
import { workday } from './workday.ts';

const FORMATS = fileURLToPath(new URL('../../../formats/test/fixtures/', import.meta.url));

/** A recording of every format there is, two of some. */
export const FIXTURES: readonly string[] = readdirSync(FORMATS)
  .filter((name) => /\.jsonl?$/.test(name))
  .sort();

export const fixturePath = (name: string): string => join(FORMATS, name);

/** A file of its own in a folder of its own, which is gone after the test. */
export function fileOf(name: string, content: string | Buffer): string {
  const file = join(newFolder(), name);
  writeFileSync(file, content);
  return file;
}

export const copyOf = (fixture: string): string => fileOf(fixture, readFileSync(fixturePath(fixture)));

export const workdayFile = (record: SessionRecord = workday()): string =>
  fileOf('workday.jsonl', writeClaudeCode(record));
export const workdayInPi = (record: SessionRecord = workday()): string => fileOf('workday-pi.jsonl', writePi(record));
