import type { BetaResponseInputItem } from 'openai/resources/beta/responses';
import type {
  ResponseCreateParamsNonStreaming,
  ResponseInputContent,
  ResponseInputItem,
} from 'openai/resources/responses/responses';

type Kinds<Item extends { type?: string | null }> = {
  readonly [K in NonNullable<Item['type']>]: Extract<Item, { type: K }> | Extract<Item, { type?: K | null }>;
};

export const pieces: { readonly [K in ResponseInputContent['type']]: Extract<ResponseInputContent, { type: K }> } = {
  input_text: { type: 'input_text', text: 'see', prompt_cache_breakpoint: { mode: 'explicit' } },
  input_image: { type: 'input_image', detail: 'low', image_url: 'data:image/png;base64,iVBORw0K' },
  input_file: { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0x' },
};

/** One item of every kind that the SDK's own type knows; the type makes tsc refuse a missing one. */
export const items: Kinds<ResponseInputItem> = {
  message: { type: 'message', role: 'user', content: [...Object.values(pieces)] },
  reasoning: {
    type: 'reasoning',
    id: 'rs_1',
    summary: [{ type: 'summary_text', text: 'hm' }],
    encrypted_content: 'ZW5j',
  },
  file_search_call: { type: 'file_search_call', id: 'fs_1', queries: ['q'], status: 'completed', results: null },
  web_search_call: { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'q' } },
  code_interpreter_call: {
    type: 'code_interpreter_call',
    id: 'ci_1',
    code: '1',
    container_id: 'c',
    outputs: null,
    status: 'completed',
  },
  image_generation_call: { type: 'image_generation_call', id: 'ig_1', result: 'iVBORw0K', status: 'completed' },
  mcp_list_tools: { type: 'mcp_list_tools', id: 'mcpl_1', server_label: 's', tools: [] },
  mcp_call: { type: 'mcp_call', id: 'mcp_1', server_label: 's', name: 'n', arguments: '{}', output: 'o' },
  mcp_approval_request: {
    type: 'mcp_approval_request',
    id: 'mcpr_1',
    server_label: 's',
    name: 'n',
    arguments: '{"a": 1}',
  },
  mcp_approval_response: {
    type: 'mcp_approval_response',
    approval_request_id: 'mcpr_1',
    approve: true,
    reason: 'fine',
  },
  function_call: {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'call_1',
    name: 'read',
    arguments: '{ "path": "a" }',
    status: 'completed',
  },
  function_call_output: {
    type: 'function_call_output',
    call_id: 'call_1',
    output: [
      { type: 'input_text', text: 'a' },
      { type: 'input_image', image_url: 'https://example.org/a.png' },
      { type: 'input_file', file_id: 'file_1' },
    ],
  },
  custom_tool_call: { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_2', name: 'patch', input: '*** Begin' },
  custom_tool_call_output: { type: 'custom_tool_call_output', call_id: 'call_2', output: 'done' },
  local_shell_call: {
    type: 'local_shell_call',
    id: 'lsh_1',
    call_id: 'call_3',
    status: 'completed',
    action: { type: 'exec', command: ['ls'], env: {} },
  },
  local_shell_call_output: { type: 'local_shell_call_output', id: 'lsh_1', output: '{"stdout":"a"}' },
  shell_call: {
    type: 'shell_call',
    call_id: 'call_4',
    action: { commands: ['ls', 'pwd'] },
    environment: { type: 'local' },
  },
  shell_call_output: {
    type: 'shell_call_output',
    call_id: 'call_4',
    max_output_length: 1000,
    output: [
      { stdout: 'a b', stderr: '', outcome: { type: 'exit', exit_code: 0 } },
      { stdout: '', stderr: 'late', outcome: { type: 'timeout' } },
    ],
  },
  apply_patch_call: {
    type: 'apply_patch_call',
    call_id: 'call_5',
    status: 'completed',
    operation: { type: 'create_file', path: 'a', diff: '+a' },
  },
  apply_patch_call_output: { type: 'apply_patch_call_output', call_id: 'call_5', status: 'failed', output: 'no' },
  computer_call: {
    type: 'computer_call',
    id: 'cu_1',
    call_id: 'call_6',
    pending_safety_checks: [],
    status: 'completed',
    actions: [{ type: 'screenshot' }],
  },
  computer_call_output: {
    type: 'computer_call_output',
    call_id: 'call_6',
    output: { type: 'computer_screenshot', image_url: 'data:image/png;base64,iVBORw0K' },
  },
  tool_search_call: { type: 'tool_search_call', call_id: 'call_7', execution: 'client', arguments: { query: 'q' } },
  tool_search_output: {
    type: 'tool_search_output',
    call_id: 'call_7',
    execution: 'client',
    tools: [{ type: 'function', name: 'f', parameters: {}, strict: null }],
  },
  additional_tools: { type: 'additional_tools', role: 'developer', tools: [] },
  program: { type: 'program', id: 'prog_1', call_id: 'call_8', code: 'x', fingerprint: 'f' },
  program_output: { type: 'program_output', id: 'po_1', call_id: 'call_8', result: 'r', status: 'completed' },
  compaction: { type: 'compaction', id: 'cmp_1', encrypted_content: 'ZW5j' },
  item_reference: { type: 'item_reference', id: 'msg_0' },
  compaction_trigger: { type: 'compaction_trigger' },
};

type BetaOnly = Exclude<NonNullable<BetaResponseInputItem['type']>, NonNullable<ResponseInputItem['type']>>;

export const betaItems: { readonly [K in BetaOnly]: Extract<BetaResponseInputItem, { type: K }> } = {
  agent_message: {
    type: 'agent_message',
    author: 'a',
    recipient: 'b',
    content: [{ type: 'encrypted_content', encrypted_content: 'ZW5j' }],
  },
  multi_agent_call: { type: 'multi_agent_call', call_id: 'call_9', action: 'spawn_agent', arguments: '{}' },
  multi_agent_call_output: {
    type: 'multi_agent_call_output',
    call_id: 'call_9',
    action: 'spawn_agent',
    output: [{ type: 'output_text', text: 'up' }],
  },
};

const answer: ResponseInputItem = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  phase: 'commentary',
  content: [
    { type: 'output_text', text: 'one', annotations: [{ type: 'file_path', file_id: 'f', index: 0 }] },
    { type: 'output_text', text: 'two', annotations: [] },
    { type: 'refusal', refusal: 'no' },
  ],
};

