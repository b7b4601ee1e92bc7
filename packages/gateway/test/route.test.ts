import { describe, expect, it } from 'vitest';
import { findRoute } from '../src/exchange/route.ts';

const providerOf = (path: string, headers: readonly string[]): string => findRoute('GET', path, headers).provider;

describe('a path that no vendor’s own requests have', () => {
  it.each<[string, readonly string[]]>([
    ['its key', ['x-api-key', 'sk-ant-api03-k']],
    ['its version', ['Anthropic-Version', '2023-06-01']],
    ['a beta of its own', ['Anthropic-Beta', 'oauth-2025-04-20', 'Authorization', 'Bearer t']],
    ['a token of its login', ['authorization', 'Bearer sk-ant-oat01-t']],
    ['its client', ['User-Agent', 'claude-code/2.1']],
  ])('goes to Anthropic where it has %s: no secret of one vendor reaches another', (_, headers) => {
    expect(providerOf('/api/settings', headers)).toBe('anthropic');
  });

  it.each<[string, readonly string[]]>([
    ['/api/settings', ['x-goog-api-key', 'k']],
    ['/v1beta/files', []],
    ['/api/settings', ['authorization', 'Bearer ya29.t']],
  ])('goes to Gemini: %s %j', (path, headers) => {
    expect(providerOf(path, headers)).toBe('gemini');
  });

  it('goes to OpenAI where nothing says otherwise', () => {
    expect(providerOf('/v1/files', ['authorization', 'Bearer sk-proj-k'])).toBe('openai');
    expect(providerOf('/v1/files', ['authorization', 'Bearer house-key-sk-ant-'])).toBe('openai');
  });

  it('goes to OpenAI from a thread of its assistants: what it says is no body of Anthropic’s', () => {
    const route = findRoute('POST', '/v1/threads/thread_1/messages', ['authorization', 'Bearer sk-proj-k']);
    expect(route).toMatchObject({ type: 'pass', provider: 'openai' });
    expect(findRoute('POST', '/v1/messages', [])).toMatchObject({ type: 'converse', provider: 'anthropic' });
    expect(findRoute('POST', '/messages', [])).toMatchObject({ type: 'converse', provider: 'anthropic' });
  });
});
