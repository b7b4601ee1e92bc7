import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hear } from './commands/recording-terminal.ts';
import { listCode, pages, root } from './shown-code.ts';

interface Shown {
  readonly page: string;
  readonly words: readonly string[];
}

/** The words behind a beginning, up to a comment or a next command. */
const listShown = (beginning: RegExp): readonly Shown[] =>
  pages.flatMap((page) =>
    listCode(page)
      .filter((code) => beginning.test(code))
      .map((code) => ({ page, words: cutCommand(code.replace(beginning, '')) })),
  );

const cutCommand = (code: string): readonly string[] =>
  (code.split(/\s(?:#|&&|\||>|;|\()/)[0] ?? '').trim().split(/\s+/).filter(Boolean);

describe('every command that a page shows', () => {
  it('of npm is a script there is, and a bench there is', () => {
    const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { scripts: Record<string, string> };
    const benches = readFileSync(`${root}packages/bench/src/main.ts`, 'utf8');
    const shown = listShown(/^npm run /);
    expect(shown.length).toBeGreaterThan(20);
    for (const { page, words } of shown) {
      const [script = '', , bench] = words;
      expect(Object.keys(scripts), page).toContain(script);
      if (script === 'bench' && bench !== undefined && bench !== 'NAME')
        expect(benches, page).toContain(`  ${bench}: async`);
    }
  });

  it('of palimpsest is a command there is, with options it has', async () => {
    const { out: all } = await hear(['--help']);
    const helps = new Map<string, string>();
    const shown = listShown(/^(?:npx )?(?:@palimpsest\/cli|palimpsest) (?=[a-z])/);
    expect(shown.length).toBeGreaterThan(20);
    for (const { page, words } of shown) {
      const [command = ''] = words;
      expect(all, `${page}: palimpsest ${words.join(' ')}`).toMatch(new RegExp(`^ +${command}\\b`, 'm'));
      const help = helps.get(command) ?? (await hear([command, '--help'])).out;
      helps.set(command, help);
      // What stands behind the name of a client is the client's.
      const own = command === 'run' ? words.slice(0, 1) : words;
      for (const option of own.flatMap((word) => /^\[?(--[a-z-]+)/.exec(word)?.[1] ?? []))
        expect(help, `${page}: palimpsest ${words.join(' ')}`).toContain(option);
    }
  });
});

/** What GitHub calls the heading of a section: a link in it is its words. */
const slugOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

it('every link of a page to a file or a section of it leads somewhere', () => {
  const broken = pages.flatMap((page) => {
    const text = readFileSync(`${root}${page}`, 'utf8')
      .replace(/^```.*?^```$/gms, '')
      .replace(/`[^`\n]*`/g, '');
    // One that is never closed takes what stands behind it for its own: no file is called so.
    return [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].flatMap(([link, path = '', section]) => {
      const file = path === '' ? `${root}${page}` : resolve(dirname(`${root}${page}`), path);
      if (!existsSync(file)) return [`${page}: ${link}`];
      if (section === undefined || !file.endsWith('.md')) return [];
      const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
        slugOf(heading),
      );
      return headings.includes(section) ? [] : [`${page}: ${link}`];
    });
  });
  expect(broken).toEqual([]);
});