export const everyKind: ResponseCreateParamsNonStreaming = {
  model: 'gpt-5.6',
  instructions: 'be brief',
  tools: [{ type: 'function', name: 'read', parameters: {}, strict: true }],
  store: false,
  context_management: [{ type: 'compaction', compact_threshold: 200_000 }],
  input: [
    { role: 'developer', content: 'and kind' },
    items.additional_tools,
    { role: 'user', content: 'hello' },
    items.item_reference,
    items.compaction,
    items.message,
    items.mcp_list_tools,
    items.mcp_approval_request,
    items.mcp_approval_response,
    items.mcp_call,
    items.file_search_call,
    items.web_search_call,
    items.code_interpreter_call,
    items.image_generation_call,
    items.program,
    items.program_output,
    items.reasoning,
    answer,
    items.function_call,
    items.custom_tool_call,
    items.local_shell_call,
    items.shell_call,
    items.apply_patch_call,
    items.computer_call,
    items.tool_search_call,
    items.function_call_output,
    items.custom_tool_call_output,
    items.local_shell_call_output,
    items.shell_call_output,
    items.apply_patch_call_output,
    items.computer_call_output,
    items.tool_search_output,
    { type: 'message', role: 'system', content: [{ type: 'input_text', text: 'late rule' }] },
    { role: 'assistant', content: 'easy', phase: 'final_answer' },
    {
      role: 'user',
      content: [
        { type: 'input_image', detail: 'auto', file_id: 'file_2' },
        { type: 'input_file', file_url: 'https://example.org/a.pdf' },
      ],
    },
    { type: 'tool_search_call', arguments: {}, execution: 'server' },
    { type: 'tool_search_output', tools: [], execution: 'server' },
    { role: 'user', content: 'compact now' },
    items.compaction_trigger,
  ],
};

export const betaKinds = {
  model: 'gpt-5.6',
  input: [
    { role: 'user', content: 'go' },
    betaItems.multi_agent_call,
    betaItems.multi_agent_call_output,
    betaItems.agent_message,
    { role: 'user', content: 'on' },
  ],
} satisfies { model: string; input: BetaResponseInputItem[] };
