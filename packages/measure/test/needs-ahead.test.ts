import { assistant, user } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { AHEAD_CALLS, EVERY_CALLS, findNeedsAhead } from '../src/needs/needs-ahead.ts';
import { newWordBook } from '../src/words/word-book.ts';
import { numberMessages } from './conversation.ts';

/** Every answer uses a name of its own; the user named all of them at the beginning. */
const ANSWERS = 40;
const messages = numberMessages([
  user(Array.from({ length: ANSWERS }, (_, i) => `name_${i}`).join(' ')),
  ...Array.from({ length: ANSWERS }, (_, i) => [assistant(`name_${i} and fresh_${i}`), user('Go on.')]).flat(),
]);
const book = newWordBook(messages);
const needs = findNeedsAhead({ messages, usage: [], compactions: [] }, book);
const namesAt = (call: number): readonly string[] => (needs.get(call)?.identifiers ?? []).map(book.wordOf);

describe('what is needed ahead of a call', () => {
  it('is asked for at every fifth call', () => {
    expect([...needs.keys()]).toEqual(Array.from({ length: ANSWERS / EVERY_CALLS }, (_, i) => i * EVERY_CALLS));
  });

  it('is what the next twenty answers use, and not what comes behind them', () => {
    expect(namesAt(0)).toEqual(Array.from({ length: AHEAD_CALLS }, (_, i) => `name_${i}`));
    expect(namesAt(35)).toEqual(['name_35', 'name_36', 'name_37', 'name_38', 'name_39']);
  });

  it('is only what had been seen before the call', () => {
    for (const call of needs.keys()) expect(namesAt(call).some((name) => name.startsWith('fresh'))).toBe(false);
  });
});
