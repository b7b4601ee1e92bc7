import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { Json } from '@palimpsest/core';
import { keepHead } from '@palimpsest/terminal';
import { failure, type Tool, type ToolAnswer } from '../tools/tool.ts';
import type { Permission } from '../world/permission.ts';

/** Providers take no longer name, and only these characters. */
const LONGEST_NAME = 64;
const ODD = /[^a-zA-Z0-9_-]/g;
const DESCRIPTION_CHARS = 2_000;
const SCHEMA_CHARS = 20_000;
const MOST_TOOLS = 128;

interface ServerToolParts {
  readonly server: string;
  readonly permission: Permission;
  readonly call: (tool: string, input: Json, signal: AbortSignal) => Promise<ToolAnswer>;
}

/** What a server listed, as tools of the agent; what cannot be one is left out and counted. */
export function makeServerTools(
  listed: readonly ListedTool[],
  parts: ServerToolParts,
): { readonly tools: readonly Tool[]; readonly leftOut: number } {
  const tools = new Map<string, Tool>();
  for (const one of listed) {
    const name = `mcp__${parts.server}__${one.name.replace(ODD, '_')}`;
    const isFit = name.length <= LONGEST_NAME && JSON.stringify(one.inputSchema).length <= SCHEMA_CHARS;
    if (isFit && !tools.has(name) && tools.size < MOST_TOOLS) tools.set(name, makeTool(name, one, parts));
  }
  return { tools: [...tools.values()], leftOut: listed.length - tools.size };
}

const makeTool = (name: string, listed: ListedTool, { server, permission, call }: ServerToolParts): Tool => ({
  name,
  description: keepHead(listed.description ?? listed.title ?? listed.name, DESCRIPTION_CHARS),
  parameters: listed.inputSchema as Json,
  async run(input, { signal }) {
    const asked = {
      tool: name,
      what: JSON.stringify(input, null, 2),
      why: `it asks the MCP server ${server}`,
      noun: 'this tool',
      forTool: true,
    };
    const refusal = await permission.refusal(asked, signal);
    return refusal === undefined ? call(listed.name, input, signal) : failure(refusal);
  },
});
