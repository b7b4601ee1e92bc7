import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assistant, createSession, user } from '@palimpsest/core';
import { answerRequest } from '@palimpsest/inspector';
import { fileStore } from '@palimpsest/store';
import { describe, expect, it } from 'vitest';
import { followFile } from '../../src/inspect/follow-file.ts';
import { openInspected } from '../../src/inspect/open-inspected.ts';
import { newFolder, runPalimpsest } from '../run-palimpsest.ts';
import { FIXTURES, fileOf, fixturePath, workdayFile } from './fixtures.ts';
import { hear } from './recording-terminal.ts';
import { startPalimpsest } from './start-palimpsest.ts';

const embeddedIn = (file: string) => {
  const [, data] = /id="embedded">(.*?)<\/script>/s.exec(readFileSync(file, 'utf8')) ?? [];
  return JSON.parse(data ?? '{}') as {
    readonly inspection: { readonly title: string; readonly courses: readonly { readonly name: string }[] };
  };
};

describe('inspect --html', () => {
  it.each(FIXTURES)('%s becomes one file', async (name) => {
    const out = join(newFolder(), 'page.html');
    const { code } = await hear(['inspect', fixturePath(name), '--html', out]);
    expect(code).toBe(0);
    expect(embeddedIn(out).inspection.courses.map((course) => course.name)).toEqual(['recording']);
  });

  it('holds the courses of the presets that were named, and says how large it is', async () => {
    const out = join(newFolder(), 'page.html');
    const { out: told } = await hear([
      'inspect',
      workdayFile(),
      '--html',
      out,
      '--preset',
      'default,s08',
      '--window',
      '8000',
    ]);
    expect(told).toMatch(/Written .*page\.html \(\d+.*19 model calls, 1 compaction/);
    const names = embeddedIn(out).inspection.courses.map((course) => course.name);
    expect(names).toEqual(['recording', 'default 8000', 's08 8000']);
  });

  it('is for its owner alone, and writes over nothing unless told to', async () => {
    const out = join(newFolder(), 'page.html');
    await hear(['inspect', workdayFile(), '--html', out]);
    expect(statSync(out).mode & 0o077).toBe(0);
    expect((await hear(['inspect', workdayFile(), '--html', out])).code).toBe(2);
    expect((await hear(['inspect', workdayFile(), '--html', out, '--force'])).code).toBe(0);
  });

  it('reads a session of ours by its id', async () => {
    const folder = newFolder();
    expect((await runPalimpsest(['sample', '--keep', folder])).code).toBe(0);
    const out = join(folder, 'page.html');
    const { code } = await hear(['inspect', 'sample', '--dir', folder, '--window', '16000', '--html', out]);
    expect(code).toBe(0);
    expect(embeddedIn(out).inspection).toMatchObject({ title: 'sample', format: 'palimpsest' });
  });

  it('parents in a circle are no way to hang it', async () => {
    const line = (uuid: string, parentUuid: string, role: string): string =>
      JSON.stringify({
        type: role,
        uuid,
        parentUuid,
        sessionId: 's',
        timestamp: '2026-03-02T09:00:00Z',
        message: { role, content: uuid },
      });
    const file = fileOf('circle.jsonl', `${line('a', 'b', 'user')}\n${line('b', 'a', 'assistant')}\n`);
    const out = join(newFolder(), 'page.html');
    expect((await hear(['inspect', file, '--html', out])).code).toBe(0);
  });

  it('what is no session is told in one line', async () => {
    const { code, err } = await hear(['inspect', fileOf('notes.txt', 'milk, eggs'), '--html', 'page.html']);
    expect(code).toBe(1);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });
});

it('inspect of a stored session takes back the compaction that was meant, for whoever comes first', async () => {
  const dir = newFolder();
  const stored = await fileStore({ dir }).open('kept', {});
  const session = createSession({ window: 30_000, journal: stored.journal });
  for (let turn = 0; turn < 3; turn++) {
    for (let i = 0; i < 6; i++) {
      session.append(user(`Go on with part ${turn}.${i}. ${'More of it. '.repeat(200)}`));
      session.append(assistant(`Part ${turn}.${i} is done. ${'It was long. '.repeat(200)}`));
    }
    await session.compact();
  }
  await session.saved();
  await stored.journal.close();
  const standing = session.receipts().map(({ walk }) => walk);
  expect(standing.length).toBeGreaterThan(1);
  const { signal } = new AbortController();
  const served = followFile(openInspected({ type: 'own', id: 'kept' }, { dir, environment: {}, signal }));
  const undo = async (walk: number | undefined) => {
    const headers = { host: 'localhost', 'x-palimpsest-key': 'key' };
    const asked = new Request(`http://localhost/undo?walk=${walk}`, { method: 'POST', headers });
    return (await answerRequest(asked, served, { key: 'key' })).status;
  };
  const tell = async () => (await served.inspector()).inspection;
  const { undoable } = await tell();
  expect(undoable).toBe(standing.at(-1));
  expect(await Promise.all([undo(undoable), undo(undoable)])).toEqual([200, 409]);
  await expect.poll(async () => (await tell()).undoable).toBe(standing.at(-2));
  const [course] = (await tell()).courses;
  expect(course?.cliffs.filter(({ undoneAt }) => undoneAt !== undefined).map(({ walk }) => walk)).toEqual([undoable]);
});

interface Told {
  readonly title: string;
  readonly messages: { readonly ids: readonly string[] };
}

it('inspect serves the page under a key until Ctrl-C, and what it shows follows the file', async () => {
  const file = workdayFile();
  const { child, ran, said } = startPalimpsest(['inspect', file, '--no-open']);
  const [address = ''] = (await said('Ctrl-C')).split('\n');
  const url = new URL(address);
  expect(url.hostname).toBe('127.0.0.1');
  const key = url.searchParams.get('key') ?? '';
  const ask = async (): Promise<Told> =>
    (await (await fetch(new URL('/inspection', url), { headers: { 'x-palimpsest-key': key } })).json()) as Told;
  const before = await ask();
  expect(before.title).toBe('workday.jsonl');
  const events = (await fetch(new URL(`/events?key=${key}`, url))).body!.getReader();
  await events.read();
  const told = events.read();
  // The watch may not have seen the file as it was: it is changed until that is told.
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  let isTold = false;
  void told.finally(() => {
    isTold = true;
  });
  for (let least = 2; !isTold; least = 5 - least) {
    writeFileSync(file, `${lines.slice(0, -least).join('\n')}\n`);
    await new Promise((later) => setTimeout(later, 1_500));
  }
  expect(new TextDecoder().decode((await told).value)).toContain('event: changed');
  expect((await ask()).messages.ids.length).toBeLessThan(before.messages.ids.length);
  expect(await (await fetch(url)).text()).toContain('<div id="app">');
  child.kill('SIGINT');
  expect(await ran).toMatchObject({ code: 0, err: '' });
});
