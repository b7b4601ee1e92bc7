import { spawn } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileStore } from '@palimpsest/store';
import { describe, expect, it } from 'vitest';
import { eventually } from './support/eventually.ts';
import { isAlive, pidIn } from './support/in-terminal.ts';
import { newFolder, newShop, plainEnvironment, programWords, run } from './support/launch.ts';
import { testProvider } from './support/provider.ts';
import { runInside } from './support/run-inside.ts';
import { openTerminal } from './support/terminal.ts';

const NOBODY = 65_534;

/** Root may read and write everything; that others may not can only be seen as somebody else. */
async function asNobody<Result>(work: () => Promise<Result>): Promise<Result> {
  if (process.getuid?.() !== 0) return work();
  process.seteuid!(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid!(0);
  }
}

describe('bad input', () => {
  it.each([
    [{ provider: 'acme', prompts: ['x'] }, 2, /no provider "acme"/],
    [{ provider: 'gemini', prompts: ['x'] }, 2, /GEMINI_API_KEY/],
    [
      { baseUrl: 'http://127.0.0.1:9', model: 'm', prompts: ['x'] },
      2,
      /window of "m" is not known: pass it as --window/,
    ],
    [{ resume: 'nothing', prompts: ['x'] }, 2, /no session "nothing"/],
    [{ cwd: '/nowhere', prompts: ['x'] }, 2, /no folder/],
    [{ json: true }, 2, /--json goes with -p/],
    [{ resume: true }, 2, /no terminal here: say what is to be done with -p/],
    [{ window: 500, prompts: ['x'] }, 2, /window of 500 tokens is too small.* use \d+ or more/],
    [
      { baseUrl: 'http://miller:hopper@127.0.0.1:9', model: 'm', prompts: ['x'] },
      2,
      /holds no name and password: put the key into OPENAI_API_KEY/,
    ],
    [{ prompts: [''] }, 2, /-p needs words/],
  ] as const)('%j ends with %i and says what to do', async (options, code, why) => {
    const ran = await runInside(options, { home: newFolder() });
    expect(ran.stderr).toMatch(why);
    expect(ran.stderr.trim().split('\n').length).toBeLessThan(4);
    expect(ran.stderr).not.toContain('hopper');
    expect(ran.code).toBe(code);
  });

  it('a wrong key ends with 3, a provider that is away with 4, and the session on disk is whole', async () => {
    const provider = await testProvider(() => ({ status: 401, body: { error: { message: 'no such key' } } }));
    const home = newFolder();
    const root = newFolder();
    const asked = { cwd: root, model: 'm', window: 20_000, prompts: ['hello'] };
    const environment = { OPENAI_API_KEY: 'wrong' };
    const refused = await runInside({ ...asked, baseUrl: provider.url }, { home, environment });
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringMatching(/check OPENAI_API_KEY \(no such key\)/) });
    const away = await runInside({ ...asked, baseUrl: 'http://127.0.0.1:9' }, { home });
    expect(away).toMatchObject({ code: 4, stderr: expect.stringMatching(/http:\/\/127\.0\.0\.1:9 cannot be reached/) });
    const store = fileStore({ dir: join(home, 'sessions') });
    const kept = await store.list();
    expect(kept).toHaveLength(2);
    for (const { id } of kept) expect(JSON.stringify((await store.read(id)).records)).toContain('"hello"');
  });

  it('a folder that may not be read ends with 2', async () => {
    const root = newFolder();
    chmodSync(root, 0o000);
    const ran = await asNobody(() => runInside({ cwd: root, prompts: ['x'] }, { home: newFolder() }));
    expect(ran).toEqual({
      code: 2,
      stdout: '',
      stderr: `palimpsest: ${root} cannot be read: mend its permissions, or pass --cwd DIR.\n`,
    });
  });

  it('a place where sessions may not be written ends with 5, in words', async () => {
    const [root, home] = [newFolder(), newFolder()];
    chmodSync(root, 0o755);
    chmodSync(home, 0o555);
    const ran = await asNobody(() => runInside({ cwd: root, prompts: ['hello'] }, { home }));
    expect(ran).toMatchObject({ code: 5, stdout: '' });
    expect(ran.stderr).toMatch(/^palimpsest: the session could not be saved: .*(?:permission|EACCES)/im);
  });

  it('an output that cannot be written ends with 5, in one line, and the session is whole', async () => {
    const [root, home] = [newFolder(), newFolder()];
    const ran = await run(['--cwd', root, '-p', 'remember: never touch the weir'], { home, before: 'exec >/dev/full' });
    expect(ran.code).toBe(5);
    expect(ran.stderr).toMatch(/^palimpsest: the output could not be written: .*\npalimpsest: the session is whole/);
    const on = await runInside({ cwd: root, resume: true, prompts: ['what must you never touch?'] }, { home });
    expect(on.stdout).toContain('never touch the weir');
  });

  it('a key never reaches the output, the session or an export, though a server, a command and a file show it', async () => {
    const key = 'not-a-real-key-0123456789';
    const asks = ['env', 'cat .env'];
    const provider = await testProvider((_, number) =>
      number <= asks.length
        ? { calls: [{ id: `c${number}`, tool: 'bash', input: { command: asks[number - 1] } }] }
        : { status: 401, body: { error: { message: `the key ${key} is not known` } } },
    );
    const [root, home] = [newFolder(), newFolder()];
    writeFileSync(join(root, '.env'), `OPENAI_API_KEY=${key}\n`);
    const words = ['--cwd', root, '--model', 'm', '--window', '40000', '--base-url', provider.url, '--allow'];
    const environment = { OPENAI_API_KEY: key };
    const ran = await run([...words, '--json', '-p', 'show me all'], { home, environment });
    const exports = ['/export all.md', '/export all.json'];
    const again = {
      cwd: root,
      model: 'm',
      window: 40_000,
      baseUrl: provider.url,
      resume: true,
      prompts: exports,
    } as const;
    const exported = await runInside(again, { home, environment });
    expect(ran.code).toBe(3);
    expect(exported.code, exported.stderr).toBe(0);
    expect(provider.asked[0]!.headers.authorization).toBe(`Bearer ${key}`);
    const [session] = await fileStore({ dir: join(home, 'sessions') }).list();
    const kept = readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    const all = [ran, exported].flatMap(({ stdout, stderr }) => [stdout, stderr]);
    for (const name of ['all.md', 'all.json']) all.push(readFileSync(join(root, name), 'utf8'));
    expect(session).toBeDefined();
    expect(kept.join('')).toContain('OPENAI_API_KEY=[OPENAI_API_KEY]');
    expect(ran.stdout).toContain('check OPENAI_API_KEY (the key [OPENAI_API_KEY] is not known)');
    for (const text of [...kept, ...all]) expect(text).not.toContain(key);
  });

  it('a terminal that cannot be drawn on is told so, and one without colours gets none', async () => {
    const dumb = openTerminal([], { home: newFolder(), environment: { TERM: 'dumb' } });
    await dumb.until('cannot be drawn on');
    expect(await dumb.ended).toBe(2);
    expect(dumb.raw()).toBe('palimpsest: this terminal cannot be drawn on (TERM=dumb): use -p "…", or set TERM.\r\n');
    const plain = openTerminal(['--cwd', newFolder()], { home: newFolder(), environment: { NO_COLOR: '1' } });
    await plain.until('context left');
    plain.ctrl('d');
    expect(await plain.ended).toBe(0);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what colours are told with
    expect(plain.raw()).not.toMatch(/\u001b\[[\d;]*m/);
  });

  it('a full disk ends with 5; the session is whole and goes on when there is room', async () => {
    const root = await newShop(30);
    const home = newFolder();
    const full = await run(['--cwd', root, '-p', 'read every file in src'], {
      home,
      before: "trap '' XFSZ; ulimit -f 8",
    });
    expect(full.stderr).toMatch(/no room left/);
    expect(full.code).toBe(5);
    const on = await runInside({ cwd: root, resume: true, prompts: ['continue'] }, { home });
    expect(on.code, on.stderr).toBe(0);
    expect(on.stdout).toContain('I have read all 30 files in src');
  });

  it('a pipe that is closed ends it with 141, and the session is whole', async () => {
    const root = await newShop(60);
    const home = newFolder();
    const ran = await run(['--cwd', root, '--json', '-p', 'read every file in src'], { home, hearChars: 2_000 });
    expect(ran.code).toBe(141);
    const on = await runInside({ cwd: root, resume: true, prompts: ['what did I ask first?'] }, { home });
    expect(on.stdout).toBe('First you said: “read every file in src”\n');
  });

  it('SIGINT stops the step at hand with all it started and ends with 130; the session goes on', async () => {
    const [root, home] = [newFolder(), newFolder()];
    const child = spawn(
      process.execPath,
      programWords([
        '--cwd',
        root,
        '--allow',
        '-p',
        'run `trap "" TERM; echo $$ > pid; sleep 60 & wait`',
        '-p',
        'help',
      ]),
      { env: plainEnvironment({ PALIMPSEST_HOME: home }), stdio: 'ignore' },
    );
    const ended = new Promise((resolve) => child.on('exit', resolve));
    const pid = await pidIn(root, 'pid');
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    await eventually(() => !isAlive(-pid));
    const on = await runInside({ cwd: root, resume: true, prompts: ['what did I ask last?'] }, { home });
    expect(on.stdout).toMatch(/^Before this you said: “run `trap/);
  });

  it('a session that another process writes is not touched', async () => {
    const home = newFolder();
    const root = newFolder();
    await runInside({ cwd: root, prompts: ['help'] }, { home });
    const store = fileStore({ dir: join(home, 'sessions') });
    const [session] = await store.list();
    const { journal } = await store.open(session!.id);
    const ran = await run(['--cwd', root, '--resume', '-p', 'x'], { home });
    await journal.close();
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringMatching(/is held by process \d+/) });
  });
});
