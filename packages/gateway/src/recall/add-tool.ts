import { asFields, asList, type Fields } from '@palimpsest/core/json';
import { recallTool } from '@palimpsest/sdk/recall-tool';
import type { ApiName } from '@palimpsest/wire';
import { TOOL_NAME } from './merge/merger.ts';

const { description, schema } = recallTool(() => undefined);

const DEFINITION = { name: TOOL_NAME, description };

type AddTool = (tools: readonly unknown[]) => readonly unknown[] | undefined;

const ADD: Readonly<Record<ApiName, AddTool>> = {
  anthropic: (tools) => [...tools, { ...DEFINITION, input_schema: schema }],
  'openai-chat': (tools) => [...tools, { type: 'function', function: { ...DEFINITION, parameters: schema } }],
  'openai-responses': (tools) => [...tools, { type: 'function', ...DEFINITION, parameters: schema, strict: false }],
  gemini(tools) {
    const at = tools.findIndex((tool) => Array.isArray(asFields(tool).functionDeclarations));
    if (at < 0) return undefined;
    const before = asFields(tools[at]);
    const functionDeclarations = [
      ...asList(before.functionDeclarations),
      { ...DEFINITION, parametersJsonSchema: schema },
    ];
    return tools.map((tool, i) => (i === at ? { ...before, functionDeclarations } : tool));
  },
};

/** Whether the client has a tool of that name itself: opencode names those of an MCP server called palimpsest so. */
const hasName = (tool: unknown): boolean => {
  const { name, function: inner, functionDeclarations, tools } = asFields(tool);
  const isNamed = name === TOOL_NAME || asFields(inner).name === TOOL_NAME;
  return isNamed || [...asList(functionDeclarations), ...asList(tools)].some(hasName);
};

/**
 * The body with the tool behind the client's own. Undefined: a request without tools is no agent's, of several answers at once none
 * could be made one, and two tools of one name are refused; those never have it.
 */
export function addTool(api: ApiName, body: Fields): Fields | undefined {
  if (Number(body.n ?? asFields(body.generationConfig).candidateCount ?? 1) > 1) return undefined;
  const tools = asList(body.tools);
  const items = api === 'openai-responses' ? asList(body.input) : [];
  if ([...tools, ...items.filter(isToolItem)].some(hasName)) return undefined;
  if (tools.length === 0) return addToItem(body, items);
  const added = ADD[api](tools);
  return added === undefined ? undefined : { ...body, tools: added };
}

const isToolItem = (item: unknown): boolean => asFields(item).type === 'additional_tools';
const isNamespace = (tool: unknown): boolean => asFields(tool).type === 'namespace';

/** codex gives its newest models their tools in an item of the input: its own ones in its first namespace, where this goes too. */
function addToItem(body: Fields, items: readonly unknown[]): Fields | undefined {
  const at = items.findIndex((item) => isToolItem(item) && asList(asFields(item).tools).length > 0);
  if (at < 0) return undefined;
  const item = asFields(items[at]);
  const tools = asList(item.tools);
  const place = tools.findIndex(isNamespace);
  const more = ADD['openai-responses'];
  const added =
    place < 0
      ? more(tools)
      : tools.map((tool, i) => (i === place ? { ...asFields(tool), tools: more(asList(asFields(tool).tools)) } : tool));
  return { ...body, input: items.map((one, i) => (i === at ? { ...item, tools: added } : one)) };
}
