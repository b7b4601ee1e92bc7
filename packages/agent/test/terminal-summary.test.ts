import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { idle, terminalIn, viewOnDisk } from './support/in-terminal.ts';
import { newFolder, newShop } from './support/launch.ts';

describe('in a terminal', () => {
  it('a preview is answered by a key: no leaves all as it is, yes does what was shown', async () => {
    const [root, home] = [await newShop(8), newFolder()];
    const terminal = await terminalIn(root, [], { home, rows: 40 });
    terminal.enter('remember: never touch db/migrations');
    await idle(terminal);
    terminal.enter('read every file in src');
    await terminal.until('module-007.ts');
    await idle(terminal);
    terminal.enter('/compact --dry all');
    await terminal.until('n no:');
    terminal.type('n');
    await terminal.until('Nothing was changed.');
    terminal.enter('/compact --dry all');
    await terminal.until(({ visible }) => visible().some((line) => line.includes('y yes · n no:')));
    terminal.type('y');
    await terminal.until('Compacted (as you asked)');
    await idle(terminal);
    expect(JSON.stringify(await viewOnDisk(home, 16_000))).toContain('never touch db/migrations');
  });

  it('the summary is edited in the user’s own editor, and the screen comes back', async () => {
    const [root, home] = [await newShop(8), newFolder()];
    const editor = join(newFolder(), 'editor.sh');
    writeFileSync(
      editor,
      '#!/bin/sh\nprintf -- "- The mill is sold.\\n" | cat - "$1" > "$1.new" && mv "$1.new" "$1"\n',
      { mode: 0o755 },
    );
    const terminal = await terminalIn(root, [], { home, environment: { EDITOR: editor } });
    terminal.enter('remember: never touch db/migrations');
    await idle(terminal);
    terminal.enter('read every file in src');
    await terminal.until('module-007.ts');
    await idle(terminal);
    terminal.enter('/compact all');
    await terminal.until('Compacted (as you asked)');
    terminal.enter('/summary edit');
    await terminal.until('Summary edited');
    await idle(terminal);
    expect(JSON.stringify(await viewOnDisk(home, 16_000))).toContain('The mill is sold.');
    terminal.enter('what must you never touch?');
    await terminal.until(/never touch\?[\s\S]*db\/migrations/);
    await idle(terminal);
  });
});
