import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { idle, recordsIn, startIn, wordsIn } from './support/in-terminal.ts';
import { newFolder } from './support/launch.ts';
import { transcriptOf } from './support/transcript.ts';

/** What the prompt suggests, and what has been seen when it is done. */
const STEPS: readonly (readonly [words: string, seen: string | RegExp])[] = [
  ['remember: never touch db/migrations', 'Noted: “remember: never touch db/migrations”'],
  ['read every file in src', /◆ Compacted \(automatic\)[\s\S]*I have read all 31 files in src/],
  ['/receipt', /> \/receipt\s+◆ Compacted \(automatic\)/],
  ['what was in coupons.ts?', 'src/cart/coupons.ts, through recall '],
  ['/undo', '◆ Taken back: '],
  ['what must you never touch?', /You said:\s+“remember: never touch db\/migrations”/],
  ['/help', '/export [FILE]'],
];

describe('npm start in a terminal', () => {
  it('leads a newcomer, by nothing but the screen, to a compaction, its receipt, a recall and an undo', async () => {
    const home = newFolder();
    const terminal = await startIn(home);
    await terminal.until('try the agent in a small prepared shop');
    terminal.type('\r');
    for (const [step, [words, seen]] of STEPS.entries()) {
      await terminal.until(({ visible }) => visible().some((line) => line.includes(`step ${step + 1} of 7`)));
      expect(terminal.screen.visible()).toContain(`> ${words}`);
      terminal.type('\t');
      await terminal.until(({ visible }) => !visible().some((line) => line.includes(`step ${step + 1} of 7`)));
      terminal.type('\r');
      await terminal.until(seen);
      await idle(terminal);
    }
    expect(wordsIn(await recordsIn(home))).toEqual(
      STEPS.map(([words]) => words).filter((words) => !words.startsWith('/')),
    );
    terminal.ctrl('d');
    expect(await terminal.ended).toBe(0);
    await terminal.until('--resume');
    await expect(transcriptOf(terminal.screen, { [home]: 'HOME', [process.cwd()]: 'FOLDER' })).toMatchFileSnapshot(
      'golden/first-minute.txt',
    );
  });

  it('plays the sample with a gauge that can be stopped, and comes back to the choice', async () => {
    const terminal = await startIn(newFolder());
    terminal.type('2');
    await terminal.until('space pauses · f hurries');
    await terminal.until(/turn \d+, call \d+: the view has/);
    terminal.type(' ');
    await terminal.until('paused: space goes on');
    const stood = terminal.screen.visible().find((line) => line.startsWith('turn '));
    expect(terminal.screen.visible()).toContain(stood);
    terminal.type('f');
    await terminal.until(/✓[\s\S]*How do you want to begin\?\n❯ 1/);
    terminal.type('q');
    expect(await terminal.ended).toBe(0);
  });

  it('can be left in the middle of the sample', async () => {
    const terminal = await startIn(newFolder());
    terminal.type('2');
    await terminal.until('space pauses · f hurries');
    terminal.type('q');
    await terminal.until(({ visible }) => visible().some((line) => line.includes('up and down, or a number')));
    terminal.ctrl('c');
    expect(await terminal.ended).toBe(0);
  });

  it('offers the real model first where a key is set, and begins nothing that was not chosen', async () => {
    const home = newFolder();
    const terminal = await startIn(home, { ANTHROPIC_API_KEY: 'sk-not-a-key' });
    await terminal.until(/❯ 1 {2}work in this folder on anthropic\//);
    terminal.type('\u001b[B');
    await terminal.until(/❯ 2 {2}try the agent/);
    terminal.type('q');
    expect(await terminal.ended).toBe(0);
    expect(readdirSync(home)).toEqual([]);
  });

  it('in the prepared folder, what was changed stays and what is gone is written anew', async () => {
    const home = newFolder();
    const first = await startIn(home);
    first.type('1');
    await first.until('context left');
    first.enter('write "mine" to README.md');
    await first.until(/● write_file/);
    await idle(first);
    // The menu stands in the place of what is suggested.
    first.type('\u001b\u001b');
    await first.until(/❯ m\d+ +write "mine"/);
    first.type('\u001b');
    await first.until(({ visible }) => visible().some((line) => line.includes('step 1 of 7')));
    first.enter('run `rm src/cart/coupons.ts`');
    await first.until('n no:');
    first.type('y');
    await first.until(/● bash rm/);
    await idle(first);
    first.ctrl('d');
    await first.ended;
    const second = await startIn(home);
    second.type('1');
    await second.until('context left');
    second.enter('read README.md, then src/cart/coupons.ts');
    await second.until(/README.md has 1 line:\n {2}mine[\s\S]*coupons.ts has \d+ lines/);
    expect(readdirSync(join(home, 'practice/corner-shop/src/cart'))).toContain('coupons.ts');
  });
});
