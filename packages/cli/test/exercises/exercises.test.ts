import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { PALIMPSEST } from '../run-palimpsest.ts';
import { writeExercises } from './write-exercises.ts';

const PAGE = fileURLToPath(new URL('../../../../docs/exercises.md', import.meta.url));

/** The folder's own name is part of what is counted: it makes a token more or less, and no page old. */
const comparable = (page: string): string =>
  page.replace(/[\d,]+ → [\d,]+ tokens/g, '… → … tokens').replace(/[\d,]+ tokens in,/g, '… tokens in,');

it('docs/exercises.md is what the exercises of s08 and the flow of OpenCode print today (npm run docs:exercises)', async () => {
  const page = await writeExercises(PALIMPSEST);
  expect(comparable(readFileSync(PAGE, 'utf8'))).toBe(comparable(page));
  const parts = page.split(/^## /m);
  // Each shows what it is about.
  expect(parts[1]).toMatch(/◆ Compacted \(automatic\).*\n {2}clear-old-results +hid 1 result of read_file/);
  expect(parts[2]).toMatch(
    /stash-large-results +hid \d+ results of read_file .* · saved|stash-large-results +hid \d+ results/,
  );
  expect(parts[3]).toMatch(/◆ Compacted \(automatic\).*\n(?: {2}.*\n)* {2}summarize-history/);
  expect(parts[3]).toContain('“remember: never touch the weir”');
  expect(parts[3]).toContain('◆ Compacted (the provider refused the request as too long)');
  expect(parts[4]).toMatch(/clear-old-results +hid 2 results of read_file/);
  expect(parts[4]).toContain('◆ Compacted (the provider refused the request as too long)');
});
