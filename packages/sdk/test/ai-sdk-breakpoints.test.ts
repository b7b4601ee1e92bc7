import { describe, expect, it } from 'vitest';
import { aiSdkPrompt } from '../src/ai-sdk/ai-sdk-prompt.ts';

const MARK = { anthropic: { cacheControl: { type: 'ephemeral' } } };
const system = { role: 'system', content: 'Be brief.' };
const talk = [
  { role: 'user', content: [{ type: 'text', text: 'go' }] },
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'f', input: {} }] },
  {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'f', output: { type: 'text', value: 'r' } }],
  },
  { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
  { role: 'user', content: [{ type: 'text', text: 'more' }], providerOptions: { other: { x: 1 } } },
];

function place(prompt: readonly object[], more: object = {}) {
  const body = { prompt, model: 'claude-sonnet-5', provider: 'anthropic.messages', ...more };
  const { messages } = aiSdkPrompt.decode(body);
  return aiSdkPrompt.encode(messages, body, { cacheBreakpoints: true }).body.prompt;
}
const marked = (prompt: readonly unknown[]): readonly number[] =>
  prompt.flatMap((message, i) => (JSON.stringify(message).includes('cacheControl') ? [i] : []));

describe('cache breakpoints of an Anthropic model behind the AI SDK', () => {
  it('stand behind the system prompt, where the last request ended and at the end, beside other options', () => {
    const prompt = place([system, ...talk]);
    expect(marked(prompt)).toEqual([0, 3, 5]);
    expect(prompt.at(-1)).toEqual({ ...talk.at(-1), providerOptions: { other: { x: 1 }, ...MARK } });
  });

  it.each(['vertex.anthropic.messages', 'bedrock.anthropic.messages'])('are set for %s too', (provider) => {
    expect(marked(place(talk, { provider }))).toEqual([2, 4]);
  });

  it('of the caller before the messages stay, and the messages get what is left of four', () => {
    const own = [{ ...system, providerOptions: MARK }, ...talk];
    const tools = ['a', 'b', 'c'].map((name) => ({ type: 'function', name, inputSchema: {}, providerOptions: MARK }));
    expect(marked(place(own))).toEqual([0, 3, 5]);
    expect(marked(place(own, { tools: tools.slice(0, 2) }))).toEqual([0, 5]);
    expect(marked(place(own, { tools }))).toEqual([0]);
  });

  it.each([
    ['the caller marks a message', [{ ...talk[0], providerOptions: MARK }, ...talk.slice(1)], {}],
    [
      'the caller marks a part',
      [{ role: 'user', content: [{ type: 'text', text: 'go', providerOptions: MARK }] }, ...talk.slice(1)],
      {},
    ],
    ['the caller has the server place them', talk, { providerOptions: MARK }],
    ['the model is of another vendor', talk, { provider: 'openai.chat' }],
    ['nobody says whose model it is', talk, { provider: undefined }],
  ])('are not added where %s', (_, prompt, more) => {
    expect(place(prompt, more)).toEqual(prompt);
  });
});
