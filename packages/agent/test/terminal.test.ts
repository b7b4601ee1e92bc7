import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileStore } from '@palimpsest/store';
import { afterEach, describe, expect, it } from 'vitest';
import { sampleFolder } from '../src/sample/sample-folder.ts';
import { eventually } from './support/eventually.ts';
import { newFolder } from './support/launch.ts';
import { testProvider } from './support/provider.ts';
import { openTerminal, type Terminal } from './support/terminal.ts';

const open: Terminal[] = [];
afterEach(async () => {
  for (const terminal of open.splice(0)) {
    terminal.kill();
    await terminal.ended;
  }
});

function terminalIn(
  root: string,
  words: readonly string[] = [],
  more: { home?: string; environment?: Record<string, string>; columns?: number; rows?: number } = {},
): Terminal {
  const terminal = openTerminal(['--cwd', root, ...words], { home: newFolder(), ...more });
  open.push(terminal);
  return terminal;
}

/** The line at the bottom says how it stands; the prompt is free again when no spinner is above it. */
const isIdle = ({ screen }: Terminal): boolean => {
  const shown = screen.visible();
  return /context left/.test(shown.at(-1) ?? '') && !shown.some((line) => line.includes('(ctrl-c stops)'));
};
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
const count = (screen: string, words: string): number => screen.split(words).length - 1;

