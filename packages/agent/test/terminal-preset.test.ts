import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { idle, terminalIn } from './support/in-terminal.ts';
import { newFolder } from './support/launch.ts';

it('/preset shows and changes how the conversation is kept, and undo still takes back what was compacted', async () => {
  const root = newFolder();
  for (let n = 1; n <= 5; n++) writeFileSync(join(root, `f${n}.txt`), `${n} the mill grinds\n`.repeat(40));
  const terminal = await terminalIn(root, ['--preset', 's08']);
  await terminal.until('preset s08');
  terminal.enter('read f1.txt, then read f2.txt, then read f3.txt, then read f4.txt');
  await terminal.until(/clear-old-results +hid 1 result of read_file/);
  await idle(terminal);
  terminal.enter('/preset open-code');
  await terminal.until('Now open-code; compacts at');
  terminal.enter('/preset');
  await terminal.until('open-code. There are: default, faithful, lean, claude-code, open-code, s08.');
  terminal.enter('/undo');
  await terminal.until('◆ Taken back:');
  terminal.enter('/preset s09');
  await terminal.until('there is no preset "s09"');
});

it('hooks of a folder are shown and asked for once; “always” is remembered until they change', async () => {
  const [root, home] = [newFolder(), newFolder()];
  const hooks = (command: string): void => {
    mkdirSync(join(root, '.palimpsest'), { recursive: true });
    writeFileSync(join(root, '.palimpsest/settings.json'), JSON.stringify({ hooks: { beforeTool: [{ command }] } }));
  };
  writeFileSync(join(root, 'a.txt'), 'mill\n');
  hooks('echo ran >> ran.txt');
  const first = await terminalIn(root, [], { home });
  first.enter('read a.txt');
  await first.until('beforeTool: echo ran >> ran.txt');
  await first.until('a always these, as they are now');
  expect(existsSync(join(root, 'ran.txt'))).toBe(false);
  await first.until('n no:');
  first.type('a');
  await first.until('mill');
  await idle(first);
  expect(readFileSync(join(root, 'ran.txt'), 'utf8')).toBe('ran\n');
  const second = await terminalIn(root, [], { home });
  second.enter('read a.txt');
  await second.until('a.txt has 1 line');
  expect(readFileSync(join(root, 'ran.txt'), 'utf8')).toBe('ran\nran\n');
  hooks('echo other >> ran.txt');
  const third = await terminalIn(root, [], { home });
  third.enter('read a.txt');
  await third.until('beforeTool: echo other >> ran.txt');
  third.type('\u001b');
  await third.until('are not run: you said no');
  await third.until('a.txt has 1 line');
  expect(readFileSync(join(root, 'ran.txt'), 'utf8')).toBe('ran\nran\n');
});
