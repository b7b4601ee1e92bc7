import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KNOWN_MODELS } from '@palimpsest/wire';
import { describe, expect, it } from 'vitest';
import { idle, recordsIn, terminalIn, wordsIn } from './support/in-terminal.ts';
import { newFolder } from './support/launch.ts';
import type { Terminal } from './support/terminal.ts';

const UP = '\u001b[A';
const DOWN = '\u001b[B';
const END = '\u001b[F';

const shows = (terminal: Terminal, line: string): Promise<void> =>
  terminal.until(({ visible }) => visible().some((one) => one === line || one.startsWith(line)));

describe('typing in a terminal', () => {
  it('a slash opens the menu of commands, and Tab takes one', async () => {
    const terminal = await terminalIn(newFolder());
    terminal.type('/rec');
    await shows(terminal, '❯ /receipt');
    await shows(terminal, '  /recall');
    terminal.type(DOWN);
    await shows(terminal, '❯ /recall');
    terminal.type('\t');
    await shows(terminal, '> /recall');
    terminal.type('weir\r');
    await terminal.until('> /recall weir');
  });

  it('Enter in the menu takes what is chosen, and sends a command that stands there whole', async () => {
    const terminal = await terminalIn(newFolder());
    terminal.type('/cont');
    await shows(terminal, '❯ /context');
    terminal.type('\r');
    await terminal.until(({ visible }) => !visible().some((line) => line.startsWith('❯')));
    terminal.type('\r');
    await terminal.until('free until it compacts');
    terminal.type('/x');
    await shows(terminal, '> /x');
    expect(terminal.screen.visible().some((line) => line.startsWith('❯'))).toBe(false);
  });

  it('an @ completes the names of files, by any part of them', async () => {
    const root = newFolder();
    mkdirSync(join(root, 'src/cart'), { recursive: true });
    writeFileSync(join(root, 'src/cart/coupons.ts'), 'export const most = 7;\n');
    writeFileSync(join(root, 'src/cart/totals.ts'), 'export const sum = 8;\n');
    const terminal = await terminalIn(root);
    terminal.type('read @coup');
    await shows(terminal, '❯ src/cart/coupons.ts');
    terminal.type('\t');
    await shows(terminal, '> read src/cart/coupons.ts');
    terminal.type('\r');
    await terminal.until('export const most = 7;');
  });

  it('what was typed in earlier sessions comes back with Up and with Ctrl-R', async () => {
    const [root, home] = [newFolder(), newFolder()];
    const first = await terminalIn(root, [], { home });
    for (const words of ['remember: the mill is sold', 'remember: the weir stands']) {
      first.enter(words);
      await first.until(`Noted: “${words}”`);
      await idle(first);
    }
    first.ctrl('d');
    await first.ended;
    const second = await terminalIn(root, [], { home });
    second.type(UP);
    await shows(second, '> remember: the weir stands');
    second.ctrl('c');
    second.ctrl('r');
    await shows(second, '  search:');
    second.type('MILL');
    await shows(second, '> remember: the mill is sold');
    second.type('\r');
    await second.until('Noted: “remember: the mill is sold”');
    const elsewhere = await terminalIn(newFolder(), [], { home });
    elsewhere.type(`${UP}x`);
    await shows(elsewhere, '> x');
  });

  it.each([
    ['a backslash and Enter', '\\\r'],
    ['Alt-Enter', '\u001b\r'],
    ['Shift-Enter, where the terminal tells it apart', '\u001b[13;2u'],
  ])('a new line is begun by %s', async (_, keys) => {
    const home = newFolder();
    const terminal = await terminalIn(newFolder(), [], { home });
    terminal.type('remember: one');
    await shows(terminal, '> remember: one');
    terminal.type(keys);
    terminal.type('two');
    await shows(terminal, '  two');
    terminal.type('\r');
    await terminal.until('Noted');
    expect(wordsIn(await recordsIn(home))).toEqual(['remember: one\ntwo']);
  });

  it('Up inside several lines goes to the line above, and only from the first one into the history', async () => {
    const home = newFolder();
    const terminal = await terminalIn(newFolder(), [], { home });
    terminal.enter('remember: before');
    await terminal.until('Noted');
    await idle(terminal);
    terminal.type('remember: one\u001b\rtwo');
    await shows(terminal, '  two');
    terminal.type(`${UP}${END}, changed`);
    await shows(terminal, '> remember: one, changed');
    terminal.type(UP);
    await shows(terminal, '> remember: before');
    terminal.type(`${DOWN}\r`);
    await terminal.until(/Noted[\s\S]*Noted/);
    expect(wordsIn(await recordsIn(home)).at(-1)).toBe('remember: one, changed\ntwo');
  });

  it('a pasted page is folded in the line, removed by one key, and sent whole', async () => {
    const home = newFolder();
    const terminal = await terminalIn(newFolder(), [], { home });
    const page = Array.from({ length: 295 }, (_, i) => `line ${i}`).join('\n');
    terminal.type(`remember: \u001b[200~${page}\u001b[201~`);
    await shows(terminal, '> remember: [pasted 1: +295 lines]');
    terminal.type('\u007f');
    await shows(terminal, '> remember:');
    terminal.type(`\u001b[200~${page}\u001b[201~ and that`);
    await shows(terminal, '> remember: [pasted 2: +295 lines] and that');
    terminal.type('\r');
    await terminal.until('Noted');
    // What was typed around a page is no part of its first and last line.
    expect(wordsIn(await recordsIn(home))).toEqual([`remember:\n${page}\nand that`]);
  });

  it('a pasted page is folded in the scrollback too, and the order behind it is carried out', async () => {
    const [root, home] = [newFolder(), newFolder()];
    mkdirSync(join(root, 'src'));
    writeFileSync(join(root, 'src/cents.ts'), 'export const cents = 100;\n');
    const terminal = await terminalIn(root, [], { home });
    const page = Array.from({ length: 5_000 }, (_, i) => `line ${i} of a log, and what went on there`).join('\n');
    terminal.type(`\u001b[200~${page}\u001b[201~ read src/cents.ts`);
    await shows(terminal, '> [pasted 1: +5000 lines] read src/cents.ts');
    terminal.type('\r');
    await terminal.until('export const cents = 100;');
    await idle(terminal);
    expect(terminal.raw().match(/line \d+ of a log/g)!.length).toBeLessThan(60);
    expect(terminal.raw()).toContain('more lines …');
    expect(terminal.raw()).not.toContain('I cannot do');
    expect(wordsIn(await recordsIn(home))).toEqual([`${page}\nread src/cents.ts`]);
  });

  it('what a command prints is broken at spaces, and no name in it', async () => {
    const terminal = await terminalIn(newFolder());
    terminal.enter('/model');
    await terminal.until('Known: offline');
    await idle(terminal);
    const lines = terminal.screen.visible();
    for (const { name } of KNOWN_MODELS)
      expect([name, lines.some((line) => line.includes(name))]).toEqual([name, true]);
  });

  it('the cursor stands right behind emoji that are joined of several', async () => {
    const terminal = await terminalIn(newFolder());
    terminal.type('👨‍👩‍👧‍👦🇩🇪日x');
    await terminal.until(/👦/u);
    // The prompt, three wide signs, one letter.
    await terminal.until(() => terminal.raw().endsWith('\u001b[9C\u001b[?25h'));
    terminal.type('\u007f\u007f');
    await terminal.until(() => terminal.raw().endsWith('\u001b[6C\u001b[?25h'));
    terminal.type('\u007f');
    await terminal.until(() => terminal.raw().endsWith('\u001b[4C\u001b[?25h'));
  });
});
