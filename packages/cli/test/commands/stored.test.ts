import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  assistant,
  call,
  createSession,
  dropOldestRounds,
  type Message,
  result,
  results,
  summarizeHistory,
  user,
} from '@palimpsest/core';
import { writeClaudeCode } from '@palimpsest/formats';
import { fileStore } from '@palimpsest/store';
import { describe, expect, it } from 'vitest';
import { newFolder, runPalimpsest } from '../run-palimpsest.ts';
import { FIXTURES, fileOf, fixturePath, workdayFile } from './fixtures.ts';
import { hear } from './recording-terminal.ts';
import { FORGOTTEN, workday } from './workday.ts';

const ID = '20260302-0900-abc';

/** A session of ours on disk that was compacted on the way. */
async function stored(): Promise<{ dir: string; journal: string; walks: number; ref: string; hidden: Message }> {
  const dir = newFolder();
  const { journal, stash } = await fileStore({ dir, fsync: 'never' }).open(ID);
  const session = createSession({
    window: 6_000,
    layers: [summarizeHistory(), dropOldestRounds()],
    journal,
    ports: { stash },
  });
  for (const message of workday().messages) {
    if (message.role === 'assistant') await session.view();
    session.append(message);
  }
  await session.compact();
  await session.saved();
  await journal.close();
  const receipts = session.receipts();
  const ref = receipts.at(-1)!.lines.find((line) => line.kind === 'messages')!.refs[0]!;
  const [first] = session.recall.read(ref).messages;
  return {
    dir,
    journal: join(dir, ID, 'journal.jsonl'),
    walks: receipts.length,
    ref,
    hidden: first!,
  };
}

const loaded = async (dir: string) =>
  createSession({ window: 6_000, records: (await fileStore({ dir }).read(ID)).records });

describe('recall', () => {
  it('that finds nothing says so with code 1, and as data an empty list', async () => {
    const { code, out, err } = await hear(['recall', workdayFile(), 'zyzzyva', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ matches: [] });
    expect(err).toContain('zyzzyva');
  });

  it('finds words in a session of ours, with the message and the reference that hides it', async () => {
    const { dir } = await stored();
    const { code, out } = await hear(['recall', ID, FORGOTTEN.identifier, '--dir', dir, '--json']);
    expect(code).toBe(0);
    const { matches } = JSON.parse(out) as { matches: { message: string; ref?: string; line: string }[] };
    const [found] = matches.filter(({ ref }) => ref !== undefined);
    expect(found!.line).toContain(FORGOTTEN.identifier);
    expect(found!.ref).toMatch(/^e\d+$/);
    const read = await hear(['recall', ID, found!.ref!, '--dir', dir]);
    expect(read.out).toContain(FORGOTTEN.identifier);
  });

  it('reads by reference and by message id, as a process of its own', async () => {
    const { dir, ref, hidden } = await stored();
    const byRef = await runPalimpsest(['recall', ID, ref, '--dir', dir]);
    expect(byRef).toMatchObject({ code: 0, err: '' });
    expect(byRef.out).toContain(hidden.id);
    const byId = await hear(['recall', ID, hidden.id, '--dir', dir]);
    expect(byId.code).toBe(0);
    expect(byId.out.trim()).not.toBe('');
  });

  it('takes the beginning of an id where only one session begins so', async () => {
    const { dir } = await stored();
    expect((await hear(['recall', '20260302', 'rounding', '--dir', dir])).code).toBe(0);
    await (await fileStore({ dir }).open('20260302-other')).journal.close();
    const { code, err } = await hear(['recall', '20260302', 'rounding', '--dir', dir]);
    expect(code).toBe(2);
    expect(err).toMatch(/2 sessions begin/);
  });

  it.each(FIXTURES)('searches and reads the recording %s', async (name) => {
    const file = fixturePath(name);
    const found = await hear(['recall', file, 'e', '--json', '--limit', '1']);
    const { matches } = JSON.parse(found.out) as { matches: { message: string }[] };
    expect(matches).toHaveLength(1);
    expect((await hear(['recall', file, matches[0]!.message])).code).toBe(0);
  });

  it('shows no more matches than --limit, best first, page by page', async () => {
    const find = async (...flags: readonly string[]): Promise<{ message: string; text: string; at: number }[]> =>
      JSON.parse((await hear(['recall', workdayFile(), FORGOTTEN.identifier, '--json', ...flags])).out).matches;
    const all = await find('--limit', '4');
    expect(all).toHaveLength(4);
    expect(all[0]!.text).toContain(FORGOTTEN.identifier);
    expect([...(await find('--limit', '2')), ...(await find('--limit', '2', '--page', '2'))]).toEqual(all);
    const newest = Math.max(...all.map(({ at }) => at));
    for (const { at } of await find('--until', new Date(newest).toISOString())) expect(at).toBeLessThan(newest);
  });

  it('searches what one tool did, or what was done with one file', async () => {
    const { matches } = JSON.parse((await hear(['recall', workdayFile(), 'test', '--tool', 'Bash', '--json'])).out) as {
      matches: { tool: string }[];
    };
    expect(new Set(matches.map(({ tool }) => tool))).toEqual(new Set(['Bash']));
    expect((await hear(['recall', workdayFile(), 'test', '--since', 'noon'])).err).toMatch(/must be a date/);
  });

  it.each([
    [['zyzzyva'], 1],
    [['e9999'], 1],
    [['test', '--tool', 'nosuch', '--since', '2020-01-01'], 1],
    [['word '.repeat(9_000)], 1],
    [[' '], 2],
  ])('of %j ends with code %i and one line', async (query, wanted) => {
    const { code, out, err } = await hear(['recall', workdayFile(), ...query]);
    expect({ code, out }).toEqual({ code: wanted, out: '' });
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(err.length).toBeLessThan(500);
  });

  it('that finds nothing says to what it was confined', async () => {
    const { err } = await hear(['recall', workdayFile(), 'test', '--tool', 'nosuch', '--since', '2020-01-01']);
    expect(err).toContain('without --tool and --since');
  });

  it('of a folder says that it is one', async () => {
    const cwd = newFolder();
    mkdirSync(join(cwd, 'projects'));
    const { code, out, err } = await runPalimpsest(['recall', 'projects', 'x', '--dir', cwd], { cwd });
    expect({ code, out, err }).toEqual({
      code: 2,
      out: '',
      err: 'palimpsest: projects is a folder: name a file in it\n',
    });
  });

  it('shows a result without the colours in it', async () => {
    const red = assistant([call('c', 'Bash', { command: 'make' })]);
    const said = [
      user('Go.'),
      red,
      results([result('c', '\u001b[31mError: boom\u001b[0m in \u001b[1mreadFile\u001b[22m')]),
    ];
    const messages = said.map((one, i) => ({ ...one, id: `m${i}`, origin: one.origin! }));
    const file = fileOf('red.jsonl', writeClaudeCode({ ...workday(), messages, compactions: [] }));
    expect((await hear(['recall', file, 'boom'])).out).toContain('Error: boom in readFile');
  });

  it('in a session that is nowhere ends with code 2 and says where it looked', async () => {
    const dir = newFolder();
    const { code, err } = await hear(['recall', 'nowhere', 'x', '--dir', dir]);
    expect(code).toBe(2);
    expect(err).toContain(dir);
  });
});

