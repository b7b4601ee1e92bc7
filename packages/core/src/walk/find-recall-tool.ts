import { asFields, isFields } from '../json.ts';

/** As we call it, or as a host calls a tool of a server. */
const RECALL = /(?:^|__|[.:/]|palimpsest_)recall$/;
/** As the gateway calls its own, which it answers itself. */
const OWN = 'palimpsest_recall';
/** Names stand no deeper than this: in a list, in a function of it, in a list of declarations. */
const MOST_DEPTH = 4;

/**
 * The name of the tool by which a model can read what was hidden, where the tools that are sent, in any provider's form, have one. Of
 * several it is the one under our name. One that says what it takes, and takes no `reference`, is something else's.
 */
export function findRecallTool(tools: unknown): string | undefined {
  const names = [...listNamed(tools), ...listRecalls(tools, MOST_DEPTH)];
  return names.find((name) => name === OWN) ?? names.find((name) => name.includes('palimpsest')) ?? names[0];
}

/** Some hosts list their tools under their names. */
function* listNamed(tools: unknown): Generator<string, void> {
  if (!isFields(tools)) return;
  for (const [name, tool] of Object.entries(tools)) if (isRecall(name, tool)) yield name;
}

function* listRecalls(tools: unknown, depth: number): Generator<string, void> {
  if (depth === 0) return;
  if (Array.isArray(tools)) for (const one of tools) yield* listRecalls(one, depth - 1);
  if (!isFields(tools)) return;
  const { name, function: inner, functionDeclarations, tools: more } = tools;
  if (typeof name !== 'string') for (const one of [inner, functionDeclarations]) yield* listRecalls(one, depth - 1);
  else if (more === undefined && isRecall(name, tools)) yield name;
  // A namespace has a name of its own, and tools in it.
  yield* listRecalls(more, depth - 1);
}

function isRecall(name: string, tool: unknown): boolean {
  if (!RECALL.test(name)) return false;
  const { input_schema, inputSchema, parameters, parametersJsonSchema } = asFields(tool);
  const schema = [input_schema, inputSchema, parameters, parametersJsonSchema].find(isFields);
  const properties = schema?.properties;
  return !isFields(properties) || Object.hasOwn(properties, 'reference');
}
