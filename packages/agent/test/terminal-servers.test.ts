import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { eventually } from './support/eventually.ts';
import { idle, isAlive, pidIn, terminalIn } from './support/in-terminal.ts';
import { newFolder } from './support/launch.ts';

const MILL = fileURLToPath(new URL('support/mill-server.mjs', import.meta.url));

function nameServers(root: string, manner: string): void {
  mkdirSync(join(root, '.palimpsest'), { recursive: true });
  const mill = { command: process.execPath, args: [MILL, manner, join(root, 'server-pid')] };
  writeFileSync(join(root, '.palimpsest/settings.json'), JSON.stringify({ mcpServers: { mill } }));
}

it('MCP servers of a folder are asked for, their tools too, and /mcp tells how they stand', async () => {
  const [root, home] = [newFolder(), newFolder()];
  nameServers(root, 'well');
  const first = await terminalIn(root, [], { home });
  first.enter('/mcp');
  await first.until('mill · starts with the first thing you say');
  first.enter('call mcp__mill__say with {"words": "the wheel turns"}');
  await first.until('.palimpsest/settings.json wants programs started');
  await first.until('a always these, as they are now');
  await first.until('n no:');
  first.type('a');
  await first.until('MCP server mill: 12 tools');
  await first.until('Allow mcp__mill__say? (it asks the MCP server mill)');
  await first.until('"words": "the wheel turns"');
  await first.until(/a always this tool · n no:/);
  first.type('y');
  await first.until('mcp__mill__say says:\n  the wheel turns');
  await idle(first);
  first.enter('/mcp');
  await first.until('● mill · 12 tools');
  await first.until('mcp__mill__grind');
  const pid = await pidIn(root, 'server-pid');
  first.ctrl('d');
  await first.ended;
  await eventually(() => !isAlive(pid));

  const second = await terminalIn(root, ['--allow'], { home });
  second.enter('call mcp__mill__crash');
  await second.until('MCP server mill: it ended with exit code 4; its last words: the dam has broken');
  await second.until('mcp__mill__crash failed:');
  await idle(second);
  second.enter('call mcp__mill__say with {"words": "and turns again"}');
  await second.until('says:\n  and turns again');
});

it('after kill -9 no child lives on: not the command at hand, not one left in the background, not a server or what it started', async () => {
  const root = newFolder();
  nameServers(root, 'stubborn');
  const terminal = await terminalIn(root, ['--allow']);
  terminal.enter(`call mcp__mill__fork with {"words": "${join(root, 'forked')}"}`);
  await terminal.until('mcp__mill__fork says:');
  await idle(terminal);
  terminal.enter('run `sleep 60 & echo $! > left`');
  await terminal.until('went well');
  await idle(terminal);
  terminal.enter('run `echo $$ > at-hand; sleep 60`');
  const pids = await Promise.all(['server-pid', 'forked', 'left', 'at-hand'].map((name) => pidIn(root, name)));
  expect(pids.map(isAlive)).toEqual([true, true, true, true]);
  terminal.kill('SIGKILL');
  await terminal.ended;
  await eventually(() => !pids.some(isAlive));
});
