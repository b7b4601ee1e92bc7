import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileStore } from '@palimpsest/store';
import { describe, expect, it } from 'vitest';
import { idle, recordsIn, terminalIn, waitFor, wordsIn } from './support/in-terminal.ts';
import { newFolder } from './support/launch.ts';
import { testProvider } from './support/provider.ts';

const ESCAPE = '\u001b';
const SHIFT_TAB = '\u001b[Z';

describe('working in a terminal', () => {
  it('the output of a command comes as it comes, beside seconds and the key that stops it', async () => {
    const root = newFolder();
    const terminal = await terminalIn(root, ['--allow']);
    terminal.enter(`run \`echo the first line; ${waitFor('go')}; echo the last line\``);
    await terminal.until(({ visible }) => visible().some((line) => line === '  the first line'));
    await terminal.until(/\(\d+ s(?: · \d+ tokens?)? · esc stops\)/);
    writeFileSync(join(root, 'go'), '');
    await terminal.until('the last line');
    await idle(terminal);
  });

  it('a command behind ! is run unasked and told to the model, and behind !! only shown', async () => {
    const [root, home] = [newFolder(), newFolder()];
    const terminal = await terminalIn(root, [], { home });
    terminal.enter('!echo the mill turns; pwd > here');
    await terminal.until('● ! echo the mill turns');
    await terminal.until(/ {2}the mill turns\n/);
    await idle(terminal);
    expect(existsSync(join(root, 'here'))).toBe(true);
    terminal.enter('!!echo between us');
    await terminal.until(/ {2}between us\n/);
    await idle(terminal);
    terminal.enter(`!echo begun; ${waitFor('never')}`);
    await terminal.until(({ visible }) => visible().some((line) => line === '  begun'));
    terminal.type(ESCAPE);
    await terminal.until('[stopped by the user]');
    await idle(terminal);
    terminal.enter('remember: the weir');
    await terminal.until('Noted:');
    await idle(terminal);
    const said = JSON.stringify(await recordsIn(home));
    expect(said).toContain(
      '[The user ran a command:\\n$ echo the mill turns; pwd > here\\nthe mill turns\\n[exit code 0]',
    );
    expect(said).not.toContain('between us');
    expect(wordsIn(await recordsIn(home))).toEqual(['remember: the weir']);
  });

  it('Escape stops the step at hand', async () => {
    const terminal = await terminalIn(newFolder(), ['--allow']);
    terminal.enter(`run \`echo begun; ${waitFor('never')}\``);
    await terminal.until(({ visible }) => visible().some((line) => line === '  begun'));
    terminal.type(ESCAPE);
    await terminal.until('Interrupted; everything said and seen so far is kept.');
    await idle(terminal);
  });

  it('Escape twice goes back to something that was said: the conversation forks there, and both are kept', async () => {
    const home = newFolder();
    const terminal = await terminalIn(newFolder(), [], { home });
    for (const words of ['remember: the mill', 'remember: the weir']) {
      terminal.enter(words);
      await terminal.until(`Noted: “${words}”`);
      await idle(terminal);
    }
    terminal.type(ESCAPE);
    await terminal.until('esc once more goes back to something you said');
    terminal.type(ESCAPE + ESCAPE);
    await terminal.until(/❯ m\d+ +remember: the weir\n +m\d+ +remember: the mill/);
    terminal.type(ESCAPE);
    await terminal.until(({ visible }) => !visible().some((line) => line.startsWith('❯')));
    terminal.type(ESCAPE + ESCAPE);
    await terminal.until(/❯ m\d+ +remember: the weir/);
    terminal.type('\r');
    await terminal.until('what followed is kept: /resume');
    await terminal.until(({ visible }) => visible().includes('> remember: the weir'));
    terminal.type(' and the lock\r');
    await terminal.until('Noted: “remember: the weir and the lock”');
    await idle(terminal);
    const store = fileStore({ dir: join(home, 'sessions') });
    const said = await Promise.all((await store.list()).map(async ({ id }) => wordsIn((await store.read(id)).records)));
    expect(said).toHaveLength(2);
    expect(said).toContainEqual(['remember: the mill', 'remember: the weir']);
    expect(said).toContainEqual(['remember: the mill', 'remember: the weir and the lock']);
  });

  it('Escape twice empties a line', async () => {
    const terminal = await terminalIn(newFolder());
    terminal.type('never mind');
    await terminal.until('> never mind');
    terminal.type(ESCAPE);
    await terminal.until('esc once more empties the line');
    terminal.type(ESCAPE + ESCAPE);
    await terminal.until(({ visible }) => visible().includes('>'));
  });

  it('Shift-Tab goes from edits that are made to edits that are asked for, and to reading only', async () => {
    const root = newFolder();
    const terminal = await terminalIn(root);
    terminal.type(SHIFT_TAB);
    await terminal.until(/context left · ask ·/);
    terminal.enter('write "one" to a.txt');
    await terminal.until('Allow write_file? (it changes a file)');
    await terminal.until('n no:');
    terminal.type('n');
    await terminal.until('Not allowed: the user said no');
    await idle(terminal);
    terminal.type(SHIFT_TAB);
    await terminal.until(/context left · read-only ·/);
    terminal.enter('run `echo x > b.txt`');
    await terminal.until('read-only mode');
    await idle(terminal);
    terminal.enter('/mode accept-edits');
    await terminal.until('edits inside the folder are made');
    terminal.enter('write "two" to a.txt');
    await terminal.until(/● write_file a.txt/);
    await idle(terminal);
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('two\n');
    expect(existsSync(join(root, 'b.txt'))).toBe(false);
  });

  it('an edit is shown as what went and what came', async () => {
    const root = newFolder();
    writeFileSync(join(root, 'version.txt'), 'the mill\n1.0\n');
    const terminal = await terminalIn(root);
    terminal.enter('replace "1.0" with "1.1" in version.txt');
    await terminal.until(/● edit_file version\.txt\n {2}-1\.0\n {2}\+1\.1\n/);
  });

  it('a language model’s Markdown is laid out, and its code is in colours', async () => {
    const answer = '## Found\n\nThe limit is in **orders**:\n\n```ts\nconst limit = 7;\n```\n- done';
    const provider = await testProvider(() => ({ text: answer }));
    const terminal = await terminalIn(newFolder(), [
      ...['--provider', 'anthropic', '--base-url', provider.url],
      ...['--model', 'test-model', '--window', '64000'],
    ]);
    terminal.enter('where is the limit?');
    await terminal.until(/Found\n\nThe limit is in orders:\n\n {2}ts\n {2}const limit = 7;\n• done\n/);
    expect(terminal.raw()).toContain('\u001b[35mconst\u001b[39m limit');
    await idle(terminal);
  });

  it('commands that tell and write answer at once, and Ctrl-O shows an output whole', async () => {
    const root = newFolder();
    const terminal = await terminalIn(root, ['--allow']);
    terminal.enter('run `seq 1 30`');
    await terminal.until('… 25 more lines');
    await idle(terminal);
    expect(terminal.screen.visible()).not.toContain('  7');
    terminal.ctrl('o');
    await terminal.until(({ visible }) => visible().includes('  7'));
    const answers: readonly (readonly [string, string | RegExp])[] = [
      ['/cost', 'Nothing was used: the offline model is a program'],
      ['/model', 'offline, window 16,000. Known: offline,'],
      ['/recall seq', /m\d+/],
      ['/permissions', 'Nothing was allowed for always.'],
      ['/export talk.md', 'messages written to'],
      ['/handoff next.md', 'A fresh session goes on from it'],
      ['/nonsense', 'There is no command /nonsense; /help lists them.'],
    ];
    for (const [command, answer] of answers) {
      terminal.enter(command);
      await terminal.until(answer);
    }
    expect(readFileSync(join(root, 'talk.md'), 'utf8')).toContain('seq 1 30');
    expect(existsSync(join(root, 'next.md'))).toBe(true);
  });

  it('/clear begins anew and keeps what was; /resume lists it by date, size and first words', async () => {
    const home = newFolder();
    const terminal = await terminalIn(newFolder(), [], { home });
    terminal.enter('remember: the mill is sold');
    await terminal.until('Noted');
    await idle(terminal);
    terminal.enter('/clear');
    await terminal.until('A new session. The one before is kept: /resume');
    terminal.enter('what did I ask first?');
    await terminal.until('This is the first thing you asked.');
    await idle(terminal);
    terminal.enter('/resume');
    await terminal.until(/\d{4}-\d\d-\d\d \d\d:\d\d · \d+ messages, [\d.]+ k?B\n {4}remember: the mill is sold/);
    await terminal.until(/\(this one\)\n {4}what did I ask first\?/);
  });

  it('/pins tells what is pinned, /context what is free', async () => {
    const terminal = await terminalIn(newFolder());
    terminal.enter('remember: the mill is sold');
    await terminal.until('Noted');
    await idle(terminal);
    terminal.enter('/pins');
    await terminal.until('Nothing is pinned');
    terminal.enter('/pin');
    await terminal.until('Pinned: ');
    terminal.enter('/pins');
    await terminal.until(/\n {2}m\d+ remember: the mill is sold/);
    terminal.enter('/context');
    await terminal.until(
      /system prompt +\d+[\s\S]*user +\d+[\s\S]*free until it compacts +[\d,]+ ░+\n {2}kept for the answer +[\d,]+ ░/,
    );
  });
});
