import { describe, expect, it } from 'vitest';
import { joinPath, readUpstreams } from '../src/upstreams/upstreams.ts';

describe('upstreams', () => {
  it('are the vendors’ own where nothing is stated, one for all, or one each', () => {
    const origin = (stated: Record<string, string>, provider: string) =>
      readUpstreams(stated).find(provider, '/v1/x').upstream.origin;
    expect(origin({}, 'anthropic')).toBe('https://api.anthropic.com');
    expect(origin({ '*': 'http://all:1' }, 'gemini')).toBe('http://all:1');
    expect(origin({ '*': 'http://all:1', openai: 'http://one:2/v1' }, 'openai')).toBe('http://one:2');
  });

  it('of one’s own are chosen by the first segment of the path, which does not go on', () => {
    const upstreams = readUpstreams({ openrouter: 'https://openrouter.example/api/v1' });
    const { upstream, pathname } = upstreams.find('openai', '/openrouter/v1/chat/completions');
    expect(upstream.origin + joinPath(upstream.prefix, pathname)).toBe(
      'https://openrouter.example/api/v1/chat/completions',
    );
  });

  it('have the version of the API once in the address, whoever states it', () => {
    expect(joinPath('/v1', '/v1/models')).toBe('/v1/models');
    expect(joinPath('/v1', '/models')).toBe('/v1/models');
    expect(joinPath('', '/v1/messages')).toBe('/v1/messages');
    expect(joinPath('/api/v1', '/v1beta/x')).toBe('/api/v1/v1beta/x');
  });

  it('with a key or a query in the address, or with none at all, are refused', () => {
    for (const url of ['nonsense', 'ftp://x', 'https://user:pass@x', 'https://x/?key=1'])
      expect(() => readUpstreams({ openai: url })).toThrow('without a key or a query');
  });
});
