import { once } from 'node:events';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { listTools } from './answer-tools.ts';
import type { ServedSessions } from './served-sessions.ts';

const INSTRUCTIONS =
  'What was said and seen in recorded sessions of coding agents, however much of it was compacted away. Look here before you say that you do not know something from earlier.';

/** Serves until the client hangs up or the signal is aborted. Input and output are the client's: nothing else may be printed. */
export async function serveMcp(served: ServedSessions, version: string, signal: AbortSignal): Promise<void> {
  const tools = listTools(served);
  const server = new Server(
    { name: 'palimpsest', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    const { text, isError = false } =
      tool === undefined
        ? { text: `There is no tool ${JSON.stringify(params.name)}.`, isError: true }
        : await tool.answer(params.arguments ?? {});
    return { content: [{ type: 'text' as const, text }], ...(isError ? { isError } : {}) };
  });
  const closed = new AbortController();
  server.onclose = () => closed.abort();
  // The transport does not mind its client going away.
  process.stdin.once('end', () => closed.abort());
  await server.connect(new StdioServerTransport());
  const ended = AbortSignal.any([signal, closed.signal]);
  if (!ended.aborted) await once(ended, 'abort');
  await server.close();
}
