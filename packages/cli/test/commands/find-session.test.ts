import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSession, text } from '@palimpsest/core';
import { writeClaudeCode } from '@palimpsest/formats';
import { fileStore } from '@palimpsest/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newFolder } from '../run-palimpsest.ts';
import { fixturePath } from './fixtures.ts';
import { hear } from './recording-terminal.ts';
import { workday } from './workday.ts';

const CLAUDE_ID = 'b8a609f7-1111-4111-8111-111111111111';
const CODEX_ID = '019ed893-2222-7222-8222-222222222222';
const OWN_ID = '20261118-185558-abcd';

/** A machine on which two agents and ours worked; the session of Codex is the oldest, ours the newest. */
describe('a session', () => {
  const home = mkdtempSync(join(tmpdir(), 'palimpsest-cli-'));
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  const environment = {
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    CODEX_HOME: join(home, '.codex'),
    XDG_CONFIG_HOME: home,
    XDG_DATA_HOME: home,
    PALIMPSEST_HOME: home,
  };
  const write = (file: string, content: string, minutesAgo: number): void => {
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, content);
    const at = Date.now() / 1000 - 60 * minutesAgo;
    utimesSync(file, at, at);
  };
  const claude = join(home, '.claude', 'projects', '-home-you-cipher-box', `${CLAUDE_ID}.jsonl`);

  beforeAll(async () => {
    write(claude, writeClaudeCode({ ...workday(), id: CLAUDE_ID, cwd: '/home/you/cipher-box' }), 10);
    const day = join(home, '.codex', 'sessions', '2026', '11', '01');
    write(
      join(day, `rollout-2026-11-01T10-00-00-${CODEX_ID}.jsonl`),
      readFileSync(fixturePath('codex.jsonl'), 'utf8'),
      20,
    );
    const stored = await fileStore({ dir: join(home, 'sessions') }).open(OWN_ID, {});
    const session = createSession({ window: 200_000, journal: stored.journal });
    session.append({ id: 'u1', role: 'user', origin: 'human', parts: [text('Keep the cents in src/money.ts.')] });
    session.append({ id: 'a1', role: 'assistant', origin: 'model', parts: [text('I keep them in src/money.ts.')] });
    await session.saved();
    await stored.journal.close();
  });

  const names = [
    ['its path', claude, 'claude'],
    ['its id', CLAUDE_ID, 'claude'],
    ['the beginning of its id', 'b8a6', 'claude'],
    ['its project', 'cipher-box', 'claude'],
    ['the id in a name that begins with a time', '019ed893', 'codex'],
    ['the id of a session of ours', OWN_ID, 'own'],
    ['the beginning of the id of a session of ours', '20261118', 'own'],
  ] as const;
  const commands = {
    audit: ['audit', '--json'],
    compact: ['compact', '--dry', '--json'],
    digest: ['digest', '--json'],
    handoff: ['handoff', '--json'],
    inspect: ['inspect', '--html', 'page.html', '--force'],
    recall: ['recall', 'src'],
    replay: ['replay', '--json', '--preset', 'default'],
  } as const;

  const hearAbout = async (command: keyof typeof commands, named: string | undefined, cwd = newFolder()) => {
    const [verb, ...flags] = commands[command];
    return hear([verb, ...(named === undefined ? [] : [named]), ...flags], { cwd, environment });
  };

  for (const command of Object.keys(commands) as (keyof typeof commands)[])
    it.each(names)(`is found by ${command} by %s`, async (_how, named, which) => {
      const { code, err } =
        command === 'recall'
          ? await hear(['recall', named, which === 'codex' ? 'blue' : 'src'], { environment })
          : await hearAbout(command, named);
      expect([code, err.split('\n').filter((line) => !line.includes(': '))]).toEqual([0, ['']]);
    });

  it.each(names)('is the one that is meant by %s', async (_how, named, which) => {
    const { out } = await hearAbout('digest', named);
    const { file, messages } = JSON.parse(out) as { readonly file: string; readonly messages: number };
    expect(file).toContain({ claude: CLAUDE_ID, codex: CODEX_ID, own: OWN_ID }[which]);
    if (which === 'own') expect(messages).toBe(2);
  });

  it('without a name is the newest on this machine, ours included, and which one it is, is said', async () => {
    for (const command of Object.keys(commands) as (keyof typeof commands)[]) {
      const { code, err } = await hearAbout(command, undefined);
      expect([command, code, err.includes(OWN_ID)]).toEqual([command, 0, true]);
    }
  });

  it('undo takes the newest of ours without a name', async () => {
    const { err } = await hear(['undo'], { environment });
    expect(err).not.toMatch(/missing|no session/);
  });

  it.each([
    ['b8a609f8', /did you mean b8a609f7-/],
    ['cypher-box', /did you mean .*cipher-box/],
    ['nothing-like-it', /no session, project or file "nothing-like-it", .*; palimpsest sessions lists them/],
  ])('that is not there is refused: %s', async (named, told) => {
    const { code, err } = await hearAbout('digest', named);
    expect(code).toBe(2);
    expect(err).toMatch(told);
  });
});

describe('what was perhaps meant', () => {
  it.each([
    ['audt', 'audit'],
    ['inspct', 'inspect'],
    ['recal', 'recall'],
  ])('%s: %s', async (wrong, right) => {
    const { code, err } = await hear([wrong]);
    expect(code).toBe(2);
    expect(err).toContain(`did you mean ${right}?`);
  });

  it('is not guessed from a word that is like none', async () => {
    expect((await hear(['frobnicate'])).err).not.toContain('did you mean');
  });
});

it.each([
  ['200k', 200_000],
  ['1m', 1_000_000],
  ['12.5K', 12_500],
  ['64000', 64_000],
])('--window %s is %d tokens', async (written, tokens) => {
  const { code, out } = await hear([
    'compact',
    fixturePath('claude-code.jsonl'),
    '--dry',
    '--json',
    '--window',
    written,
  ]);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ window: tokens });
});

it.each(['k', '0', '-5', '1.0001k', 'much'])('--window %s is refused', async (written) => {
  const { code, err } = await hear(['compact', fixturePath('claude-code.jsonl'), '--dry', `--window=${written}`]);
  expect(code).toBe(2);
  expect(err).toContain('such as 200000 or 200k');
});
