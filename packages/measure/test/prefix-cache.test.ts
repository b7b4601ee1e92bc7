import { estimateMessage, type Message, text } from '@palimpsest/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countPromptTokens, newPrefixCache, priceBill } from '../src/money/prefix-cache.ts';

const message = (id: string, words: string): Message => ({ id, role: 'user', origin: 'human', parts: [text(words)] });

describe('the prompt cache', () => {
  it('reads or writes every token of every request, and reads no more than was sent before', () => {
    const view = fc.array(fc.integer({ min: 0, max: 8 }), { maxLength: 12 });
    const pool = Array.from({ length: 9 }, (_, i) => message(`m${i}`, `words ${'of many letters '.repeat(i)}`));
    fc.assert(
      fc.property(fc.array(view, { minLength: 1, maxLength: 8 }), (requests) => {
        const cache = newPrefixCache(50);
        let sent = 0;
        let before = 0;
        for (const request of requests) {
          const messages = request.map((i) => pool[i]!);
          const size = messages.reduce((sum, one) => sum + estimateMessage(one), 50);
          const read = cache.bill().cacheRead;
          cache.request(messages, undefined);
          expect(cache.bill().cacheRead - read).toBeLessThanOrEqual(Math.min(size, before));
          sent += size;
          before = size;
        }
        expect(countPromptTokens(cache.bill())).toBe(sent);
      }),
    );
  });

  it('serves an unchanged prefix, and nothing behind a change', () => {
    const [one, two, three] = [message('a', 'first words'), message('b', 'second words'), message('c', 'third words')];
    const cache = newPrefixCache(0);
    cache.request([one, two], undefined);
    cache.request([one, two, three], undefined);
    expect(cache.bill().cacheRead).toBe(estimateMessage(one) + estimateMessage(two));
    const read = cache.bill().cacheRead;
    cache.request([one, message('b', 'others'), three], undefined);
    expect(cache.bill().cacheRead - read).toBe(estimateMessage(one));
  });

  it('serves nothing behind a message that another role said, be its words the same', () => {
    const cache = newPrefixCache(0);
    const end = message('b', 'the end');
    cache.request([message('a', 'words'), end], undefined);
    cache.request([{ ...message('a', 'words'), role: 'assistant' }, end], undefined);
    expect(cache.bill().cacheRead).toBe(0);
  });

  it('bills a summary as a request behind the same prefix and what was written, and not as a call', () => {
    const [one, two] = [message('a', 'first words'), message('b', 'second words')];
    const cache = newPrefixCache(0);
    cache.request([one, two], undefined);
    const { cacheWrite } = cache.bill();
    cache.summarize([one, two], undefined, 400);
    const read = estimateMessage(one) + estimateMessage(two);
    expect(cache.bill()).toEqual({ calls: 1, cacheRead: read, cacheWrite, summaries: 400 });
  });

  it('is cold after a pause of more than five minutes', () => {
    const cache = newPrefixCache(10);
    cache.request([message('a', 'words')], 0);
    cache.request([message('a', 'words')], 5 * 60_000 + 1);
    expect(cache.bill().cacheRead).toBe(0);
    expect(priceBill(cache.bill())).toBeGreaterThan(0);
  });
});

it('a million tokens cost 0.30 read, 3.75 written and 15 as a summary, and a host may state other prices', () => {
  const bill = { calls: 2, cacheRead: 1_000_000, cacheWrite: 2_000_000, summaries: 3_000_000 };
  expect(priceBill(bill)).toBeCloseTo(0.3 + 2 * 3.75 + 3 * 15, 10);
  expect(priceBill(bill, { input: 1, cacheRead: 2, cacheWrite: 5, output: 9 })).toBeCloseTo(12 + 27, 10);
});
