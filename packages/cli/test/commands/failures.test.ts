import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Message } from '@palimpsest/core';
import { readSession, type SessionRecord, writeClaudeCode } from '@palimpsest/formats';
import { describe, expect, it } from 'vitest';
import { systemFailure } from '../../src/files/system-failure.ts';
import { newFolder, PALIMPSEST, runPalimpsest } from '../run-palimpsest.ts';
import { fileOf, workdayFile } from './fixtures.ts';
import { hear } from './recording-terminal.ts';
import { startPalimpsest } from './start-palimpsest.ts';
import { RULE, workday } from './workday.ts';

const READERS = ['digest', 'compact', 'audit', 'replay'] as const;

describe('a file that is no session', () => {
  it.each(READERS)('%s: a foreign file is refused with code 1, and says what was looked for', async (command) => {
    for (const content of ['hello\n', '{"a":1}\n', '[1,2]', '<html>']) {
      const file = fileOf('foreign', content);
      const { code, out, err } = await hear([command, file]);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err.trim().split('\n')).toHaveLength(1);
      expect(err).toContain(file);
      for (const agent of ['claude-code', 'codex', 'opencode', 'pi', 'openhands']) expect(err).toContain(agent);
    }
  });

  it.each(READERS)(
    '%s: a file that is not there, is empty, or is a folder is one clear line and code 1',
    async (command) => {
      const folder = newFolder();
      const empty = fileOf('empty.jsonl', '');
      for (const file of [join(folder, 'nowhere.jsonl'), empty, folder, join(empty, 'below')]) {
        const { code, out, err } = await hear([command, file]);
        expect({ code, out }).toEqual({ code: 1, out: '' });
        expect(err.trim().split('\n')).toHaveLength(1);
      }
    },
  );

  it('whatever its name holds, is told on one line without what a terminal would obey', async () => {
    const { code, err } = await runPalimpsest(['digest', 'no\n\u001b[31msuch file']);
    expect(code).toBe(2);
    expect(err).toMatch(/^palimpsest: there is no session, project or file "no.*such file"/);
    expect([err.trimEnd().includes('\n'), err.includes('\u001b')]).toEqual([false, false]);
  });

  it('a JSON document that was cut short says so', async () => {
    const { code, err } = await hear(['digest', fileOf('s.json', '[{"role":"user","content":"hal')]);
    expect(code).toBe(1);
    expect(err).toMatch(/not whole/);
  });
});

describe('a session that is still being written', () => {
  it.each(['digest', 'audit', 'compact'])(
    '%s reads it up to its half-written last line, and says so',
    async (command) => {
      const whole = writeClaudeCode(workday());
      const cut = whole.slice(0, whole.lastIndexOf('\n', whole.length - 2) + 60);
      const { code, out, err } = await runPalimpsest([command, fileOf('live.jsonl', cut)], { cwd: newFolder() });
      expect(code).toBe(0);
      expect(out.length).toBeGreaterThan(0);
      expect(err).toMatch(/half-written/);
    },
  );

  it('with a call that nobody has answered yet can be compacted and read back', async () => {
    const record = workday();
    const cut: SessionRecord = { ...record, messages: record.messages.slice(0, 2), usage: [], compactions: [] };
    const file = workdayFile(cut);
    expect((await hear(['compact', file], { cwd: dirname(file) })).code).toBe(0);
    const back = readSession(readFileSync(join(dirname(file), 'workday.compacted.jsonl')));
    expect(JSON.stringify(back.viewAt(9))).toContain(RULE);
  });
});

