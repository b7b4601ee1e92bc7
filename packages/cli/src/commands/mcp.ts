import { Command } from 'commander';
import { findServed } from '../mcp/served-sessions.ts';
import { dirOption } from '../stores/store-folder.ts';
import type { Terminal } from '../terminal.ts';

interface McpFlags {
  readonly dir?: string;
}

export const mcpCommand = (terminal: Terminal, version: string): Command =>
  new Command('mcp')
    .summary('lend what was said to any agent: an MCP server')
    .description('serve sessions to agents over MCP, by stdin and stdout: recall, receipts, pins')
    .argument('[session...]', 'recordings, folders of them, sessions of ours by id or their folder (default: our own)')
    .addOption(dirOption())
    .addHelpText(
      'after',
      `
Sessions are only read, and read again when they have changed.

Examples:
  claude mcp add palimpsest -- npx palimpsest mcp ~/.claude/projects/-home-you-shop
  npx palimpsest mcp session.jsonl`,
    )
    .action((named: readonly string[], flags: McpFlags) => run(terminal, named, flags, version));

async function run(terminal: Terminal, named: readonly string[], { dir }: McpFlags, version: string): Promise<void> {
  const { signal, complain } = terminal;
  const served = await findServed(named, dir, terminal);
  // Loaded where it is needed: no other command should wait for it.
  const { serveMcp } = await import('../mcp/serve-mcp.ts');
  await serveMcp(served, version, signal, complain);
}
