// Plays the first minute of `npm start` in a pseudo-terminal and draws its screens: npm run docs:pictures
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { spawn } from '@lydell/node-pty';
import { drawScreen } from './draw-screen.ts';
import { screenModel } from './screen-model.ts';

const COLUMNS = 96;
const ROWS = 30;
const PROGRAM = fileURLToPath(new URL('../../../cli/bin/palimpsest.mjs', import.meta.url));
const FOLDER = fileURLToPath(new URL('../../../../docs/pictures/', import.meta.url));

const home = mkdtempSync(join(tmpdir(), 'palimpsest-picture-'));
const env = {
  PATH: process.env.PATH ?? '',
  PALIMPSEST_HOME: home,
  npm_lifecycle_event: 'start',
  TERM: 'xterm-256color',
};
const screen = screenModel(COLUMNS, ROWS);
const pty = spawn(process.execPath, [PROGRAM, 'agent'], { cols: COLUMNS, rows: ROWS, env });
pty.onData((data) => screen.write(data));

async function awaitLine(words: string): Promise<void> {
  while (!screen.visible().some((line) => line.includes(words))) await sleep(20);
}

const draw = (name: string, title: string): void => {
  const lines = screen
    .visible()
    .map((line) => line.replace(home, '~/.palimpsest').replace(process.cwd(), '~/palimpsest'));
  writeFileSync(`${FOLDER}${name}.svg`, drawScreen(title, lines, COLUMNS));
};

const doStep = async (step: number): Promise<void> => {
  await awaitLine(`step ${step} of 7`);
  pty.write('\t');
  while (screen.visible().some((line) => line.includes(`step ${step} of 7`))) await sleep(20);
  pty.write('\r');
  await awaitLine(`step ${step + 1} of 7`);
};

await awaitLine('q leaves');
draw('start', 'npm start: how do you want to begin?');
pty.write('\r');
for (const step of [1, 2, 3]) await doStep(step);
draw('compaction', 'The window is full: a compaction, and its receipt');
await doStep(4);
draw('recall', 'What was in coupons.ts? It is recalled');
await doStep(5);
draw('undo', 'Undo: the view is as it was before');
pty.kill();
rmSync(home, { recursive: true, force: true });
