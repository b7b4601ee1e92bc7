import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const run = promisify(execFile);
const READMES = ['README.md', 'README.zh.md'] as const;

const read = (name: string): string => readFileSync(`${root}${name}`, 'utf8');
const all = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, found]) => found!);

/** Fenced blocks, with their language in the first line. */
const blocksOf = (text: string): readonly string[] => all(text, /^```(.*?)^```$/gms);
const withoutBlocks = (text: string): string => text.replaceAll(/^```.*?^```$/gms, '');
/** Code within lines: commands, names of packages and options. */
const spansOf = (text: string): readonly string[] => all(withoutBlocks(text), /`([^`]+)`/g);
const linksOf = (text: string): readonly string[] => all(text, /\]\(([^)]+)\)/g);
/** Numbers, in whatever order a language has them. */
const figuresOf = (text: string): readonly string[] =>
  [...all(withoutBlocks(text).replaceAll(/\]\([^)]+\)/g, ']'), /(\d+(?:\.\d+)?)/g)].sort();
const commandsOf = (text: string): readonly string[] => [
  ...blocksOf(text)
    .filter((block) => block.startsWith('sh\n'))
    .flatMap((block) =>
      block
        .slice(3)
        .trim()
        .split(/ && |\n/),
    ),
  ...spansOf(text).filter((span) => /^(?:npm|npx) /.test(span)),
];

describe('README.zh.md tells what README.md tells', () => {
  const [english, chinese] = READMES.map(read) as [string, string];

  it('its blocks of code and commands are the same, letter by letter', () => {
    expect(blocksOf(chinese)).toEqual(blocksOf(english));
    expect(blocksOf(english).length).toBeGreaterThan(3);
    expect(commandsOf(chinese)).toEqual(commandsOf(english));
  });

  it('its code within lines, its figures and its links are the same, but for the link to the other one', () => {
    expect(spansOf(chinese)).toEqual(spansOf(english));
    expect(figuresOf(chinese)).toEqual(figuresOf(english));
    const others = (text: string): readonly string[] => linksOf(text).filter((link) => !link.startsWith('README'));
    expect(others(chinese)).toEqual(others(english));
    expect(linksOf(english)).toContain('README.zh.md');
    expect(linksOf(chinese)).toContain('README.md');
  });
});

describe('whatever either of them shows', () => {
  const distinct = (listOf: (text: string) => readonly string[]): readonly string[] => [
    ...new Set(READMES.flatMap((name) => listOf(read(name)))),
  ];

  it.each(distinct(linksOf))('leads somewhere: %s', (link) => {
    expect(existsSync(`${root}${link}`)).toBe(true);
  });

  it.each(distinct((text) => blocksOf(text).filter((block) => block.startsWith('ts\n'))))(
    'runs as it stands (block %#)',
    async (block) => {
      const words = ['--import', 'tsx', '--conditions=palimpsest-source', '--input-type=module', '-e', block.slice(3)];
      expect(await run(process.execPath, words, { cwd: root })).toEqual({ stdout: '', stderr: '' });
    },
  );

  it('is a command that there is', async () => {
    const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
    const help = await run(process.execPath, ['packages/cli/bin/palimpsest.mjs', '--help'], { cwd: root });
    const commands = distinct(commandsOf);
    expect(commands.length).toBeGreaterThan(6);
    for (const command of commands) {
      const [program, ...words] = command.replace(/^npm run /, 'npm ').split(' ');
      if (program === 'npm') expect(['install', ...Object.keys(scripts)], command).toContain(words[0]);
      else if (words[0] === 'palimpsest') expect(help.stdout, command).toMatch(new RegExp(`^ +${words[1]}\\b`, 'm'));
      else expect(existsSync(`${root}${words.at(-1)}`), command).toBe(true);
    }
  });
});

it('npm start, without a terminal, plays a sample session and ends', async () => {
  const child = run('npm', ['start', '--silent'], { cwd: root, env: { ...process.env, NO_COLOR: '1' } });
  child.child.stdin?.end();
  const { stdout } = await child;
  expect(stdout).toContain('palimpsest');
});
