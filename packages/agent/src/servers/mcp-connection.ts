import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  CallToolResultSchema,
  ErrorCode,
  type Tool as ListedTool,
  ListToolsResultSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import type { Json } from '@palimpsest/core';
import { asFields } from '@palimpsest/core/json';
import { keepHead } from '@palimpsest/terminal';
import { failure, type ToolAnswer } from '../tools/tool.ts';
import { readContent } from './read-content.ts';
import type { ServerCommand } from './server-settings.ts';
import { newStdioTransport } from './stdio-transport.ts';

/** A server that answers. */
export interface McpConnection {
  /** What it says of itself. */
  readonly instructions: string;
  readonly tools: readonly ListedTool[];
  isOpen(): boolean;
  /** Answers always; only an abort is thrown. */
  call(tool: string, input: Json, signal: AbortSignal): Promise<ToolAnswer>;
  end(): Promise<void>;
}

interface ConnectOptions {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly signal: AbortSignal;
  /** Once, when it has ended without being asked to. */
  readonly onEnd: (why: string) => void;
}

const USUAL_SECONDS = 120;
const MOST_SECONDS = 600;
const MOST_START_SECONDS = 30;
const MOST_PAGES = 20;
const MOST_ERROR_CHARS = 2_000;

/** Starts the server, greets it and asks for its tools. Throws with a reason that a reader understands. */
export async function connectServer(server: ServerCommand, options: ConnectOptions): Promise<McpConnection> {
  const { timeoutSeconds = USUAL_SECONDS } = server;
  const transport = newStdioTransport(server, options.cwd, options.env);
  const client = new Client({ name: 'palimpsest', version: '0.1.0' });
  const startSeconds = Math.min(MOST_START_SECONDS, timeoutSeconds);
  const limits = { timeout: startSeconds * 1_000, signal: options.signal };
  let isOpen = true;
  let isReady = false;
  client.onclose = () => {
    isOpen = false;
    if (isReady) options.onEnd(transport.trouble());
  };
  const explainFailure = (error: unknown, seconds: number): string => {
    const said = isOpen ? describeError(error, seconds) : '';
    return [said, transport.trouble()].filter((one) => one !== '').join('; ');
  };
  try {
    await client.connect(transport, limits);
    const tools = await listTools(client, limits);
    isReady = true;
    return {
      instructions: client.getInstructions() ?? '',
      tools,
      isOpen: () => isOpen,
      async call(name, input, signal) {
        try {
          const result = await client.request(
            { method: 'tools/call', params: { name, arguments: asFields(input) } },
            CallToolResultSchema,
            {
              signal,
              timeout: timeoutSeconds * 1_000,
              resetTimeoutOnProgress: true,
              maxTotalTimeout: MOST_SECONDS * 1_000,
            },
          );
          return readContent(result);
        } catch (error) {
          signal.throwIfAborted();
          return failure(explainFailure(error, timeoutSeconds));
        }
      },
      async end() {
        isReady = false;
        await transport.close();
      },
    };
  } catch (error) {
    const why = explainFailure(error, startSeconds);
    await transport.close();
    options.signal.throwIfAborted();
    throw new Error(why, { cause: error });
  }
}

function describeError(error: unknown, seconds: number): string {
  if (error instanceof McpError && error.code === ErrorCode.RequestTimeout)
    return `it did not answer within ${seconds} s`;
  if (error instanceof Error && 'issues' in error) return 'what it answered is nothing that MCP knows';
  return keepHead(error instanceof Error ? error.message : String(error), MOST_ERROR_CHARS);
}

/** Not by the client's own method, which compiles every schema that a server sends. */
async function listTools(client: Client, limits: { timeout: number; signal: AbortSignal }): Promise<ListedTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const found = await client.request({ method: 'tools/list', params }, ListToolsResultSchema, limits);
    tools.push(...found.tools);
    cursor = found.nextCursor;
    if (cursor === undefined) break;
  }
  return tools;
}
