import type { Fields } from '@palimpsest/core/json';
import type { ApiName as ProviderName } from '@palimpsest/wire';
import type { ModelRequest, ToolDefinition } from '../model.ts';

/** What a body says besides the conversation. */
export interface BodySettings {
  readonly model: string;
  /** Tokens an answer may have. */
  readonly maxOutput: number;
  /** True where the base URL is the vendor's own; servers that imitate one know fewer fields. */
  readonly isVendor: boolean;
}

type Asking = Pick<ModelRequest, 'system' | 'tools'>;

/** A body that asks for a stream: system prompt, tools and limit are in it, the conversation is not. */
export const requestBody = (provider: ProviderName, settings: BodySettings, asking: Asking): Fields =>
  BODIES[provider](settings, asking);

const BODIES: Readonly<Record<ProviderName, (settings: BodySettings, asking: Asking) => Fields>> = {
  anthropic: ({ model, maxOutput }, { system, tools }) => ({
    model,
    max_tokens: maxOutput,
    stream: true,
    ...(system === '' ? {} : { system: [{ type: 'text', text: system }] }),
    ...listTools(tools, ({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
    messages: [],
  }),
  'openai-chat': ({ model, maxOutput, isVendor }, { system, tools }) => ({
    model,
    // The vendor's reasoning models refuse the old name; servers that imitate it know no other.
    ...(isVendor ? { max_completion_tokens: maxOutput } : { max_tokens: maxOutput }),
    stream: true,
    stream_options: { include_usage: true },
    ...listTools(tools, (tool) => ({ type: 'function', function: tool })),
    messages: system === '' ? [] : [{ role: 'system', content: system }],
  }),
  'openai-responses': ({ model, maxOutput }, { system, tools }) => ({
    model,
    max_output_tokens: maxOutput,
    stream: true,
    // The conversation lives here and nowhere else; reasoning comes back encrypted so that it can be sent again.
    store: false,
    include: ['reasoning.encrypted_content'],
    ...(system === '' ? {} : { instructions: system }),
    ...listTools(tools, (tool) => ({ type: 'function', ...tool, strict: false })),
    input: [],
  }),
  gemini: ({ maxOutput }, { system, tools }) => ({
    ...(system === '' ? {} : { systemInstruction: { parts: [{ text: system }] } }),
    ...(tools.length === 0 ? {} : { tools: [{ functionDeclarations: tools.map(declareFunction) }] }),
    generationConfig: { maxOutputTokens: maxOutput },
    contents: [],
  }),
};

const declareFunction = ({ name, description, parameters }: ToolDefinition): Fields => ({
  name,
  description,
  parametersJsonSchema: parameters,
});

/** An empty list of tools is refused by some. */
const listTools = (tools: readonly ToolDefinition[], spell: (tool: ToolDefinition) => Fields): Fields =>
  tools.length === 0
    ? {}
    : { tools: tools.map(({ name, description, parameters }) => spell({ name, description, parameters })) };
