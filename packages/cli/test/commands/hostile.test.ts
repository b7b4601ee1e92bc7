import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSession } from '@palimpsest/core';
import { writeClaudeCode } from '@palimpsest/formats';
import { fileStore } from '@palimpsest/store';
import { oneLine, openWriter, type Sink } from '@palimpsest/terminal';
import { fastOrDeep, findObeyed, HOSTILE_TEXTS } from '@palimpsest/testing';
import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import { newProgress } from '../../src/printing/progress.ts';
import { newFolder, runPalimpsest } from '../run-palimpsest.ts';
import { type Heard, hear } from './recording-terminal.ts';
import { workday } from './workday.ts';

const hostile = Object.entries(HOSTILE_TEXTS);
const EVERY = fastOrDeep(4, 1);
const some = hostile.filter((_, i) => i % EVERY === 2 % EVERY);
const ALL = Object.values(HOSTILE_TEXTS).join(' ');

/** A file may be called anything but this. */
const nameOf = (evil: string): string => evil.replace(/[\0/]|\p{Surrogate}/gu, '').slice(0, 80);

/** What a reader needs as it is; all else may say anything. */
const FORM = /^(?:type|role|subtype|timestamp|stop_reason|level|userType|isSidechain|media_type)$/;

/** Every id, name, path, text and error of a recording with the text at its end. */
function poison(value: unknown, evil: string, key = ''): unknown {
  if (typeof value === 'string') return FORM.test(key) ? value : `${value}${evil}`;
  if (Array.isArray(value)) return value.map((one) => poison(one, evil, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, poison(one, evil, name)]));
}

function hostileRecording(evil: string): string {
  const lines = writeClaudeCode(workday())
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.stringify(poison(JSON.parse(line), evil)));
  const file = join(newFolder(), `a${nameOf(evil)}.jsonl`);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

const ID = '20260302-0900-abc';

/** A session of ours whose journal somebody else has written. */
async function hostileStore(evil: string): Promise<string> {
  const dir = join(newFolder(), nameOf(evil));
  const { journal } = await fileStore({ dir, fsync: 'never' }).open(ID);
  const session = createSession({ window: 6_000, journal });
  for (const { id: _, ...message } of workday().messages) {
    if (message.role === 'assistant') await session.view();
    // Who wrote it is the door's to check.
    session.append({ ...(poison(message, evil) as typeof message), origin: message.origin });
  }
  await session.compact();
  await session.saved();
  await journal.close();
  return dir;
}

/** With colours, and without the door: what is printed must be harmless before it gets there. */
const say = (words: readonly string[], environment: Record<string, string> = {}): Promise<Heard> =>
  hear(words, { paint: pc.createColors(true), environment });

const check = ({ out, err }: Heard, keepsLines = false): void => {
  expect(findObeyed(out, { keepsLines })).toEqual([]);
  // Complaints are put on one line by the terminal of the process.
  expect(findObeyed(oneLine(err))).toEqual([]);
};

describe.each(some)('of a foreign recording with %s', (_, evil) => {
  it('no command prints anything that a terminal obeys', async () => {
    const file = hostileRecording(evil);
    for (const words of [
      ['audit', file],
      ['audit', file, '--all'],
      ['audit', file, '--md'],
      ['cost', file],
      ['inspect', file, '--html', join(newFolder(), 'page.html'), '--audit'],
      ['audit', file, '--json'],
      ['replay', file, '--preset', 'default'],
      ['replay', file, '--preset', 'default', '--json'],
      ['compact', file, '--window', '6000', '--force', '--instructions', evil],
      ['compact', '--dry', '--all', file, '--window', '6000'],
      ['handoff', file],
      ['handoff', file, '--json'],
      ['compact', '--dry', file, '--window', '6000', '--json'],
      ['compact', file, '--window', '6000', '--force', '--to', 'pi'],
      ['compact', file, '--window', '6000', '--force', '--to', 'json', '--json'],
      ['recall', file, 'migrations'],
      ['recall', file, 'migrations', '--json'],
      ['digest', file, '--json'],
    ]) {
      const heard = await say(words);
      expect(heard.code, heard.err).toBe(0);
      expect(heard.out).not.toBe('');
      check(heard);
    }
    const read = JSON.parse((await say(['recall', file, 'migrations', '--json'])).out) as {
      matches: { message: string }[];
    };
    check(await say(['recall', file, read.matches[0]!.message]), true);
    check(await say(['digest', file]), true);
  });

  it('no command prints anything of a store, a folder or a switch that a terminal obeys', async () => {
    const dir = await hostileStore(evil);
    const home = newFolder();
    const project = join(home, 'projects', `p${nameOf(evil)}`);
    mkdirSync(project, { recursive: true });
    writeFileSync(join(project, `s${nameOf(evil)}.jsonl`), '{}\n');
    const environment = { CLAUDE_CONFIG_DIR: home, [`PALIMPSEST_X${evil}`]: evil, PALIMPSEST_TRIGGER_PERCENT: evil };
    for (const words of [
      ['sessions', '--dir', dir, '--all'],
      ['sessions', '--dir', dir, '--json'],
      ['doctor', '--dir', dir],
      ['doctor', '--dir', dir, '--json'],
      ['recall', ID, 'migrations', '--dir', dir],
      ['undo', ID, '--dir', dir],
      ['undo', ID, '--dir', dir, '--json'],
      ['undo', evil, '--dir', dir],
      ['recall', ID, `nowhere${evil}`, '--dir', dir],
      ['audit', `nowhere${evil}`],
      ['digest', dir],
      ['replay', `nowhere${evil}`],
      ['compact', `nowhere${evil}`],
      ['sample', '--window', evil],
      ['sim', '--port', evil],
      [`x${evil}`],
      ['help', `x${evil}`],
    ])
      check(await say(words, environment));
  });
});

it('as a process, nothing reaches a pipe or an error that a terminal obeys', async () => {
  const file = hostileRecording(ALL.replaceAll('\ud83d', '').replaceAll('\ude00', ''));
  for (const words of [
    ['recall', file, 'migrations'],
    ['audit', file],
    ['audit', `nowhere${nameOf(ALL)}`],
    [`x${nameOf(ALL)}`],
  ]) {
    const { out, err } = await runPalimpsest(words, { env: { FORCE_COLOR: '1' } });
    expect(out + err).not.toBe('');
    expect(findObeyed(out)).toEqual([]);
    expect(findObeyed(err)).toEqual([]);
  }
});

it.each(hostile)('nothing of what is under way is obeyed: %s', (_, evil) => {
  const heard: string[] = [];
  const stream = { isTTY: true, columns: 60, on: () => {}, write: (text: string) => heard.push(text) > 0 };
  const progress = newProgress(openWriter(stream as unknown as Sink, {}));
  progress.show(evil);
  progress.end();
  expect(heard).toHaveLength(2);
  expect(findObeyed(heard.join(''))).toEqual([]);
});