describe('what the system refuses', () => {
  it.each([
    ['EACCES', /no permission to write/],
    ['EROFS', /no permission to write/],
    ['ENOSPC', /no room left/],
    ['EDQUOT', /no room left/],
    ['ENOENT', /folder is not there/],
    ['EIO', /could not be written.*EIO/],
  ])('%s is told in words that name the file', (code, told) => {
    const error = systemFailure(Object.assign(new Error(`${code}: failed`), { code }), 'write', '/x/y.jsonl');
    expect(error.message).toMatch(told);
    expect(error.message).toContain('/x/y.jsonl');
  });

  it('a result that finds no room leaves no file behind, is one line and code 1', async () => {
    const file = workdayFile();
    // The limit is the process's own, in blocks of 512 bytes: less than the result has.
    const script = `ulimit -f 24; exec "${process.execPath}" "${PALIMPSEST}" compact "${file}"`;
    const { status, stderr } = spawnSync('sh', ['-c', script], {
      encoding: 'utf8',
      env: { ...process.env, TSX_DISABLE_CACHE: '1' },
    });
    expect(status).toBe(1);
    expect(stderr).toMatch(/no room left/);
    expect(readdirSync(dirname(file))).toEqual(['workday.jsonl']);
  });

  it('a folder for the result that is not there is one line and code 1', async () => {
    const { code, err } = await hear(['compact', workdayFile(), '--out', join(newFolder(), 'no', 'where.jsonl')]);
    expect(code).toBe(1);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it('a store that is a file is one line and code 1', async () => {
    const dir = fileOf('file', '');
    for (const words of [['sessions'], ['undo', 'x'], ['recall', 'x', 'y']]) {
      const { code, err } = await hear([...words, '--dir', dir]);
      expect(code).toBe(1);
      expect(err.trim().split('\n')).toHaveLength(1);
    }
  });
});

/** The workday many times over: enough work to be interrupted in. */
function longDays(): SessionRecord {
  const day = workday();
  const messages = Array.from({ length: 60 }, (_, n) =>
    day.messages.map(
      (message): Message => ({ ...message, id: `${message.id}-${n}`, at: message.at! + n * 86_400_000 }),
    ),
  ).flat();
  return { ...day, messages, usage: [], compactions: [] };
}

describe('Ctrl-C', () => {
  it.each([
    ['replay', []],
    ['compact', ['--window', '8000', '--out', 'OUT']],
  ])('in the middle of %s ends it with code 130, quietly, and leaves nothing behind', async (command, args) => {
    const folder = newFolder();
    const pipe = join(folder, 'session.jsonl');
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    const out = join(folder, 'result.jsonl');
    const { child, ran } = startPalimpsest([command, pipe, ...args.map((word) => (word === 'OUT' ? out : word))]);
    // Opening the pipe waits for the command to open it; once all is read, the work begins.
    const handle = await open(pipe, 'w');
    await handle.writeFile(writeClaudeCode(longDays()));
    await handle.close();
    child.kill('SIGINT');
    expect(await ran).toEqual({ code: 130, out: '', err: '' });
    expect(existsSync(out)).toBe(false);
    expect(readdirSync(folder)).toEqual(['session.jsonl']);
  });
});

describe('a pipe that nobody reads any more', () => {
  it.each([
    ['digest', ['--max-tokens', '20000']],
    ['audit', []],
    ['replay', ['--preset', 'default']],
  ])('is no error of %s', async (command, args) => {
    const { code, err } = await runPalimpsest([command, workdayFile(), ...args], {
      onFirstWords: (child) => child.stdout!.destroy(),
    });
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });

  it('closed from the start is no error either', async () => {
    const { child, ran } = startPalimpsest(['digest', workdayFile()]);
    child.stdout!.destroy();
    const { code, err } = await ran;
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });
});

describe('output that cannot be written', () => {
  it.each([['digest'], ['audit'], ['replay']])('%s: no room is one line on stderr and code 1', (command) => {
    const folder = newFolder();
    // No file of this process may grow, so the output meets what a full disk would answer.
    const script = `ulimit -f 0; exec "${process.execPath}" "${PALIMPSEST}" ${command} "${workdayFile()}" > "${join(folder, 'out')}"`;
    const { status, stderr } = spawnSync('sh', ['-c', script], {
      encoding: 'utf8',
      env: { ...process.env, TSX_DISABLE_CACHE: '1' },
    });
    expect(status).toBe(1);
    expect(stderr).toBe('palimpsest: no room left on the disk for the output: make room and try again\n');
  });
});

describe('what cannot be meant', () => {
  it.each([
    [['digest']],
    [['digest', 'a', 'b']],
    [['digest', 'a', '--max-chars', '63']],
    [['digest', 'a', '--max-tokens', '15']],
    [['help', 'nothing']],
    [['compact', 'x', '--to', 'word']],
    [['compact', 'x', '--preset', 'mine']],
    [['compact', 'x', '--window', '-3']],
    [['replay']],
    [['recall', 'x']],
    [['undo']],
    [['sessions', 'x']],
    [['doctor', '--fast']],
  ])('%j is refused with code 2 and nothing on stdout', async (words) => {
    const { code, out, err } = await hear(words);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^palimpsest: [^\n]+\n$/);
  });

  it.each(['sample', 'compact', 'digest', 'audit', 'replay', 'recall', 'undo', 'sessions', 'doctor', 'sim'])(
    '%s --help shows an example and ends with code 0',
    async (command) => {
      const { code, out, err } = await hear([command, '--help']);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toMatch(new RegExp(`Examples?:\\n {2}palimpsest ${command}`));
      expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
    },
  );

  it('a missing argument is answered with where to look', async () => {
    const { err } = await hear(['run']);
    expect(err).toMatch(/^palimpsest: missing required argument '\w+'; palimpsest run --help has an example\n$/);
  });

  it('a misspelt option is answered with what was perhaps meant, on the same line', async () => {
    const { err } = await hear(['digest', 'x', '--max-tokns', '3']);
    expect(err).toBe("palimpsest: unknown option '--max-tokns' (Did you mean --max-tokens?)\n");
  });

  it('in the environment is refused with code 2', async () => {
    const { code, err } = await hear(['replay', workdayFile()], { environment: { PALIMPSEST_WINDOW: 'large' } });
    expect(code).toBe(2);
    expect(err).toContain('PALIMPSEST_WINDOW');
  });
});
