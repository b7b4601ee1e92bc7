import { type ApiName, apis } from '@palimpsest/wire';

/** What a client did in one step; every text of it has a word that stands nowhere else. */
export type Step =
  | { readonly type: 'said'; readonly text: string; readonly reminder?: string }
  | { readonly type: 'answered'; readonly text: string }
  | { readonly type: 'called'; readonly callId: string; readonly input: string; readonly result: string };

/** A client's history as the body of a wire. `isReminded`: its newest reminder stands in it. */
export function bodyOf(wire: ApiName, steps: readonly Step[], system: string): object {
  const messages = steps.flatMap((step, i) => writers[wire](step, i === steps.length - 1));
  if (wire === 'anthropic') return { model: 'claude-sonnet-5', max_tokens: 1_000, system, messages, tools: [TOOL] };
  if (wire === 'openai-chat')
    return {
      model: 'gpt-5.5',
      messages: [{ role: 'system', content: system }, ...messages],
      tools: [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }],
    };
  if (wire === 'openai-responses')
    return {
      model: 'gpt-5.5',
      instructions: system,
      input: messages,
      tools: [{ type: 'function', name: 'read', parameters: { type: 'object' } }],
    };
  return {
    contents: messages,
    systemInstruction: { parts: [{ text: system }] },
    tools: [{ functionDeclarations: [{ name: 'read' }] }],
  };
}

export const validate = (wire: ApiName, body: object): readonly object[] => apis[wire].wire.validate(body as never);

const TOOL = { name: 'read', description: 'Reads a file.', input_schema: { type: 'object' } };

const wordsOf = (step: Extract<Step, { type: 'said' }>, isLast: boolean): string =>
  step.reminder === undefined || !isLast
    ? step.text
    : `${step.text}\n<system-reminder>${step.reminder}</system-reminder>`;

const writers: Record<ApiName, (step: Step, isLast: boolean) => readonly object[]> = {
  anthropic(step, isLast) {
    if (step.type === 'said') return [{ role: 'user', content: wordsOf(step, isLast) }];
    if (step.type === 'answered') return [{ role: 'assistant', content: [{ type: 'text', text: step.text }] }];
    const { callId: id, input: path, result } = step;
    return [
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: { path } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: result }] },
    ];
  },
  'openai-chat'(step, isLast) {
    if (step.type === 'said') return [{ role: 'user', content: wordsOf(step, isLast) }];
    if (step.type === 'answered') return [{ role: 'assistant', content: step.text }];
    const { callId: id, input: path, result } = step;
    const call = { id, type: 'function', function: { name: 'read', arguments: JSON.stringify({ path }) } };
    return [
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: id, content: result },
    ];
  },
  'openai-responses'(step, isLast) {
    if (step.type === 'said') return [{ role: 'user', content: wordsOf(step, isLast) }];
    if (step.type === 'answered')
      return [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: step.text }] }];
    const { callId: call_id, input: path, result } = step;
    return [
      { type: 'function_call', call_id, name: 'read', arguments: JSON.stringify({ path }) },
      { type: 'function_call_output', call_id, output: result },
    ];
  },
  gemini(step, isLast) {
    if (step.type === 'said') return [{ role: 'user', parts: [{ text: wordsOf(step, isLast) }] }];
    if (step.type === 'answered') return [{ role: 'model', parts: [{ text: step.text }] }];
    const { input: path, result } = step;
    return [
      { role: 'model', parts: [{ functionCall: { name: 'read', args: { path } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'read', response: { output: result } } }] },
    ];
  },
};
