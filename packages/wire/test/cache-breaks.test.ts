import { type CachedRequest, cacheBreak, cacheBreaks } from '@palimpsest/wire';
import { describe, expect, it } from 'vitest';

describe('a cache break', () => {
  const sent = (over: Partial<CachedRequest> & { messages?: object[] } = {}): CachedRequest => ({
    api: 'openai-chat',
    body: {
      model: 'm',
      messages: over.messages ?? [
        { role: 'system', content: 's' },
        { role: 'user', content: 'u' },
      ],
    },
    at: 0,
    input: 5_000,
    cacheRead: 0,
    ...over,
  });

  it('an entry that the provider let go is said to be that', () => {
    expect(cacheBreak(sent(), sent({ at: 1_000 }))).toMatchObject({ type: 'unknown', lost: 5_000 });
  });

  it('a leading system message is the system prompt', () => {
    const messages = [
      { role: 'system', content: 'other' },
      { role: 'user', content: 'u' },
    ];
    expect(cacheBreak(sent(), sent({ messages }))).toMatchObject({ type: 'system' });
  });

  it('small losses and answers without a report are no breaks', () => {
    expect(cacheBreak(sent(), sent({ cacheRead: 4_864, input: 200 }))).toBeUndefined();
    const { cacheRead: _, ...silent } = sent();
    expect(cacheBreak(sent(), silent)).toBeUndefined();
  });

  it('of a recording, which holds no bodies, is explained by time or by nothing', () => {
    const report = { cacheRead: 40_000, cacheWrite: 3_000, input: 10 };
    const now = { cacheRead: 5_000, cacheWrite: 39_000, input: 10 };
    expect(cacheBreak({ ...report, at: 0 }, { ...now, at: 300_000 })).toMatchObject({ type: 'ttl', lost: 38_000 });
    expect(cacheBreak({ ...report, at: 0 }, { ...now, at: 299_999 })).toMatchObject({ type: 'unknown' });
    expect(cacheBreak(report, now)).toMatchObject({ type: 'unknown' });
    expect(cacheBreak(report, { ...now, compacted: true })).toBeUndefined();
  });

  it('begins above 2,000 tokens and five percent of what was there', () => {
    const lose = (tokens: number, there: number) =>
      cacheBreak({ cacheRead: there }, { cacheRead: there - tokens, cacheWrite: tokens, input: 0 });
    expect(lose(2_000, 10_000)).toBeUndefined();
    expect(lose(2_001, 10_000)).toMatchObject({ lost: 2_001 });
    expect(lose(4_999, 100_000)).toBeUndefined();
    expect(lose(5_000, 100_000)).toMatchObject({ lost: 5_000 });
  });

  it('a compaction stays declared until a request tells of its cache', () => {
    const breaks = cacheBreaks();
    const small = [{ role: 'user', content: 'a summary' }];
    breaks.observe(sent());
    const { cacheRead: _, input: __, ...failed } = sent({ messages: small });
    expect(breaks.observe({ ...failed, compacted: true })).toBeUndefined();
    expect(breaks.observe(sent({ messages: small }))).toBeUndefined();
    expect(breaks.observe(sent({ messages: [] }))).toMatchObject({ type: 'messages' });
  });

  it('a failed request in between is passed over', () => {
    const breaks = cacheBreaks();
    breaks.observe(sent());
    const { cacheRead: _, input: __, ...failed } = sent({ messages: [{ role: 'user', content: 'else' }] });
    expect(breaks.observe(failed)).toBeUndefined();
    expect(breaks.observe(sent({ cacheRead: 4_992, input: 100 }))).toBeUndefined();
  });
});