describe('undo', () => {
  it('takes back the newest walk, and no other, for whoever opens the session next', async () => {
    const { dir, walks } = await stored();
    const before = (await loaded(dir)).receipts();
    const { code, out, err } = await runPalimpsest(['undo', ID, '--dir', dir]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('summarize-history');
    const after = await loaded(dir);
    expect(after.receipts()).toHaveLength(walks - 1);
    expect(after.receipts()).toEqual(before.slice(0, -1));
    expect(after.transcript()).toHaveLength(workday().messages.length);
  });

  it('only ever appends to the journal', async () => {
    const { dir, journal } = await stored();
    const before = readFileSync(journal, 'utf8');
    await hear(['undo', ID, '--dir', dir, '--json']);
    expect(readFileSync(journal, 'utf8').startsWith(before)).toBe(true);
  });

  it('ends with code 1 when nothing is left to take back', async () => {
    const { dir, walks } = await stored();
    for (let i = 0; i < walks; i++) expect((await hear(['undo', ID, '--dir', dir])).code).toBe(0);
    const { code, err } = await hear(['undo', ID, '--dir', dir]);
    expect(code).toBe(1);
    expect(err).toMatch(/no compaction stands/);
  });

  it('makes no session where there is none', async () => {
    const dir = newFolder();
    expect((await hear(['undo', 'nobody', '--dir', dir])).code).toBe(2);
    expect(await fileStore({ dir }).list()).toEqual([]);
  });

  it('of a session that another process writes ends with code 1, names it, and changes nothing', async () => {
    const { dir, journal } = await stored();
    const before = readFileSync(journal);
    const { journal: held } = await fileStore({ dir }).open(ID);
    const { code, err } = await runPalimpsest(['undo', ID, '--dir', dir]);
    await held.close();
    expect(code).toBe(1);
    expect(err).toContain(String(process.pid));
    expect(readFileSync(journal).equals(before)).toBe(true);
  });
});

describe('sessions', () => {
  const home = (): { HOME: string; environment: Record<string, string> } => {
    const folder = newFolder();
    const write = (path: string): void => {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), '{}\n');
    };
    write('.claude/projects/-shop/5b0c5f3e.jsonl');
    write('.claude/projects/-shop/agent-17.jsonl');
    write('.codex/sessions/2026/03/02/rollout-2026-03-02.jsonl');
    write('.pi/agent/sessions/--shop--/2026_x.jsonl');
    write('.gemini/tmp/shop/chats/session-2026.json');
    write('.copilot/session-state/ab/events.jsonl');
    write('.local/share/opencode/opencode.db');
    write('.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1/api_conversation_history.json');
    return { HOME: folder, environment: { HOME: folder } };
  };

  it('lists ours and finds those of other agents by themselves', async () => {
    const { dir } = await stored();
    const { HOME } = home();
    const env = { HOME, XDG_CONFIG_HOME: '', XDG_DATA_HOME: '', CODEX_HOME: '', CLAUDE_CONFIG_DIR: '' };
    const { code, out, err } = await runPalimpsest(['sessions', '--dir', dir, '--json'], { env });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const { ours, agents } = JSON.parse(out) as {
      ours: { id: string }[];
      agents: { agent: string; sessions: { file: string }[] }[];
    };
    expect(ours.map(({ id }) => id)).toEqual([ID]);
    expect(agents.map(({ agent, sessions }) => [agent, sessions.length])).toEqual([
      ['Claude Code', 1],
      ['Codex', 1],
      ['pi', 1],
      ['Gemini CLI', 1],
      ['Copilot CLI', 1],
      ['opencode', 1],
      ['Cline', 1],
    ]);
    for (const { sessions } of agents) for (const { file } of sessions) expect(file.startsWith(HOME)).toBe(true);
  });

  it('of a machine without any says so', async () => {
    const HOME = newFolder();
    const { code, out } = await runPalimpsest(['sessions'], {
      env: { HOME, XDG_CONFIG_HOME: '', XDG_DATA_HOME: '', PALIMPSEST_HOME: '' },
    });
    expect(code).toBe(0);
    expect(out).toContain(join(HOME, '.palimpsest', 'sessions'));
    expect(out).toMatch(/No sessions of other agents/);
  });

  it('are looked for in $PALIMPSEST_HOME/sessions', async () => {
    const { dir } = await stored();
    const { out } = await hear(['sessions', '--json'], { environment: { PALIMPSEST_HOME: join(dir, '..') } });
    expect((JSON.parse(out) as { folder: string }).folder).toBe(join(dir, '..', 'sessions'));
  });
});

