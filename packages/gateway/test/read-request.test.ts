import { describe, expect, it } from 'vitest';
import { mayHaveServerHistory } from '../src/keep/server-history.ts';
import { findOutputLimit } from '../src/serve/read-request.ts';

describe('the output limit of a body', () => {
  it('is the largest one that the body or its generation config states', () => {
    expect(findOutputLimit({})).toBe(0);
    expect(findOutputLimit({ max_tokens: 5, max_completion_tokens: 7 })).toBe(7);
    expect(findOutputLimit({ generationConfig: { maxOutputTokens: 9 } })).toBe(9);
    expect(findOutputLimit({ generation_config: { max_output_tokens: 9 } })).toBe(9);
  });

  it('ignores values that are not numbers', () => {
    expect(findOutputLimit({ max_tokens: '5', generationConfig: null })).toBe(0);
  });
});

describe('server history of a body that is not parsed', () => {
  it('is found by the fields of its API, and by item references', () => {
    const none = Buffer.from('{}');
    const reference = Buffer.from('{"input":[{"type":"item_reference"}]}');
    expect(mayHaveServerHistory('anthropic', { thread: 't' }, none)).toBe(true);
    expect(mayHaveServerHistory('anthropic', { thread: null }, none)).toBe(false);
    expect(mayHaveServerHistory('openai-responses', { previous_response_id: 'r' }, none)).toBe(true);
    expect(mayHaveServerHistory('openai-responses', {}, reference)).toBe(true);
    expect(mayHaveServerHistory('openai-chat', {}, reference)).toBe(false);
  });
});
