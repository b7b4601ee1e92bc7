import { describe, expect, it } from 'vitest';
import {
  anthropicMessages,
  gemini,
  openaiChat,
  openaiResponses,
  overflowedSilently,
  overflowOf,
} from '../src/index.ts';

const wires = [anthropicMessages, openaiChat, openaiResponses, gemini];

interface Wording {
  readonly vendor: string;
  readonly status: number;
  readonly body: unknown;
  readonly maximum?: number;
  readonly actual?: number;
}

const openai = (message: string, code: string | null = null) => ({
  error: { message, type: 'invalid_request_error', param: null, code },
});

/** As the vendors answer, with the numbers that can be learned from it. */
const wordings: readonly Wording[] = [
  {
    vendor: 'Anthropic',
    status: 400,
    body: {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 213462 tokens > 200000 maximum' },
      request_id: 'r',
    },
    maximum: 200_000,
    actual: 213_462,
  },
  {
    vendor: 'Anthropic, with max_tokens',
    status: 400,
    body: {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message:
          'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again',
      },
    },
    maximum: 200_000,
    actual: 209_573,
  },
  {
    vendor: 'Anthropic, bytes',
    status: 413,
    body: { type: 'error', error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } },
  },
  {
    vendor: 'Anthropic, bytes, from the load balancer',
    status: 413,
    body: '<html><body>Payload Too Large</body></html>',
  },
  {
    vendor: 'Bedrock',
    status: 400,
    body: { __type: 'ValidationException', message: 'Input is too long for requested model.' },
  },
  {
    vendor: 'OpenAI',
    status: 400,
    body: openai(
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
      'context_length_exceeded',
    ),
  },
  { vendor: 'OpenAI, the code alone', status: 400, body: openai('', 'context_length_exceeded') },
  { vendor: 'OpenAI, the newer wording', status: 400, body: openai("Your input exceeds the model's context window.") },
  {
    vendor: 'OpenAI, of old',
    status: 400,
    body: openai(
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130512 tokens. Please reduce the length of the messages.",
      'context_length_exceeded',
    ),
    maximum: 128_000,
    actual: 130_512,
  },
  {
    vendor: 'OpenAI, in a stream',
    status: 200,
    body: {
      type: 'response.failed',
      response: {
        status: 'failed',
        error: { code: 'context_length_exceeded', message: 'Your input exceeds the context window of this model.' },
      },
    },
  },
  {
    vendor: 'Gemini',
    status: 400,
    body: {
      error: {
        code: 400,
        message: 'The input token count (1203334) exceeds the maximum number of tokens allowed (1048576).',
        status: 'INVALID_ARGUMENT',
      },
    },
    maximum: 1_048_576,
    actual: 1_203_334,
  },
  {
    vendor: 'Gemini, in a list',
    status: 400,
    body: [
      { error: { code: 400, message: 'The input token count exceeds the maximum number of tokens allowed 1048576.' } },
    ],
    maximum: 1_048_576,
  },
  {
    vendor: 'Vertex',
    status: 400,
    body: {
      error: {
        message: 'Unable to submit request because the input token count is 32825 but model only supports up to 32768.',
      },
    },
    maximum: 32_768,
    actual: 32_825,
  },
  {
    vendor: 'xAI',
    status: 400,
    body: { error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens." },
    maximum: 131_072,
    actual: 537_812,
  },
  { vendor: 'Groq', status: 400, body: openai('Please reduce the length of the messages or completion.') },
  {
    vendor: 'OpenRouter',
    status: 400,
    body: openai(
      "This endpoint's maximum context length is 32,768 tokens. However, you requested about 42,832 tokens (42,832 of text input).",
    ),
    maximum: 32_768,
    actual: 42_832,
  },
  {
    vendor: 'a gateway that wraps the answer in a string',
    status: 400,
    body: {
      error: {
        message: 'Provider returned error',
        code: 400,
        metadata: { raw: JSON.stringify({ error: { message: 'prompt is too long: 213462 tokens > 200000 maximum' } }) },
      },
    },
    maximum: 200_000,
    actual: 213_462,
  },
  {
    vendor: 'a gateway that answers 200',
    status: 200,
    body: { error: { code: 400, message: 'maximum context length is 8192 tokens' } },
    maximum: 8192,
  },
  {
    vendor: 'vLLM',
    status: 400,
    body: {
      object: 'error',
      message:
        "This model's maximum context length is 32768 tokens. However, you requested 40000 tokens (39000 in the messages, 1000 in the completion).",
      code: 400,
    },
    maximum: 32_768,
    actual: 40_000,
  },
  {
    vendor: 'vLLM, newer',
    status: 400,
    body: openai(
      "This model's maximum context length is 262144 tokens. However, you requested 0 output tokens and your prompt contains at least 262145 input tokens, for a total of at least 262145 tokens.",
    ),
    maximum: 262_144,
    actual: 262_145,
  },
  {
    vendor: 'Copilot',
    status: 400,
    body: openai('prompt token count of 135001 exceeds the limit of 128000', 'model_max_prompt_tokens_exceeded'),
    maximum: 128_000,
    actual: 135_001,
  },
  {
    vendor: 'llama.cpp',
    status: 500,
    body: {
      error: {
        code: 500,
        message:
          'the request exceeds the available context size. try increasing the context size or enable context shift',
        type: 'invalid_request_error',
      },
    },
  },
  {
    vendor: 'llama.cpp, with numbers',
    status: 400,
    body: {
      error: {
        code: 400,
        message: 'request (9001 tokens) exceeds the available context size (8192 tokens), try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 9001,
        n_ctx: 8192,
      },
    },
    maximum: 8192,
    actual: 9001,
  },
  {
    vendor: 'LM Studio',
    status: 400,
    body: {
      error:
        'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 9001>= n_ctx: 4096). Try to load the model with a larger context length',
    },
    maximum: 4096,
    actual: 9001,
  },
  {
    vendor: 'MiniMax',
    status: 400,
    body: {
      type: 'error',
      error: { type: 'bad_request_error', message: 'invalid params, context window exceeds limit (2013)' },
    },
  },
  {
    vendor: 'Kimi',
    status: 400,
    body: openai('Invalid request: Your request exceeded model token limit: 131072 (requested: 140233)'),
    maximum: 131_072,
    actual: 140_233,
  },
  {
    vendor: 'Mistral',
    status: 400,
    body: {
      object: 'error',
      message:
        'Prompt contains 140001 tokens and 0 draft tokens, too large for model with 131072 maximum context length',
      type: 'invalid_request_error',
    },
    maximum: 131_072,
    actual: 140_001,
  },
  {
    vendor: 'Cohere',
    status: 400,
    body: {
      message:
        'too many tokens: size limit exceeded by 19296 tokens. Try using shorter or fewer inputs. The limit for this model is 132000 tokens.',
    },
    maximum: 132_000,
  },
  { vendor: 'Cerebras', status: 400, body: undefined },
  { vendor: 'Cerebras, bytes', status: 413, body: '' },
  { vendor: 'Cerebras, as an SDK puts it', status: 400, body: '400 status code (no body)' },
];

