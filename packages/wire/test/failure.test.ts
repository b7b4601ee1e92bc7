import { describe, expect, it } from 'vitest';
import { anthropicMessages, type Failure, gemini, openaiChat, openaiResponses } from '../src/index.ts';

const wires = [anthropicMessages, openaiChat, openaiResponses, gemini];

const anthropic = (type: string) => ({ type: 'error', error: { type, message: 'm' }, request_id: 'r' });
const openai = (code: string) => ({ error: { message: 'm', type: code, code } });

const rows: readonly (readonly [string, number, unknown, Failure['type']])[] = [
  ['too many requests', 429, anthropic('rate_limit_error'), 'rate-limited'],
  ['no money left, with a 429', 429, openai('insufficient_quota'), 'quota'],
  ['no money left', 402, anthropic('billing_error'), 'quota'],
  ['overloaded', 529, anthropic('overloaded_error'), 'overloaded'],
  ['overloaded, without a body', 529, undefined, 'overloaded'],
  ['overloaded, in a stream', 200, anthropic('overloaded_error'), 'overloaded'],
  ['overloaded, by a gateway', 503, openai('overloaded'), 'overloaded'],
  ['a rate limit in a stream', 200, { type: 'error', code: 'rate_limit_exceeded', message: 'm' }, 'rate-limited'],
  [
    'exhausted, in a stream',
    200,
    [{ error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'm' } }],
    'rate-limited',
  ],
  ['a wrong key', 401, anthropic('authentication_error'), 'auth'],
  ['a forbidden model', 403, undefined, 'auth'],
  ['an internal error', 500, anthropic('api_error'), 'server'],
  ['an internal error in a stream', 200, anthropic('api_error'), 'server'],
  ['a gateway that gave up', 504, '<html>504</html>', 'server'],
  ['a timeout', 408, undefined, 'server'],
  ['a failed response', 200, { id: 'r', status: 'failed', error: { code: 'server_error', message: 'm' } }, 'server'],
  ['a bad request', 400, anthropic('invalid_request_error'), 'invalid'],
  ['an unknown model', 404, anthropic('not_found_error'), 'invalid'],
];

describe('failures by kind, with every vendor', () => {
  it.each(rows)('%s', (_, status, body, type) => {
    for (const wire of wires) expect(wire.failure(status, body)?.type).toBe(type);
  });

  it('a good answer is none', () => {
    const good = [
      { type: 'message', stop_reason: 'end_turn' },
      { choices: [{ finish_reason: 'stop' }] },
      { status: 'completed', error: null },
      { candidates: [] },
      {},
      undefined,
    ];
    for (const wire of wires) for (const body of good) expect(wire.failure(200, body)).toBeUndefined();
  });

  it('an invalid request keeps what the provider said', () => {
    expect(
      anthropicMessages.failure(400, {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'messages: bad' },
      }),
    ).toEqual({ type: 'invalid', message: 'messages: bad' });
  });

  it('the wait is read from whichever header or body states it', () => {
    const wait = (headers: Parameters<typeof openaiChat.failure>[2], body?: unknown): unknown =>
      (openaiChat.failure(429, body, headers) as { retryAfterMs?: number }).retryAfterMs;
    expect(wait(new Headers({ 'retry-after': '7' }))).toBe(7000);
    expect(wait({ 'Retry-After': '0.5' })).toBe(500);
    expect(wait({ 'retry-after-ms': '120', 'retry-after': '7' })).toBe(120);
    expect(wait({ 'retry-after': ['3'] })).toBe(3000);
    expect(wait({ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' })).toBe(0);
    expect(
      wait(undefined, { error: { code: 429, message: 'm', details: [{ '@type': 'RetryInfo', retryDelay: '34.5s' }] } }),
    ).toBe(34_500);
    expect(wait({})).toBeUndefined();
    expect(wait({ 'retry-after': 'soon' })).toBeUndefined();
  });
});
