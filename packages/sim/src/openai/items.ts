import { asFields, asList, asString, type Fields } from '@palimpsest/core/json';

/** What a call item is answered with; the server writes the rest of the calls' halves itself. */
export const OUTPUTS: Readonly<Record<string, string>> = {
  function_call: 'function_call_output',
  custom_tool_call: 'custom_tool_call_output',
  shell_call: 'shell_call_output',
  local_shell_call: 'local_shell_call_output',
  apply_patch_call: 'apply_patch_call_output',
  computer_call: 'computer_call_output',
  tool_search_call: 'tool_search_output',
  mcp_approval_request: 'mcp_approval_response',
};

const ANSWERS = new Set(Object.values(OUTPUTS));

const OTHERS = [
  'message',
  'reasoning',
  'item_reference',
  'compaction',
  'compaction_trigger',
  'additional_tools',
  'file_search_call',
  'web_search_call',
  'image_generation_call',
  'code_interpreter_call',
  'mcp_list_tools',
  'mcp_call',
  'program',
  'program_output',
  'multi_agent_call',
  'multi_agent_call_output',
  'agent_message',
];

export const ITEM_TYPES: readonly string[] = [...Object.keys(OUTPUTS), ...ANSWERS, ...OTHERS].sort();

/** An item without a type is a message if it has a role, else it only points to one. */
export const typeOf = (item: Fields): string =>
  asString(item.type) ?? (item.role === undefined ? 'item_reference' : 'message');

export const isOfServer = (item: Fields): boolean => item.execution === 'server';

export const isAnswer = (item: Fields): boolean => ANSWERS.has(typeOf(item)) && !isOfServer(item);

/** What a model may write directly behind its reasoning. */
export function isOfModel(item: Fields): boolean {
  const type = typeOf(item);
  if (type === 'message') return item.role === 'assistant';
  return !isAnswer(item) && type !== 'compaction_trigger';
}

/** A string is short for one message of the user. */
export const listItems = (input: unknown): readonly Fields[] =>
  typeof input === 'string' ? (input === '' ? [] : [{ role: 'user', content: input }]) : asList(input).map(asFields);

/** `function_call_output` as it is spoken of in errors. */
export const spellType = (type: string): string => type.replaceAll('_', ' ');
