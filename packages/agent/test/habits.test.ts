import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8');

/** What opens a real pseudo-terminal, wherever a test calls it. */
const OPENS = /\b(?:terminalIn|startIn|openTerminal)\(/;

/** The helpers of a file that open one. */
const openersIn = (source: string): readonly string[] =>
  source
    .split(/^(?=(?:export )?(?:async )?(?:function|const) )/m)
    .flatMap((block) =>
      OPENS.test(block) ? (/^(?:export )?(?:async )?(?:function|const) (\w+)/.exec(block)?.[1] ?? []) : [],
    );

/** A test from its title to the next one's. */
function testIn(source: string, title: string): string {
  const [, body = ''] = source.split(`'${title}'`);
  return body.split(/^\s*it(?:\.\w+)*\(/m)[0] ?? '';
}

it('every habit that the page says is here names a test that is there, and that runs in a pseudo-terminal', () => {
  const page = read('docs/habits.md');
  const rows = page.split('\n').filter((line) => /^\| (?!habit|-|\*\*)/.test(line));
  const here = rows.filter((row) => /\| ✓ \[[^|]*\|$/.test(row));
  expect(rows.length).toBeGreaterThan(40);
  expect(page).toContain(`${here.length} of ${rows.length} are here.`);
  for (const row of here) {
    const [, file = '', title = ''] = /\]\(\.\.\/(packages\/[^)]+)\) “(.*)” \|$/.exec(row) ?? [];
    expect(title, row).not.toBe('');
    const source = read(file);
    expect(source, row).toContain(`'${title}'`);
    const opens = [OPENS.source, ...openersIn(source).map((name) => `\\b${name}\\(`)].join('|');
    expect(testIn(source, title), row).toMatch(new RegExp(opens));
  }
});
