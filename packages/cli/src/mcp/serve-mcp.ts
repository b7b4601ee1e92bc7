import { once } from 'node:events';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { cutHead } from '@palimpsest/core';
import type { RecallAnswer } from '@palimpsest/sdk/recall-tool';
import { listTools, type ServedTool } from './answer-tools.ts';
import type { ServedSessions } from './served-sessions.ts';

const UNREAD_CHARS = 200;
const INSTRUCTIONS =
  'What was said and seen in recorded sessions of coding agents, however much of it was compacted away. Look here before you say that you do not know something from earlier.';

/**
 * Serves until the client hangs up or the signal is aborted. Input and output are the client's: nothing else may be printed. What the
 * client sent and nobody can read is complained of; one message of more than 10 MB ends the connection.
 */
export async function serveMcp(
  served: ServedSessions,
  version: string,
  signal: AbortSignal,
  complain: (line: string) => void,
): Promise<void> {
  const tools = listTools(served);
  const answering = new Set<Promise<RecallAnswer>>();
  const answer = async (tool: ServedTool, input: unknown): Promise<RecallAnswer> => {
    const told = tool.answer(input);
    answering.add(told);
    return told.finally(() => answering.delete(told));
  };
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
        : await answer(tool, params.arguments ?? {});
    return { content: [{ type: 'text' as const, text }], ...(isError ? { isError } : {}) };
  });
  const closed = new AbortController();
  server.onclose = () => closed.abort();
  server.onerror = ({ message }) => {
    // What is JSON and no message is told of as a list of all that it is not.
    const why = message.startsWith('[') ? 'it is no JSON-RPC message' : cutHead(message, UNREAD_CHARS);
    complain(`palimpsest: mcp: the client sent what cannot be read: ${why}`);
  };
  // The transport does not mind its client going away. Whoever pipes his questions in hears all the answers.
  process.stdin.once('end', async () => {
    await Promise.allSettled(answering);
    setImmediate(() => closed.abort());
  });
  await server.connect(new StdioServerTransport());
  const ended = AbortSignal.any([signal, closed.signal]);
  if (!ended.aborted) await once(ended, 'abort');
  await server.close();
}