describe('"too long" in every wording', () => {
  it.each(wordings)('$vendor', ({ status, body, maximum, actual }) => {
    for (const wire of wires) {
      const failure = wire.failure(status, body);
      expect(failure).toMatchObject({ type: 'overflow' });
      const { maximum: stated, actual: size } = failure as Partial<Wording>;
      expect([stated, size]).toEqual([maximum, actual]);
    }
  });

  it('a status of 429 or 529 never means it, whatever it says', () => {
    for (const { body } of wordings)
      for (const wire of wires) {
        expect(wire.failure(429, body)?.type).not.toBe('overflow');
        expect(wire.failure(529, body)?.type).not.toBe('overflow');
      }
    for (const { body } of wordings)
      expect([overflowOf(429, body), overflowOf(529, body)]).toEqual([undefined, undefined]);
  });

  it.each([
    ['a quota by the minute', 400, openai('This request exceeds the limit of 30000 tokens per minute')],
    [
      'an organization over its rate',
      400,
      openai('Request too large for gpt-4 on tokens per min (TPM): Limit 30000, Requested 40000'),
    ],
    ['a broken request', 400, openai("Invalid 'messages': empty array.")],
    [
      'an echo of what the user sent',
      400,
      { error: { message: 'invalid role', param: 'prompt is too long', input: 'maximum context length is 5' } },
    ],
    ['a server error without a body', 500, undefined],
    ['no permission', 403, ''],
  ])('%s is not one', (_, status, body) => {
    for (const wire of wires) expect(wire.failure(status, body)?.type).not.toBe('overflow');
  });

  it('an answer cut off at the end of the window is one, with status 200', () => {
    expect(anthropicMessages.failure(200, { stop_reason: 'model_context_window_exceeded' })?.type).toBe('overflow');
    expect(
      anthropicMessages.failure(200, { type: 'message_delta', delta: { stop_reason: 'model_context_window_exceeded' } })
        ?.type,
    ).toBe('overflow');
    expect(openaiChat.failure(200, { choices: [{ finish_reason: 'model_context_window_exceeded' }] })?.type).toBe(
      'overflow',
    );
  });

  it('a provider that says nothing shows it by a usage beyond the window', () => {
    expect(overflowedSilently({ input: 90, cacheRead: 20 }, 100)).toBe(true);
    expect(overflowedSilently({ input: 90, output: 50 }, 100)).toBe(false);
  });
});
