import { clip, formatCount, oneLine, wrap } from '@palimpsest/terminal';
import type { ServerReport } from '../servers/server-settings.ts';
import type { Command } from './command.ts';

export const mcp: Command = {
  name: 'mcp',
  usage: '/mcp',
  help: 'the MCP servers that the settings name, how they stand, and their tools',
  run(_, { agent, paint, columns, print }) {
    const servers = agent.servers();
    if (servers.length === 0)
      return print(
        wrap(
          'No MCP servers: name them in .palimpsest/settings.json, { "mcpServers": { … } }; see docs/agent.md.',
          columns,
        ),
      );
    for (const { name, source, command, state, tools } of servers) {
      const mark = state.type === 'ready' ? paint.green('●') : paint.yellow('○');
      print([`${mark} ${clip(oneLine(`${name} · ${tellState(state)}`), columns - 2)}`]);
      print([paint.dim(clip(`  ${oneLine(`${command} · ${source}`)}`, columns))]);
      for (const tool of tools) print([clip(`  ${oneLine(tool)}`, columns)]);
    }
  },
};

function tellState(state: ServerReport['state']): string {
  switch (state.type) {
    case 'ready':
      return formatCount(state.tools, 'tool');
    case 'waiting':
      return 'starts with the first thing you say';
    case 'refused':
      return `not started: ${state.why}`;
    case 'gone':
      return `not there: ${state.why}; the next call of one of its tools starts it again`;
  }
}
