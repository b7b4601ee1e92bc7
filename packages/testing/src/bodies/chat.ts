import type {
  ChatCompletionContentPart,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
  ChatCompletionMessageToolCall,
} from 'openai/resources/chat/completions';

type Kinds<Block extends { type: string }> = { readonly [K in Block['type']]: Extract<Block, { type: K }> };
type Roles = { readonly [K in ChatCompletionMessageParam['role']]: Extract<ChatCompletionMessageParam, { role: K }> };

export const pieces: Kinds<ChatCompletionContentPart> = {
  text: { type: 'text', text: 'see here', prompt_cache_breakpoint: { mode: 'explicit' } },
  image_url: { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0K', detail: 'low' } },
  input_audio: { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
  file: { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0x' } },
};

export const calls: Kinds<ChatCompletionMessageToolCall> = {
  function: { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{ "path": "a.ts" }' } },
  custom: { id: 'call_2', type: 'custom', custom: { name: 'patch', input: '*** Begin' } },
};

const roles: Roles = {
  system: { role: 'system', content: [{ type: 'text', text: 'late rule' }], name: 'host' },
  developer: { role: 'developer', content: 'another' },
  user: {
    role: 'user',
    name: 'ann',
    content: [
      ...Object.values(pieces),
      { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
      { type: 'file', file: { file_id: 'file-1' } },
    ],
  },
  assistant: {
    role: 'assistant',
    content: [
      { type: 'text', text: 'so' },
      { type: 'refusal', refusal: 'no' },
    ],
    refusal: null,
    tool_calls: Object.values(calls),
  },
  tool: {
    role: 'tool',
    tool_call_id: 'call_1',
    content: [
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ],
  },
  function: { role: 'function', name: 'old', content: 'result' },
};

export const everyKind: ChatCompletionCreateParamsNonStreaming = {
  model: 'gpt-5.6',
  tools: [
    { type: 'function', function: { name: 'read', parameters: { type: 'object' } } },
    { type: 'custom', custom: { name: 'patch' } },
  ],
  parallel_tool_calls: true,
  prompt_cache_key: 'k',
  messages: [
    { role: 'system', content: 'be brief' },
    { role: 'developer', content: [{ type: 'text', text: 'and kind' }] },
    roles.user,
    roles.assistant,
    roles.tool,
    { role: 'tool', tool_call_id: 'call_2', content: 'done' },
    roles.system,
    roles.developer,
    { role: 'assistant', content: null, function_call: { name: 'old', arguments: '{"a":1}' } },
    roles.function,
    { role: 'assistant', content: null, refusal: 'I will not' },
    { role: 'assistant', audio: { id: 'audio_1' }, content: null, name: 'bot' },
    { role: 'user', content: 'go on' },
  ],
};

/** What servers behind this format add; the SDK does not know it. */
export const extended = {
  model: 'deepseek-reasoner',
  messages: [
    { role: 'user', content: 'q' },
    {
      role: 'assistant',
      content: '',
      reasoning_content: 'hm',
      reasoning: 'hm',
      reasoning_details: [{ type: 'reasoning.text', text: 'hm', signature: 's', index: 0 }],
      annotations: [],
      tool_calls: [
        {
          id: 'c1',
          index: 0,
          type: 'function',
          function: { name: 'f', arguments: '' },
          extra_content: { google: { thought_signature: 't' } },
        },
        { id: 'c2', type: 'function', function: { name: 'f', arguments: 'no json {' } },
        { id: 'c3', function: { name: 'f', arguments: '{"n":12345678901234567890}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', name: 'f', content: '' },
    { role: 'tool', tool_call_id: 'c2', content: 'x' },
    { role: 'tool', tool_call_id: 'c3', content: 'x' },
    {
      role: 'user',
      content: [
        { type: 'video_url', video_url: { url: 'https://example.org/v' } },
        { type: 'text', text: 'see' },
      ],
    },
  ],
};
