import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const PAGE = new URL('../../../docs/habits.md', import.meta.url);

it('every habit that the page says is here names a test that is there', () => {
  const rows = readFileSync(fileURLToPath(PAGE), 'utf8')
    .split('\n')
    .filter((line) => /^\| (?!habit|-|\*\*)/.test(line));
  const here = rows.filter((row) => /\| ✓ \[[^|]*\|$/.test(row));
  expect(rows.length).toBeGreaterThan(40);
  expect(readFileSync(fileURLToPath(PAGE), 'utf8')).toContain(`${here.length} of ${rows.length} are here.`);
  for (const row of here) {
    const [, file = '', title = ''] = /\]\(\.\.\/(packages\/[^)]+)\) “(.*)” \|$/.exec(row) ?? [];
    expect(title, row).not.toBe('');
    const source = readFileSync(fileURLToPath(new URL(`../../../${file}`, import.meta.url)), 'utf8');
    expect(source, row).toContain(`'${title}'`);
  }
});