describe('in a real terminal', () => {
  it('a newcomer sees what this is, and what to try', async () => {
    const terminal = terminalIn(newFolder());
    await terminal.until(/> *\n.*100% context left|9\d% context left/);
    expect(terminal.screen.all()).toContain('Palimpsest agent · offline · window 16,000 tokens');
    expect(terminal.screen.all()).toContain('It is not a language model');
    terminal.enter('what can you do?');
    await terminal.until('I am the offline model of this agent');
    terminal.enter('/help');
    await terminal.until('/compact [INSTRUCTIONS]');
    terminal.ctrl('d');
    expect(await terminal.ended).toBe(0);
    await terminal.until('--resume');
  });

  it('the screen follows the size of the window, and shows its status once', async () => {
    const { root, remove } = await sampleFolder(40);
    const terminal = terminalIn(root);
    await terminal.until('context left');
    terminal.enter('read every file in src');
    await terminal.until('Files 7 to 12 of 40');
    terminal.resize(50, 20);
    await terminal.until('Files 19 to 24 of 40');
    terminal.resize(120, 40);
    await terminal.until('I have read all 40 files in src');
    await terminal.until(() => isIdle(terminal));
    const visible = terminal.screen.visible().join('\n');
    expect(count(visible, 'context left')).toBe(1);
    const { row } = terminal.screen.cursor();
    expect(terminal.screen.visible()[row]).toBe('>');
    expect(count(terminal.screen.all(), '● read_file src/')).toBe(40);
    await remove();
  });

  it('Ctrl-C during a tool ends the tool, keeps what it said, and the agent goes on', async () => {
    const root = newFolder();
    const terminal = terminalIn(root, ['--allow']);
    await terminal.until('context left');
    terminal.enter('run `echo begun; echo $$ > pid; sleep 60`');
    await eventually(() => existsSync(join(root, 'pid')) && readFileSync(join(root, 'pid'), 'utf8') !== '');
    terminal.ctrl('c');
    await terminal.until('[stopped by the user]');
    await terminal.until('Interrupted; everything said and seen so far is kept.');
    expect(terminal.screen.all()).toContain('begun');
    await eventually(() => !isAlive(Number(readFileSync(join(root, 'pid'), 'utf8'))));
    terminal.enter('what did I ask first?');
    await terminal.until('First you said: “run `echo begun');
    await terminal.until(() => isIdle(terminal));
    terminal.ctrl('c');
    await terminal.until('ctrl-c once more ends');
    terminal.ctrl('c');
    expect(await terminal.ended).toBe(0);
  });

  it('Ctrl-C during a compaction changes nothing, and the next compaction succeeds', async () => {
    let hang: Promise<void> | undefined = new Promise(() => {});
    const sections = [
      'Request and intent',
      'Key concepts',
      'Files and code',
      'Errors and fixes',
      'Problem solving',
      'User messages',
      'Pending tasks',
      'Current work',
      'Next step',
    ];
    const summary = `<summary>\n${sections.map((name) => `## ${name}\nnone`).join('\n')}\n</summary>`;
    const provider = await testProvider((asked, number) => {
      if (!asked.isSummary)
        return { text: `Part ${number}. ${'The mill grinds slowly but it grinds fine. '.repeat(90)}` };
      return hang === undefined ? { text: summary } : { text: summary, after: hang };
    });
    const home = newFolder();
    const terminal = terminalIn(newFolder(), ['--base-url', provider.url, '--model', 'm', '--window', '40000'], {
      home,
    });
    await terminal.until('context left');
    for (let n = 1; n <= 4; n++) {
      terminal.enter(`tell me part ${n}`);
      await terminal.until(`Part ${n}.`);
      await terminal.until(() => isIdle(terminal));
    }
    terminal.enter('/compact mind the mill');
    await terminal.until('Compacting…');
    await eventually(() => provider.asked.some(({ isSummary }) => isSummary));
    terminal.ctrl('c');
    await terminal.until('Compaction: stopped, nothing was changed.');
    await terminal.until(() => isIdle(terminal));
    hang = undefined;
    terminal.enter('/compact');
    await terminal.until(/Compacted \(as you asked\): [\d,]+ → [\d,]+ tokens/);
    terminal.enter('tell me more');
    await terminal.until(/Part \d+\.[\s\S]*> tell me more[\s\S]*Part \d+\./);
    await terminal.until(() => isIdle(terminal));
    const store = fileStore({ dir: join(home, 'sessions') });
    const [session] = await store.list();
    const said = (await store.read(session!.id)).records.filter((record) => record.type === 'message');
    expect(said.filter((record) => record.message.origin === 'human')).toHaveLength(5);
    expect(said.filter((record) => record.message.origin === 'model')).toHaveLength(5);
  });

  it('what is typed while it works waits, is shown, and is delivered once', async () => {
    const { root, remove } = await sampleFolder(40);
    const terminal = terminalIn(root);
    await terminal.until('context left');
    terminal.enter('read every file in src');
    await terminal.until('Files 7 to 12 of 40');
    terminal.enter('what did I ask first?');
    terminal.enter('/undo');
    await terminal.until('waits: what did I ask first?');
    await terminal.until('First you said: “read every file in src”');
    await terminal.until(/Taken back|no compaction to take back/);
    await terminal.until(() => isIdle(terminal));
    const all = terminal.screen.all();
    expect(all.indexOf('I have read all 40')).toBeLessThan(all.indexOf('> what did I ask first?'));
    expect(count(all, 'First you said:')).toBe(1);
    expect(count(all, '> what did I ask first?')).toBe(1);
    expect(all).not.toMatch(/^ {2}waits:/m);
    await remove();
  });

  it('/undo brings back what a compaction hid', async () => {
    const { root, remove } = await sampleFolder(30);
    const terminal = terminalIn(root, ['--window', '40000']);
    await terminal.until('context left');
    terminal.enter('read every file in src');
    await terminal.until('I have read all 30');
    await terminal.until(() => isIdle(terminal));
    terminal.enter('/compact');
    await terminal.until(/Compacted \(as you asked\): ([\d,]+) → ([\d,]+) tokens/);
    const [, before, after] = /Compacted \(as you asked\): ([\d,]+) → ([\d,]+) tokens/.exec(terminal.screen.all())!;
    await terminal.until(() => new RegExp(`${after} of`).test(terminal.screen.visible().at(-1)!));
    terminal.enter('/undo');
    await terminal.until(`Taken back: ${after} → ${before} tokens`);
    await terminal.until(() => new RegExp(`${before} of`).test(terminal.screen.visible().at(-1)!));
    await remove();
  });

  it('killed with -9 in the middle of a tool, the session is listed, mended and goes on', async () => {
    const root = newFolder();
    const home = newFolder();
    const first = terminalIn(root, ['--allow'], { home });
    await first.until('context left');
    first.enter('remember: never touch the weir');
    await first.until('Noted:');
    first.enter('run `echo $$ > pid; sleep 60`');
    await eventually(() => existsSync(join(root, 'pid')) && readFileSync(join(root, 'pid'), 'utf8') !== '');
    first.kill('SIGKILL');
    await first.ended;
    process.kill(-Number(readFileSync(join(root, 'pid'), 'utf8')), 'SIGKILL');

    const second = terminalIn(root, [], { home });
    await second.until('context left');
    second.enter('/resume');
    await second.until('remember: never touch the weir');
    const id = /(\d{8}-\d{6}-\w{6}-\w{4}) remember/.exec(second.screen.all())![1]!;
    second.enter(`/resume ${id}`);
    await second.until('Mended: 1 call that was in flight got no result.');
    second.enter('what must you never touch?');
    await second.until('“remember: never touch the weir”');
    await second.until(() => isIdle(second));
    expect(count(second.screen.all(), 'You said:')).toBe(1);
  });

  it('a window that is closed in the middle of a tool leaves a whole session that nobody holds', async () => {
    const root = newFolder();
    const home = newFolder();
    const terminal = terminalIn(root, ['--allow'], { home });
    await terminal.until('context left');
    terminal.enter('run `echo $$ > pid; sleep 60`');
    await eventually(() => existsSync(join(root, 'pid')) && readFileSync(join(root, 'pid'), 'utf8') !== '');
    terminal.hangUp();
    await eventually(() => !isAlive(terminal.pid));
    await eventually(() => !isAlive(Number(readFileSync(join(root, 'pid'), 'utf8'))));
    const store = fileStore({ dir: join(home, 'sessions') });
    const [session] = await store.list();
    const { records, journal } = await store.open(session!.id);
    await journal.close();
    expect(JSON.stringify(records)).toContain('[stopped by the user]');
  });

  it('a command is asked for, and not run when the answer is no', async () => {
    const root = newFolder();
    const terminal = terminalIn(root);
    await terminal.until('context left');
    terminal.enter('run `touch made`');
    await terminal.until('y once · a always · n no:');
    terminal.type('n');
    await terminal.until('Not allowed: the user said no to bash touch made.');
    expect(existsSync(join(root, 'made'))).toBe(false);
    terminal.enter('run `touch made`');
    await terminal.until((screen) => screen.visible().some((line) => line.startsWith('y once')));
    terminal.type('y');
    await terminal.until('touch made went well.');
    expect(existsSync(join(root, 'made'))).toBe(true);
  });

  it('pasted lines are one message, and files cannot paint on the screen', async () => {
    const root = newFolder();
    writeFileSync(join(root, 'evil.txt'), 'before\u001b[2J\u001b[31mafter\n');
    const terminal = terminalIn(root, [], { environment: { NO_COLOR: '1' } });
    await terminal.until('context left');
    terminal.type('\u001b[200~read evil.txt\nlist the files\u001b[201~');
    await terminal.until('list the files');
    terminal.enter('');
    await terminal.until('beforeafter');
    await terminal.until('1 files match');
    expect(count(terminal.screen.all(), 'Palimpsest agent')).toBe(1);
  });
});
