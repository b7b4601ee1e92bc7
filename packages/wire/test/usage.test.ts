import { expect, it } from 'vitest';
import { anthropicMessages, gemini, openaiChat, openaiResponses } from '../src/index.ts';

it('Anthropic: the three kinds of input stay apart, and what the server edited is told', () => {
  const reported = anthropicMessages.usage({
    type: 'message',
    usage: {
      input_tokens: 10,
      cache_creation_input_tokens: 20,
      cache_read_input_tokens: 30,
      output_tokens: 5,
      iterations: [
        {
          type: 'compaction',
          input_tokens: 1000,
          output_tokens: 50,
          cache_read_input_tokens: 7,
          cache_creation_input_tokens: 0,
        },
        { type: 'message', input_tokens: 10, output_tokens: 5 },
        { type: 'compaction', input_tokens: 1, output_tokens: 2 },
      ],
    },
    context_management: {
      applied_edits: [
        { type: 'clear_thinking_20251015', cleared_input_tokens: 100, cleared_thinking_turns: 2 },
        { type: 'clear_tool_uses_20250919', cleared_input_tokens: 5000, cleared_tool_uses: 8 },
        { type: 'something_new' },
      ],
    },
  });
  expect(reported).toEqual({
    usage: { input: 10, cacheWrite: 20, cacheRead: 30, output: 5 },
    appliedEdits: [
      { type: 'clear-reasoning', tokens: 100, count: 2 },
      { type: 'clear-results', tokens: 5000, count: 8 },
    ],
    compaction: { input: 1001, output: 52, cacheRead: 7, cacheWrite: 0 },
  });
});

it('Anthropic: a stream tells it in two events, of which the later wins', () => {
  const start = anthropicMessages.usage({
    type: 'message_start',
    message: { usage: { input_tokens: 9, cache_read_input_tokens: 1, output_tokens: 1 } },
  });
  const end = anthropicMessages.usage({
    type: 'message_delta',
    usage: { output_tokens: 44, input_tokens: null },
    context_management: {
      applied_edits: [{ type: 'clear_tool_uses_20250919', cleared_input_tokens: 3, cleared_tool_uses: 1 }],
    },
  });
  expect({ ...start.usage, ...end.usage }).toEqual({ input: 9, cacheRead: 1, output: 44 });
  expect(end.appliedEdits).toHaveLength(1);
});

it('OpenAI and Gemini count cached tokens as input; here the kinds stay apart so that their sum is the context', () => {
  expect(
    openaiChat.usage({
      usage: {
        prompt_tokens: 100,
        completion_tokens: 7,
        prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
      },
    }).usage,
  ).toEqual({ input: 30, output: 7, cacheRead: 60, cacheWrite: 10 });
  expect(
    openaiChat.usage({ usage: { prompt_tokens: 100, completion_tokens: 7, prompt_cache_hit_tokens: 64 } }).usage,
  ).toEqual({ input: 36, output: 7, cacheRead: 64 });
  const responses = {
    input_tokens: 100,
    output_tokens: 7,
    input_tokens_details: { cached_tokens: 60, cache_write_tokens: 0 },
  };
  expect(openaiResponses.usage({ usage: responses }).usage).toEqual({
    input: 40,
    output: 7,
    cacheRead: 60,
    cacheWrite: 0,
  });
  expect(openaiResponses.usage({ type: 'response.completed', response: { usage: responses } }).usage).toEqual({
    input: 40,
    output: 7,
    cacheRead: 60,
    cacheWrite: 0,
  });
  expect(
    gemini.usage({
      usageMetadata: {
        promptTokenCount: 100,
        cachedContentTokenCount: 60,
        candidatesTokenCount: 5,
        thoughtsTokenCount: 2,
      },
    }).usage,
  ).toEqual({ input: 40, output: 7, cacheRead: 60 });
});

it.each([anthropicMessages, openaiChat, openaiResponses, gemini])('$name: what was not reported stays away', (wire) => {
  for (const response of [
    undefined,
    null,
    'text',
    {},
    { usage: null },
    { usage: { input_tokens: 'many', prompt_tokens: Number.NaN } },
  ])
    expect(wire.usage(response)).toEqual({ usage: {}, appliedEdits: [] });
});
