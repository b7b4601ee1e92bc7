import type { Json } from '@palimpsest/core';
import { type ApiName, apis } from '@palimpsest/wire';
import type { Script, SimRequest } from '../../src/index.ts';
import { throwDice } from './dice.ts';

/** A model that the fuzzer speaks to, and the body it fills with views. */
export interface Target {
  readonly api: ApiName;
  readonly model: string;
  readonly template: Readonly<Record<string, unknown>>;
}

const schema = { type: 'object', properties: { path: { type: 'string' } } };
const TOOLS = ['read_file', 'bash'];
const anthropicTools = TOOLS.map((name) => ({ name, description: name, input_schema: schema }));
const chatTools = TOOLS.map((name) => ({ type: 'function', function: { name, parameters: schema } }));
const responsesTools = TOOLS.map((name) => ({ type: 'function', name, parameters: schema, strict: false }));
const geminiTools = [{ functionDeclarations: TOOLS.map((name) => ({ name, description: name })) }];

/** The four formats; Anthropic with thinking that is bound to its prefix, and without. */
export const targets: readonly Target[] = [
  {
    api: 'anthropic',
    model: 'claude-opus-5-5',
    template: { model: 'claude-opus-5-5', max_tokens: 1_000, messages: [], tools: anthropicTools },
  },
  {
    api: 'anthropic',
    model: 'claude-sonnet-5',
    template: { model: 'claude-sonnet-5', max_tokens: 1_000, messages: [], tools: anthropicTools },
  },
  { api: 'openai-chat', model: 'gpt-4o', template: { model: 'gpt-4o', messages: [], tools: chatTools } },
  {
    api: 'openai-responses',
    model: 'gpt-5.5',
    template: { model: 'gpt-5.5', input: [], tools: responsesTools, store: false },
  },
  { api: 'gemini', model: 'gemini-3-pro-preview', template: { contents: [], tools: geminiTools } },
];

/** The whole answer of a stream or not: Gemini's path of the client asks for a stream, the others take what the body says. */
export const addressOf = (target: Target, url: string): { url: string; key: string } => ({
  url: target.api === 'openai-chat' || target.api === 'openai-responses' ? `${url}/v1` : url,
  key: 'key',
});

export const wireOf = (target: Target) => apis[target.api].wire;

/** Says something at random, thinks where it may, calls tools; a seed repeats all of it. */
export function babbleOf(seed: number): Script {
  const dice = throwDice(seed ^ 0x5eed);
  return (request: SimRequest) => {
    const calls = Array.from({ length: dice.chance(0.6) ? 1 + dice.below(3) : 0 }, (_, i) => ({
      name: dice.pick(TOOLS),
      input: { path: `src/f${dice.below(40)}.ts`, n: i } as { readonly [key: string]: Json },
    }));
    return {
      text:
        dice.chance(0.3) && calls.length > 0 ? '' : `Answer ${request.n}: ${'so it is '.repeat(dice.below(60))}done.`,
      thinking: `Thought ${request.n}: ${'hm '.repeat(dice.below(40))}.`,
      calls,
    };
  };
}
