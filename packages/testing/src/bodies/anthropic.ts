import type { BetaContentBlockParam, MessageCreateParamsNonStreaming } from '@anthropic-ai/sdk/resources/beta/messages';
import type {
  BetaMessageParam,
  BetaToolResultContentBlockParam,
} from '@anthropic-ai/sdk/resources/beta/messages/messages';

type Kinds<Block extends { type: string }> = { readonly [K in Block['type']]: Extract<Block, { type: K }> };

const cached = { type: 'ephemeral', ttl: '1h' } as const;
const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0x' } as const;
const png = { type: 'base64', media_type: 'image/png', data: 'iVBORw0K' } as const;

/** One block of every kind that the SDK's own type knows; the type makes tsc refuse a missing one. */
export const blocks: Kinds<BetaContentBlockParam> = {
  text: {
    type: 'text',
    text: 'as the file says',
    citations: [
      {
        type: 'char_location',
        cited_text: 'x',
        document_index: 0,
        document_title: null,
        start_char_index: 0,
        end_char_index: 1,
      },
      {
        type: 'page_location',
        cited_text: 'x',
        document_index: 0,
        document_title: 't',
        start_page_number: 1,
        end_page_number: 2,
      },
      {
        type: 'content_block_location',
        cited_text: 'x',
        document_index: 0,
        document_title: null,
        start_block_index: 0,
        end_block_index: 1,
      },
      {
        type: 'web_search_result_location',
        cited_text: 'x',
        encrypted_index: 'e',
        title: null,
        url: 'https://example.org',
      },
      {
        type: 'search_result_location',
        cited_text: 'x',
        search_result_index: 0,
        source: 's',
        title: null,
        start_block_index: 0,
        end_block_index: 1,
      },
    ],
  },
  image: { type: 'image', source: png, transformations: { oversized_image: 'downsize' } },
  document: { type: 'document', source: pdf, title: 'plan.pdf', context: 'the plan', citations: { enabled: true } },
  search_result: { type: 'search_result', source: 's', title: 't', content: [{ type: 'text', text: 'found' }] },
  thinking: { type: 'thinking', thinking: 'let me see', signature: 'c2lnbmVk' },
  redacted_thinking: { type: 'redacted_thinking', data: 'aGlkZGVu' },
  tool_use: { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a.ts' }, caller: { type: 'direct' } },
  tool_result: { type: 'tool_result', tool_use_id: 'toolu_1', content: 'the file', is_error: false },
  server_tool_use: { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } },
  web_search_tool_result: {
    type: 'web_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: [
      { type: 'web_search_result', title: 't', url: 'https://example.org', encrypted_content: 'e', page_age: null },
    ],
  },
  web_fetch_tool_result: {
    type: 'web_fetch_tool_result',
    tool_use_id: 'srvtoolu_2',
    content: { type: 'web_fetch_result', url: 'https://example.org', content: { type: 'document', source: pdf } },
  },
  advisor_tool_result: {
    type: 'advisor_tool_result',
    tool_use_id: 'srvtoolu_3',
    content: { type: 'advisor_result', text: 'do it' },
  },
  code_execution_tool_result: {
    type: 'code_execution_tool_result',
    tool_use_id: 'srvtoolu_4',
    content: { type: 'code_execution_result', content: [], return_code: 0, stdout: 'ok', stderr: '' },
  },
  bash_code_execution_tool_result: {
    type: 'bash_code_execution_tool_result',
    tool_use_id: 'srvtoolu_5',
    content: { type: 'bash_code_execution_tool_result_error', error_code: 'unavailable' },
  },
  text_editor_code_execution_tool_result: {
    type: 'text_editor_code_execution_tool_result',
    tool_use_id: 'srvtoolu_6',
    content: { type: 'text_editor_code_execution_view_result', content: 'c', file_type: 'text' },
  },
  tool_search_tool_result: {
    type: 'tool_search_tool_result',
    tool_use_id: 'srvtoolu_7',
    content: {
      type: 'tool_search_tool_search_result',
      tool_references: [{ type: 'tool_reference', tool_name: 'read' }],
    },
  },
  mcp_tool_use: { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'list', server_name: 'files', input: {} },
  mcp_tool_result: { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', content: [{ type: 'text', text: 'a, b' }] },
  container_upload: { type: 'container_upload', file_id: 'file_1' },
  compaction: { type: 'compaction', content: 'what happened before', encrypted_content: 'ZW5j' },
  tool_addition: { type: 'tool_addition', tool: { type: 'tool_reference', name: 'read' } },
  tool_removal: { type: 'tool_removal', tool: { type: 'mcp_toolset_reference', server_name: 'files' } },
  mcp_tool_listing: { type: 'mcp_tool_listing', mcp_server_name: 'files', tools: [{ name: 'list', input_schema: {} }] },
  fallback: {
    type: 'fallback',
    from: { model: 'claude-opus-5-5' },
    to: { model: 'claude-sonnet-5-5' },
    trigger: { type: 'refusal' },
  },
};

