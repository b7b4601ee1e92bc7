import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { partText, resultsOf } from '@palimpsest/core';
import { fileStore } from '@palimpsest/store';
import { describe, expect, it } from 'vitest';
import { eventually } from './support/eventually.ts';
import {
  count,
  idle,
  isAlive,
  messagesIn,
  pidIn,
  recordsIn,
  terminalIn,
  viewOnDisk,
  waitFor,
  wordsIn,
} from './support/in-terminal.ts';
import { newFolder, newShop } from './support/launch.ts';
import { page } from './support/started.ts';
import { openTerminal } from './support/terminal.ts';
import { transcriptOf } from './support/transcript.ts';

const golden = (name: string): string => `golden/${name}.txt`;

describe('in a real terminal', () => {
  it('a newcomer sees what this is, and what to try', async () => {
    const root = newFolder();
    const terminal = await terminalIn(root);
    terminal.enter('what can you do?');
    await terminal.until('I am the offline model of this agent');
    await idle(terminal);
    terminal.enter('/help');
    await terminal.until('/compact [--dry]');
    terminal.ctrl('d');
    expect(await terminal.ended).toBe(0);
    await terminal.until('--resume');
    await expect(transcriptOf(terminal.screen, { [root]: 'FOLDER' })).toMatchFileSnapshot(golden('newcomer'));
  });

  it('a pasted page of 60,000 characters is one message, whole, whatever its line ends', async () => {
    const home = newFolder();
    const terminal = await terminalIn(newFolder(), [], { home });
    const lines = Array.from({ length: 1_000 }, (_, i) => `line ${i} ${'of a long page '.repeat(4)}é日`);
    terminal.type(`\u001b[200~remember: ${lines.join('\r\n')}\u001b[201~`);
    await terminal.until('+1000 lines');
    terminal.type('\r');
    await terminal.until('Noted');
    expect(wordsIn(await recordsIn(home))).toEqual([`remember: ${lines.join('\n')}`]);
  });

  it('after a resize everything above is as it was, and the bottom is drawn once, wrapped to the new width', async () => {
    const root = newFolder();
    writeFileSync(join(root, 'notes.txt'), 'the mill\nthe weir\n');
    const terminal = await terminalIn(root, ['--allow']);
    terminal.enter('read notes.txt');
    await terminal.until('the weir');
    await idle(terminal);
    const typed = 'what did I ask first? and this is a long line, so that it has to be wrapped';
    terminal.type(typed);
    await terminal.until((screen) => screen.visible().includes(`> ${typed}`));
    terminal.resize(40, 15);
    await terminal.until((screen) => screen.visible().includes('> what did I ask first? and this is a'));
    expect(terminal.screen.visible()).toContain('  long line, so that it has to be wrap');
    terminal.resize(100, 30);
    await terminal.until((screen) => screen.visible().includes(`> ${typed}`));
    terminal.ctrl('u');
    await terminal.until((screen) => screen.visible().at(-2) === '>');
    terminal.resize(60, 12);
    await terminal.until((screen) => / · offline · \/help$/.test(screen.visible().at(-1)!));
    terminal.enter('what did I ask first? then find where the miller keeps the key of the weir');
    await terminal.until('does not occur');
    await idle(terminal);
    terminal.resize(120, 40);
    await terminal.until((screen) => /compacts at [\d,]+ · \/help$/.test(screen.visible().at(-1)!));
    expect(terminal.screen.visible()[terminal.screen.cursor().row]).toBe('>');
    await expect(transcriptOf(terminal.screen, { [root]: 'FOLDER' })).toMatchFileSnapshot(golden('resize'));
  });

  it('resized while it works, it shows everything once, and one bottom', async () => {
    const root = await newShop(40);
    const terminal = await terminalIn(root);
    terminal.enter('read every file in src');
    await terminal.until('Files 7 to 12 of 40');
    terminal.resize(50, 20);
    await terminal.until('Files 19 to 24 of 40');
    terminal.resize(120, 40);
    await terminal.until('I have read all 40 files in src');
    await idle(terminal);
    // What was on its way when the size changed may stand there twice; nothing may be missing or out of order.
    const shown = terminal.screen.all();
    const batches = new Set([...shown.matchAll(/^Files (\d+) to/gm)].map(([, first]) => Number(first)));
    expect([...batches]).toEqual([1, 7, 13, 19, 25, 31, 37]);
    expect(
      new Set([...shown.matchAll(/● read_file \d+ files \(\d+ lines\): (\S+)/g)].map(([, first]) => first)).size,
    ).toBe(7);
    expect(count(terminal.screen.visible().join('\n'), 'context left')).toBe(1);
    expect(terminal.screen.visible()[terminal.screen.cursor().row]).toBe('>');
  });

  it('Ctrl-C during a tool ends all that it started, keeps what it said, and the agent goes on', async () => {
    const root = newFolder();
    const home = newFolder();
    const terminal = await terminalIn(root, ['--allow'], { home });
    terminal.enter('run `echo begun; (echo $$ > shell; exec sh -c "echo \\$\\$ > child; sleep 60") & wait`');
    const pids = [await pidIn(root, 'shell'), await pidIn(root, 'child')];
    await terminal.until('· esc stops)');
    terminal.ctrl('c');
    await terminal.until('Interrupted; everything said and seen so far is kept.');
    for (const pid of pids) await eventually(() => !isAlive(pid));
    await idle(terminal);
    terminal.enter('what did I ask first?');
    await terminal.until('First you said: “run `echo begun');
    await idle(terminal);
    await expect(transcriptOf(terminal.screen, { [root]: 'FOLDER' })).toMatchFileSnapshot(golden('ctrl-c-tool'));
    expect(messagesIn(await recordsIn(home)).map(({ origin }) => origin)).toEqual([
      'human',
      'model',
      'tool',
      'harness',
      'human',
      'model',
    ]);
    terminal.ctrl('c');
    await terminal.until('ctrl-c once more ends');
    terminal.ctrl('c');
    expect(await terminal.ended).toBe(0);
  });

  it('what is typed while it works waits, is shown, and is delivered once and in order', async () => {
    const root = newFolder();
    const home = newFolder();
    const terminal = await terminalIn(root, ['--allow'], { home });
    const first = `run \`${waitFor('go')}\``;
    terminal.enter(first);
    await terminal.until('· esc stops)');
    terminal.enter('what did I ask first?');
    terminal.enter('remember: never touch the weir');
    terminal.enter('/undo');
    await terminal.until((screen) =>
      ['  waits: what did I ask first?', '  waits: remember: never touch the weir', '  waits: /undo'].every((line) =>
        screen.visible().includes(line),
      ),
    );
    writeFileSync(join(root, 'go'), '');
    await terminal.until('There is no compaction to take back.');
    await idle(terminal);
    await expect(transcriptOf(terminal.screen, { [root]: 'FOLDER' })).toMatchFileSnapshot(golden('queued-input'));
    expect(wordsIn(await recordsIn(home))).toEqual([first, 'what did I ask first?', 'remember: never touch the weir']);
  });

  it('/undo brings back the very view that a compaction found', async () => {
    const [root, home] = [newFolder(), newFolder()];
    mkdirSync(join(root, 'src'));
    for (const name of 'abcdefgh') writeFileSync(join(root, `src/${name}.txt`), page(name, 60));
    const terminal = await terminalIn(root, ['--window', '40000'], { home });
    terminal.enter('read every file in src');
    await terminal.until('I have read all 8');
    await idle(terminal);
    const before = await viewOnDisk(home, 40_000);
    terminal.enter('/compact');
    await terminal.until(/Compacted \(as you asked\): ([\d,]+) → ([\d,]+) tokens/);
    const [, large, small] = /Compacted \(as you asked\): ([\d,]+) → ([\d,]+) tokens/.exec(terminal.screen.all())!;
    await terminal.until((screen) => screen.visible().at(-1)!.includes(` ${small} tokens`));
    await idle(terminal);
    expect(await viewOnDisk(home, 40_000)).not.toEqual(before);
    terminal.enter('/undo');
    await terminal.until(`Taken back: ${small} → ${large} tokens`);
    await terminal.until((screen) => screen.visible().at(-1)!.includes(` ${large} tokens`));
    await expect.poll(() => viewOnDisk(home, 40_000), { timeout: 30_000 }).toEqual(before);
    await expect(transcriptOf(terminal.screen, { [root]: 'FOLDER' })).toMatchFileSnapshot(golden('undo'));
  });

  it('killed with -9 in the middle of a tool, the session is listed, mended and goes on', async () => {
    const root = newFolder();
    const home = newFolder();
    const first = await terminalIn(root, ['--allow'], { home });
    first.enter('remember: never touch the weir');
    await first.until('Noted:');
    await idle(first);
    first.enter('run `echo $$ > pid; sleep 60`');
    const pid = await pidIn(root, 'pid');
    first.kill('SIGKILL');
    await first.ended;
    await eventually(() => !isAlive(pid));

    const second = await terminalIn(root, [], { home });
    second.enter('/resume');
    await second.until('remember: never touch the weir');
    await idle(second);
    const id = /(\d{8}-\d{6}-\w{6}-\w{4}) .*\n +remember/.exec(second.screen.all())![1]!;
    second.enter(`/resume ${id}`);
    await second.until('Mended: 1 call that was in flight got no result.');
    await second.until('You said last:');
    second.enter('what must you never touch?');
    await second.until('“remember: never touch the weir”\n');
    await idle(second);
    await expect(transcriptOf(second.screen, { [root]: 'FOLDER' })).toMatchFileSnapshot(golden('kill-and-resume'));
  });

  it('killed with -9 while it reads, everything that the screen had shown is on the disk, and the work goes on', async () => {
    const root = await newShop(60);
    const home = newFolder();
    const first = await terminalIn(root, [], { home });
    first.enter('read every file in src');
    await first.until('Files 25 to 30 of 60');
    first.kill('SIGKILL');
    await first.ended;
    const shown = [...first.screen.all().matchAll(/● read_file (\d+) files/g)].reduce(
      (sum, [, n]) => sum + Number(n),
      0,
    );
    expect(shown).toBeGreaterThanOrEqual(24);
    const records = await recordsIn(home);
    expect(wordsIn(records)).toEqual(['read every file in src']);
    expect(messagesIn(records).flatMap(resultsOf).length).toBeGreaterThan(shown);

    const second = await terminalIn(root, ['--resume'], { home });
    second.enter('continue');
    await second.until('I have read all 60 files in src');
    await idle(second);
    const read = messagesIn(await recordsIn(home))
      .flatMap((message) => message.parts.map(partText))
      .flatMap((text) => /^(src\/\S+) \(lines/.exec(text)?.[1] ?? []);
    expect(new Set(read).size).toBe(60);
  });

  it('a window that is closed in the middle of a tool leaves a whole session that nobody holds', async () => {
    const root = newFolder();
    const home = newFolder();
    const terminal = await terminalIn(root, ['--allow'], { home });
    terminal.enter('run `echo $$ > pid; sleep 60`');
    const pid = await pidIn(root, 'pid');
    terminal.hangUp();
    await eventually(() => !isAlive(terminal.pid));
    await eventually(() => !isAlive(pid));
    const store = fileStore({ dir: join(home, 'sessions') });
    const [session] = await store.list();
    const { records, journal } = await store.open(session!.id);
    await journal.close();
    expect(JSON.stringify(records)).toContain('[stopped by the user]');
  });

  it('a command is asked for, and not run when the answer is no', async () => {
    const root = newFolder();
    const terminal = await terminalIn(root);
    terminal.enter('run `touch made`');
    await terminal.until('y once · a always this command · n no:');
    terminal.type('n');
    await terminal.until('Not allowed: the user said no to bash touch made.');
    await idle(terminal);
    expect(existsSync(join(root, 'made'))).toBe(false);
    terminal.enter('run `touch made`');
    await terminal.until((screen) => screen.visible().some((line) => line.endsWith('n no:')));
    terminal.type('y');
    await terminal.until('touch made went well.');
    expect(existsSync(join(root, 'made'))).toBe(true);
  });

  it('what is typed before the prompt stands is taken as it was meant, line by line', async () => {
    const [root, home] = [newFolder(), newFolder()];
    const terminal = openTerminal(['--cwd', root], { home });
    try {
      terminal.enter('remember: never touch the weir');
      terminal.enter('what must you never touch?');
      await terminal.until('“remember: never touch the weir”\n');
      await idle(terminal);
      expect(wordsIn(await recordsIn(home))).toEqual(['remember: never touch the weir', 'what must you never touch?']);
    } finally {
      terminal.kill();
      await terminal.ended;
    }
  });

  it('pasted lines are one message, and files cannot paint on the screen', async () => {
    const root = newFolder();
    writeFileSync(join(root, 'evil.txt'), 'before\u001b[2J\u001b[31mafter\n');
    const terminal = await terminalIn(root);
    terminal.type('\u001b[200~read evil.txt\nlist the files\u001b[201~');
    await terminal.until('list the files');
    terminal.enter('');
    await terminal.until('beforeafter');
    await terminal.until('1 file matches');
    expect(count(terminal.screen.all(), 'Palimpsest agent')).toBe(1);
  });
});
