import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { ChatOpenAI } from '@langchain/openai';
import type { Workshop } from '@palimpsest/sim';
import { palimpsestMiddleware } from '@palimpsest/wire/ai-sdk';
import { palimpsest as anthropicMiddleware, type KeepOptions } from '@palimpsest/wire/anthropic';
import { palimpsest as langChainMiddleware } from '@palimpsest/wire/langchain';
import { palimpsest as openaiFetch } from '@palimpsest/wire/openai';
import { tool as aiTool, generateText, isLoopFinished, jsonSchema, type ToolSet, wrapLanguageModel } from 'ai';
import { createAgent, createMiddleware, tool as langChainTool } from 'langchain';
import OpenAI from 'openai';

/** What an agent works with. Nothing in its loop knows of windows, retries or refusals. */
export interface Work {
  readonly url: string;
  readonly key: string;
  readonly workshop: Workshop;
  readonly task: string;
  /** Absent: the same agent without Palimpsest. */
  readonly keep?: KeepOptions;
  /** Streamed answers, where the loop is our own. */
  readonly stream?: boolean;
}

/** Works until the model is done, and says what it said last. */
export type Agent = (work: Work) => Promise<string>;

const SYSTEM = 'You look through a folder of source code, file by file, and answer when you are done.';
const MAX_OUTPUT = 1_024;

const input = (value: unknown): Record<string, unknown> => value as Record<string, unknown>;
const parsed = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

const anthropic: Agent = async ({ url, key, workshop, task, keep, stream }) => {
  const middleware = keep === undefined ? [] : [anthropicMiddleware(keep)];
  const client = new Anthropic({ baseURL: url, apiKey: key, middleware });
  const tools = workshop.tools.map(({ name, description, schema }) => ({
    name,
    description,
    input_schema: { ...schema, required: [...schema.required] },
  }));
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: task }];
  for (;;) {
    const body = { model: 'claude-sonnet-5', max_tokens: MAX_OUTPUT, system: SYSTEM, tools, messages };
    const answer = stream ? await client.messages.stream(body).finalMessage() : await client.messages.create(body);
    messages.push({ role: 'assistant', content: answer.content });
    const calls = answer.content.filter((block) => block.type === 'tool_use');
    if (calls.length === 0) return answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    messages.push({
      role: 'user',
      content: calls.map((call) => ({
        type: 'tool_result',
        tool_use_id: call.id,
        content: workshop.run(call.name, input(call.input)),
      })),
    });
  }
};

const openai = ({ url, key, keep }: Work): OpenAI =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: key, ...(keep === undefined ? {} : { fetch: openaiFetch(keep) }) });

const openaiChat: Agent = async (work) => {
  const client = openai(work);
  const tools = work.workshop.tools.map(({ name, description, schema }) => ({
    type: 'function' as const,
    function: { name, description, parameters: { ...schema } },
  }));
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: work.task },
  ];
  for (;;) {
    const body = { model: 'gpt-5.5', max_completion_tokens: MAX_OUTPUT, tools, messages };
    const { choices } = work.stream
      ? await client.chat.completions.stream({ ...body, stream_options: { include_usage: true } }).finalChatCompletion()
      : await client.chat.completions.create(body);
    const { message } = choices[0]!;
    messages.push(message);
    const calls = message.tool_calls ?? [];
    if (calls.length === 0) return message.content ?? '';
    for (const call of calls)
      if (call.type === 'function')
        messages.push({
          role: 'tool',
          tool_call_id: call.id,
          content: work.workshop.run(call.function.name, parsed(call.function.arguments)),
        });
  }
};

const openaiResponses: Agent = async (work) => {
  const client = openai(work);
  const tools = work.workshop.tools.map(({ name, description, schema }) => ({
    type: 'function' as const,
    name,
    description,
    parameters: { ...schema },
    strict: false,
  }));
  const items: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: work.task }];
  for (;;) {
    const body = {
      model: 'gpt-5.5',
      instructions: SYSTEM,
      max_output_tokens: MAX_OUTPUT,
      store: false,
      tools,
      input: items,
    };
    const answer = work.stream
      ? await client.responses.stream(body).finalResponse()
      : await client.responses.create(body);
    items.push(...(answer.output as OpenAI.Responses.ResponseInputItem[]));
    const calls = answer.output.flatMap((item) => (item.type === 'function_call' ? [item] : []));
    if (calls.length === 0) return answer.output_text;
    for (const call of calls)
      items.push({
        type: 'function_call_output',
        call_id: call.call_id,
        output: work.workshop.run(call.name, parsed(call.arguments)),
      });
  }
};

const aiSdk: Agent = async ({ url, key, workshop, task, keep }) => {
  const bare = createOpenAICompatible({ name: 'sim', baseURL: `${url}/v1`, apiKey: key })('gpt-5.5');
  const model = keep === undefined ? bare : wrapLanguageModel({ model: bare, middleware: palimpsestMiddleware(keep) });
  const tools: ToolSet = Object.fromEntries(
    workshop.tools.map(({ name, description, schema }) => [
      name,
      aiTool({
        description,
        inputSchema: jsonSchema<Record<string, unknown>>({ ...schema, required: [...schema.required] }),
        execute: async (given) => workshop.run(name, given),
      }),
    ]),
  );
  const { text } = await generateText({
    model,
    tools,
    system: SYSTEM,
    prompt: task,
    maxOutputTokens: MAX_OUTPUT,
    stopWhen: isLoopFinished(),
  });
  return text;
};

const langChain: Agent = async ({ url, key, workshop, task, keep }) => {
  const agent = createAgent({
    model: new ChatOpenAI({
      model: 'gpt-4.1',
      apiKey: key,
      maxTokens: MAX_OUTPUT,
      configuration: { baseURL: `${url}/v1` },
    }),
    systemPrompt: SYSTEM,
    tools: workshop.tools.map(({ name, description, schema }) =>
      langChainTool(async (given) => workshop.run(name, input(given)), {
        name,
        description,
        schema: { ...schema, required: [...schema.required] },
      }),
    ),
    middleware: keep === undefined ? [] : [createMiddleware(langChainMiddleware(keep))],
  });
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: task }] }, { recursionLimit: 10_000 });
  return messages.at(-1)!.text;
};

export const AGENTS = {
  'Anthropic SDK': anthropic,
  'OpenAI SDK, chat': openaiChat,
  'OpenAI SDK, responses': openaiResponses,
  'AI SDK': aiSdk,
  LangChain: langChain,
} as const satisfies Readonly<Record<string, Agent>>;
