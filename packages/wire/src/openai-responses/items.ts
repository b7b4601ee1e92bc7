/** The kinds of items that the host answers, and what it answers with. */
export interface CallKind {
  readonly output: string;
  /** Shown as the tool's name where the item has none. */
  readonly tool?: string;
  /** The fields that may hold what is to be done. */
  readonly input: readonly string[];
}

export const CALL_KINDS: Readonly<Record<string, CallKind>> = {
  function_call: { output: 'function_call_output', input: ['arguments'] },
  custom_tool_call: { output: 'custom_tool_call_output', input: ['input'] },
  shell_call: { output: 'shell_call_output', tool: 'shell', input: ['action'] },
  local_shell_call: { output: 'local_shell_call_output', tool: 'local_shell', input: ['action'] },
  apply_patch_call: { output: 'apply_patch_call_output', tool: 'apply_patch', input: ['operation'] },
  computer_call: { output: 'computer_call_output', tool: 'computer', input: ['action', 'actions'] },
  tool_search_call: { output: 'tool_search_output', tool: 'tool_search', input: ['arguments'] },
  mcp_approval_request: { output: 'mcp_approval_response', input: ['arguments'] },
};

/** Kinds whose input travels as a string of JSON. */
export const isSpelled = (type: string): boolean => type === 'function_call' || type === 'mcp_approval_request';

const OUTPUTS = new Set(Object.values(CALL_KINDS).map(({ output }) => output));

export const isOutput = (type: unknown): boolean => typeof type === 'string' && OUTPUTS.has(type);

/** Pairs of which the server writes both halves; the rest of its items say all in one. */
const SERVER_PAIRS: Readonly<Record<string, string>> = {
  program: 'program_output',
  multi_agent_call: 'multi_agent_call_output',
  tool_search_call: 'tool_search_output',
};

export const serverOutput = (type: unknown): string | undefined =>
  typeof type === 'string' ? SERVER_PAIRS[type] : undefined;

export const isServerOutput = (type: unknown): boolean =>
  typeof type === 'string' && Object.values(SERVER_PAIRS).includes(type);

/** What the model or the server wrote; unknown kinds are taken as such unless they sound like an answer. */
export const isOfAssistant = (type: string): boolean =>
  isServerOutput(type) || (type !== 'compaction_trigger' && !/_(output|response)$/.test(type));