describe('doctor', () => {
  interface Checkup {
    readonly well: boolean;
    readonly findings: readonly { readonly what: string; readonly state: string; readonly detail: string }[];
  }
  const examine = async (
    dir: string,
    environment: Record<string, string> = {},
  ): Promise<Checkup & { code: number }> => {
    const { code, out } = await hear(['doctor', '--dir', dir, '--json'], { environment });
    return { code, ...(JSON.parse(out) as Checkup) };
  };

  it('of a machine that is well ends with code 0 and makes nothing', async () => {
    const folder = join(newFolder(), 'not', 'there');
    const { code, well } = await examine(folder);
    expect({ code, well }).toEqual({ code: 0, well: true });
    expect((await examine((await stored()).dir)).code).toBe(0);
  });

  it('names a journal that was damaged, and ends with code 1', async () => {
    const { dir, journal } = await stored();
    const bytes = readFileSync(journal);
    bytes[200] = bytes[200]! ^ 1;
    writeFileSync(journal, bytes);
    const { code, well, findings } = await examine(dir);
    expect({ code, well }).toEqual({ code: 1, well: false });
    expect(findings.find(({ state }) => state === 'bad')!.detail).toContain(journal);
  });

  it('tells of half a record at the end, of torn bytes, and of who holds a session', async () => {
    const { dir, journal } = await stored();
    const { journal: held } = await fileStore({ dir }).open(ID);
    writeFileSync(join(dir, ID, 'torn-12-abc'), 'x');
    appendFileSync(journal, '{"v":1,"type":"mess');
    const { code, findings } = await examine(dir);
    appendFileSync(journal, '');
    const details = findings.filter(({ state }) => state === 'note').map(({ detail }) => detail);
    expect(code).toBe(0);
    expect(details).toHaveLength(3);
    expect(details.some((detail) => detail.includes(String(process.pid)))).toBe(true);
    expect(details.some((detail) => detail.includes('torn-12-abc'))).toBe(true);
    expect(details.some((detail) => detail.includes('half-written'))).toBe(true);
    await held.close();
  });

  it('names a switch that cannot be meant, and one that is none', async () => {
    const { code, findings } = await examine(newFolder(), { PALIMPSEST_WINDOW: 'large', PALIMPSEST_WINDWO: '1' });
    expect(code).toBe(1);
    expect(findings.find(({ state }) => state === 'bad')!.detail).toContain('PALIMPSEST_WINDOW');
    expect(findings.find(({ state }) => state === 'note')!.detail).toContain('PALIMPSEST_WINDWO');
  });

  it('says where a folder is needed and a file stands', async () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    expect((await examine(file)).code).toBe(1);
  });
});
