import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { ChatOpenAI } from '@langchain/openai';
import { Agent as AgentsAgent, tool as agentsTool, Runner } from '@openai/agents-core';
import { OpenAIProvider } from '@openai/agents-openai';
import { palimpsestMiddleware } from '@palimpsest/sdk/ai-sdk';
import { palimpsest as anthropicMiddleware, type KeepOptions } from '@palimpsest/sdk/anthropic';
import { palimpsest as langChainMiddleware } from '@palimpsest/sdk/langchain';
import { palimpsest as openaiFetch } from '@palimpsest/sdk/openai';
import type { Workshop } from '@palimpsest/sim';
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
const parse = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

const runAnthropic = async (
  { url, key, workshop, task, keep, stream }: Work,
  system: Anthropic.MessageCreateParams['system'] & {},
): Promise<string> => {
  const middleware = keep === undefined ? [] : [anthropicMiddleware(keep)];
  const client = new Anthropic({ baseURL: url, apiKey: key, middleware });
  const tools = workshop.tools.map(({ name, description, schema }) => ({
    name,
    description,
    input_schema: { ...schema, required: [...schema.required] },
  }));
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: task }];
  for (;;) {
    const body = { model: 'claude-sonnet-5', max_tokens: MAX_OUTPUT, system, tools, messages };
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

const anthropic: Agent = (work) => runAnthropic(work, SYSTEM);

/** The host caches its system prompt itself, and nothing else. */
const anthropicOwnMark: Agent = (work) =>
  runAnthropic(work, [{ type: 'text', text: SYSTEM, cache_control: { type: 'ephemeral' } }]);

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
          content: work.workshop.run(call.function.name, parse(call.function.arguments)),
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
        output: work.workshop.run(call.name, parse(call.arguments)),
      });
  }
};

const aiSdk =
  (makeModel: (url: string, apiKey: string) => Parameters<typeof wrapLanguageModel>[0]['model']): Agent =>
  async ({ url, key, workshop, task, keep }) => {
    const bare = makeModel(url, key);
    const model =
      keep === undefined ? bare : wrapLanguageModel({ model: bare, middleware: palimpsestMiddleware(keep) });
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

/** By `fetch`: the SDK's own loop, session and retries, and nothing of ours but the client's transport. */
const openaiAgents: Agent = async (work) => {
  const agent = new AgentsAgent({
    name: 'worker',
    instructions: SYSTEM,
    model: 'gpt-5.5',
    modelSettings: { store: false, maxTokens: MAX_OUTPUT },
    tools: work.workshop.tools.map(({ name, description, schema }) =>
      agentsTool({
        name,
        description,
        strict: false,
        parameters: { ...schema, required: [...schema.required], additionalProperties: true },
        execute: async (given) => work.workshop.run(name, input(given)),
      }),
    ),
  });
  const modelProvider = new OpenAIProvider({ openAIClient: openai(work), useResponses: true });
  const runner = new Runner({ modelProvider, tracingDisabled: true });
  const { finalOutput } = await runner.run(agent, work.task, { maxTurns: 10_000 });
  return finalOutput ?? '';
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
  'AI SDK': aiSdk((url, apiKey) => createOpenAICompatible({ name: 'sim', baseURL: `${url}/v1`, apiKey })('gpt-5.5')),
  LangChain: langChain,
  'Anthropic SDK, own mark': anthropicOwnMark,
  'AI SDK, Anthropic': aiSdk((url, apiKey) => createAnthropic({ baseURL: `${url}/v1`, apiKey })('claude-sonnet-5')),
  'AI SDK, responses': aiSdk((url, apiKey) => createOpenAI({ baseURL: `${url}/v1`, apiKey }).responses('gpt-5.5')),
  'OpenAI Agents SDK': openaiAgents,
} as const satisfies Readonly<Record<string, Agent>>;
