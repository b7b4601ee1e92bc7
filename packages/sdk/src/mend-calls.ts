import { asFields, asList } from '@palimpsest/core/json';
import { type CallIdRule, createCallIds, createToolNames, makeRenames } from '@palimpsest/wire/body';

/** Which provider an adapter speaks to is not known here: ids stay as they are, but no two calls go under one. */
const CALL_ID: CallIdRule = { pattern: /^/, maxChars: Number.POSITIVE_INFINITY, trustsBody: true };

/** What every provider takes. */
const TOOL_NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

/**
 * Renames the calls of one request. A name among the request's own `tools` is the adapter's affair; any other that some
 * provider refuses was made up by a model, and would stand in every later request. Without tools, names stay.
 */
export function createRenames(tools: unknown): ReturnType<typeof makeRenames> {
  const declared = new Set(asList(tools).map((tool) => asFields(tool).name));
  const names = createToolNames(TOOL_NAME, [...declared]);
  const spell = (name: string): string => (tools === undefined || declared.has(name) ? name : names.spell(name));
  return makeRenames(createCallIds(CALL_ID, new Set()), { ...names, spell });
}
