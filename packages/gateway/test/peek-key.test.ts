import type { Fields } from '@palimpsest/core/json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { peekKey, readTopFields } from '../src/identity/peek-key.ts';

const read = (body: unknown, ...names: string[]) => readTopFields(Buffer.from(JSON.stringify(body, null, 1)), names);

describe('fields of a body that is not parsed', () => {
  it('are those of the whole, and of nothing inside it', () => {
    const inside = { a: 'no', list: [{ a: 'no' }], text: '"a":"no"' };
    expect(read({ inside, a: { b: [1, '}'] }, more: [inside] }, 'a')).toEqual({ a: { b: [1, '}'] } });
    expect(read({ inside }, 'a')).toEqual({});
    expect(read({}, 'a')).toEqual({});
    expect(read([{ a: 'no' }], 'a')).toEqual({});
  });

  it('are what a parser says', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (body) => {
        const names = Object.keys(body).filter((_, i) => i % 2 === 0 && Object.keys(body)[i] !== '__proto__');
        expect(read(body, ...names)).toEqual(
          JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, body[name]])))),
        );
      }),
    );
  });

  it('of what is no JSON are none, without end or error', () => {
    for (const text of ['', '{', '{"a"', '{"a":', '"', '{"a":1,,}', '}{', '{"a" "b"}'])
      expect(() => readTopFields(Buffer.from(text), ['a'])).not.toThrow();
  });
});

describe('the key of a conversation', () => {
  const key = (headers: readonly string[], body: Fields) => peekKey(headers, body, () => 'tenant');

  it('is what the client says which conversation it is, in a header or in the body', () => {
    expect(key(['session-id', 's'], { prompt_cache_key: 'c' })).toBe('s');
    expect(key([], { input: [{ prompt_cache_key: 'no' }], prompt_cache_key: 'c' })).toBe('c');
    expect(key([], { metadata: { user_id: 'user_x_account_1-2_session_3-4' } })).toBe('3-4');
  });

  it('is else the tenant', () => {
    expect(key([], { messages: [{ content: '"prompt_cache_key":"no"' }] })).toBe('tenant');
    expect(peekKey([], {}, () => 'tenant')).toBe('tenant');
  });
});
