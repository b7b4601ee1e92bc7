import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSession, type JournalRecord, type Message, partText } from '@palimpsest/core';
import { fileStore } from '@palimpsest/store';
import { afterEach } from 'vitest';
import { currentView } from '../../src/loop/context-use.ts';
import { eventually } from './eventually.ts';
import { newFolder } from './launch.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const open: Terminal[] = [];
afterEach(async () => {
  for (const terminal of open.splice(0)) {
    terminal.kill();
    await terminal.ended;
  }
});

interface More {
  readonly home?: string;
  readonly environment?: Record<string, string>;
  readonly columns?: number;
  readonly rows?: number;
}

/** The agent in a folder, with its prompt ready; ended with the test. */
export async function terminalIn(root: string, words: readonly string[] = [], more: More = {}): Promise<Terminal> {
  const terminal = openTerminal(['--cwd', root, ...words], { home: newFolder(), ...more });
  open.push(terminal);
  await terminal.until('context left');
  return terminal;
}

/** The agent as `npm start` starts it: the choice stands on the screen. */
export async function startIn(home: string, environment: Record<string, string> = {}, rows = 34): Promise<Terminal> {
  const terminal = openTerminal([], { home, environment: { npm_lifecycle_event: 'start', ...environment }, rows });
  open.push(terminal);
  await terminal.until('q leaves');
  return terminal;
}

/** The line at the bottom says how it stands; the prompt is free again when no spinner is above it. */
export const idle = (terminal: Terminal): Promise<void> =>
  terminal.until(({ visible }) => {
    const shown = visible();
    return /context left/.test(shown.at(-1) ?? '') && !shown.some((line) => line.includes('· esc stops)'));
  });

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export const count = (text: string, words: string): number => text.split(words).length - 1;

/** The number that a command of the test has written into a file. */
export async function pidIn(root: string, name: string): Promise<number> {
  const file = join(root, name);
  await eventually(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'));
  return Number(readFileSync(file, 'utf8'));
}

/** A command that ends when the test writes a file. */
export const waitFor = (file: string): string => `until [ -e ${file} ]; do sleep 0.02; done`;

export async function recordsIn(home: string): Promise<readonly JournalRecord[]> {
  const store = fileStore({ dir: join(home, 'sessions') });
  const [session] = await store.list();
  return (await store.read(session!.id)).records;
}

export const messagesIn = (records: readonly JournalRecord[]): readonly Message[] =>
  records.flatMap((record) => (record.type === 'message' ? [record.message] : []));

export const wordsIn = (records: readonly JournalRecord[]): readonly string[] =>
  messagesIn(records)
    .filter(({ origin }) => origin === 'human')
    .map(({ parts }) => parts.map(partText).join('\n'));

/** What the model would see, made anew from what is on the disk. */
export const viewOnDisk = async (home: string, window: number): Promise<readonly Message[]> =>
  currentView(createSession({ window, records: await recordsIn(home) }));