/** And of every kind that a result may hold. */
export const resultBlocks: Kinds<BetaToolResultContentBlockParam> = {
  text: { type: 'text', text: 'one line' },
  image: { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } },
  document: { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'plain words' } },
  search_result: blocks.search_result,
  tool_reference: { type: 'tool_reference', tool_name: 'read' },
  browser_state: {
    type: 'browser_state',
    tabs: [{ tab_id: '1', title: 't', url: 'https://example.org', active: true }],
  },
};

const { text, image, document, search_result, thinking, redacted_thinking, tool_use, container_upload, compaction } =
  blocks;

const serverUse = (
  id: number,
  name:
    | 'web_fetch'
    | 'advisor'
    | 'code_execution'
    | 'bash_code_execution'
    | 'text_editor_code_execution'
    | 'tool_search_tool_bm25',
): BetaContentBlockParam => ({
  type: 'server_tool_use',
  id: `srvtoolu_${id}`,
  name,
  input: {},
});

const messages: BetaMessageParam[] = [
  { role: 'user', content: 'look at these' },
  { role: 'assistant', content: [compaction, text] },
  {
    role: 'user',
    content: [
      { ...text, text: 'first', cache_control: cached },
      image,
      { type: 'image', source: { type: 'file', file_id: 'file_2' } },
      document,
      { type: 'document', source: { type: 'url', url: 'https://example.org/a.pdf' } },
      { type: 'document', source: { type: 'file', file_id: 'file_3' }, title: null },
      { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'inner' }, image] } },
      search_result,
      container_upload,
    ],
  },
  {
    role: 'system',
    content: [{ type: 'text', text: 'tools changed' }, blocks.tool_addition, blocks.tool_removal],
    clear_at: 'next_user_message',
  },
  { role: 'system', output_config: { effort: 'low' } },
  {
    role: 'assistant',
    content: [
      thinking,
      redacted_thinking,
      blocks.server_tool_use,
      blocks.web_search_tool_result,
      serverUse(2, 'web_fetch'),
      blocks.web_fetch_tool_result,
      serverUse(3, 'advisor'),
      blocks.advisor_tool_result,
      serverUse(4, 'code_execution'),
      blocks.code_execution_tool_result,
      serverUse(5, 'bash_code_execution'),
      blocks.bash_code_execution_tool_result,
      serverUse(6, 'text_editor_code_execution'),
      blocks.text_editor_code_execution_tool_result,
      serverUse(7, 'tool_search_tool_bm25'),
      blocks.tool_search_tool_result,
      blocks.mcp_tool_listing,
      blocks.mcp_tool_use,
      blocks.mcp_tool_result,
      blocks.fallback,
      tool_use,
      { type: 'tool_use', id: 'toolu_2', name: 'screenshot', input: {}, toolset_name: 'browser', cache_control: null },
    ],
  },
  {
    role: 'user',
    content: [
      blocks.tool_result,
      {
        type: 'tool_result',
        tool_use_id: 'toolu_2',
        toolset_name: 'browser',
        content: Object.values(resultBlocks),
        cache_control: cached,
      },
      { type: 'text', text: 'and then?' },
    ],
  },
];

export const everyKind: MessageCreateParamsNonStreaming = {
  model: 'claude-opus-5-5',
  max_tokens: 4096,
  system: [{ type: 'text', text: 'be brief', cache_control: cached }],
  tools: [
    { name: 'read', input_schema: { type: 'object' }, description: 'reads a file' },
    { type: 'web_search_20260318', name: 'web_search', cache_control: cached },
    { type: 'mcp_toolset', mcp_server_name: 'files' },
  ],
  thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'error' } },
  context_management: { edits: [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 150_000 } }] },
  metadata: { user_id: 'u' },
  messages,
};

/** Old forms and odd ones that are legal all the same. */
export const oddForms: MessageCreateParamsNonStreaming = {
  model: 'claude-haiku-4-5',
  max_tokens: 1,
  system: 'a string',
  messages: [
    { role: 'user', content: 'one' },
    { role: 'user', content: [{ type: 'text', text: 'two' }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'n', input: { b: 1, a: [null, true] } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a' }] },
    { role: 'assistant', content: [{ text: 'keys the other way round', type: 'text' }] },
    {
      role: 'user',
      content: [
        { type: 'text', text: '' },
        { type: 'text', text: 'x' },
      ],
    },
    { role: 'assistant', content: '' },
  ],
};
