import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeClaudeCode, writePi } from '@palimpsest/formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIXTURES, fixturePath } from './commands/fixtures.ts';
import { hear } from './commands/recording-terminal.ts';
import { workday } from './commands/workday.ts';
import { findRule, type Rule } from './doc-commands.ts';
import { newFolder, runPalimpsest } from './run-palimpsest.ts';
import { listTyped, pages, readText } from './shown-code.ts';

const shown = new Map<string, string>();
for (const page of pages) for (const command of listTyped(page)) if (!shown.has(command)) shown.set(command, page);

const ruled = [...shown].map(([command, page]) => ({ command, page, rule: findRule(command) }));
const isRun = (
  one: (typeof ruled)[number],
): one is (typeof ruled)[number] & { rule: Extract<Rule, { run: unknown }> } =>
  one.rule !== undefined && 'run' in one.rule;

/** Each once, by whatever name the program is called. */
const runs = [...new Map(ruled.filter(isRun).map(({ rule: { run } }) => [run.join(' '), run]))];

/** The folder that the pages speak of: recordings, a store with a session, a compacted file. */
let stage = '';
beforeAll(async () => {
  stage = mkdtempSync(join(tmpdir(), 'palimpsest-pages-'));
  writeFileSync(join(stage, 'workday.jsonl'), writeClaudeCode(workday()));
  writeFileSync(join(stage, 'workday-pi.jsonl'), writePi(workday()));
  for (const name of FIXTURES) copyFileSync(fixturePath(name), join(stage, name));
  mkdirSync(join(stage, 'home'));
  for (const words of [
    ['sample', '--keep', 'kept'],
    ['compact', 'workday.jsonl', '--window', '8000', '--to', 'json', '--out', 'NAME.compacted.json'],
  ])
    expect(await runPalimpsest(words, { cwd: stage })).toMatchObject({ code: 0 });
});
afterAll(() => rmSync(stage, { recursive: true, force: true }));

describe('every command that a page shows', () => {
  it('is run here, or somebody says why not and where else', () => {
    expect(shown.size).toBeGreaterThan(150);
    expect(ruled.filter(({ rule }) => rule === undefined).map(({ command, page }) => `${page}: ${command}`)).toEqual(
      [],
    );
    expect(runs.length).toBeGreaterThan(50);
  });

  it('that is run elsewhere is run in a file that speaks of it', () => {
    const wrong = ruled.flatMap(({ command, rule }) => {
      if (rule === undefined || 'run' in rule || rule.by === undefined) return [];
      const [file, words] = rule.by;
      return readText(file).includes(words) ? [] : [`${command}: ${file} has no ${words}`];
    });
    expect(wrong).toEqual([]);
  });

  it.each(runs)('palimpsest %s', async (_, words) => {
    const cwd = join(newFolder(), 'shop');
    cpSync(stage, cwd, { recursive: true });
    if (words.includes('--keep')) rmSync(join(cwd, 'kept'), { recursive: true });
    const ran =
      words[0] === 'agent' || words[0] === 'sample'
        ? await runPalimpsest(words, { cwd, env: { HOME: join(cwd, 'home') } })
        : await hear(
            words.map((word) => (existsSync(join(cwd, word)) ? join(cwd, word) : word)),
            {
              cwd,
              environment: { HOME: join(cwd, 'home') },
            },
          );
    expect(ran.code, ran.err).toBe(0);
    expect(ran.out).not.toBe('');
  });
});
