import type { JournalRecord } from '@palimpsest/core';
import type { Store } from '../store.ts';

/** A place for sessions that starts empty. */
export interface Ground {
  /** A store over the place; called again, another one over the same sessions, as a restarted process would have. */
  connect(): Store | Promise<Store>;
  dispose?(): void | Promise<void>;
}

/** Something every store promises. `check` rejects where it does not hold. */
export interface Rule {
  readonly rule: string;
  check(): Promise<void>;
}

export type RuleBody = (ground: Ground) => Promise<void>;

export const message = (id: string, text: string): JournalRecord => ({
  v: 1,
  type: 'message',
  message: { id, role: 'user', origin: 'human', parts: [{ type: 'text', text }] },
});

/** Texts that careless encodings lose. */
export const hardTexts: readonly string[] = [
  '',
  '\n',
  'a\u0000b',
  '\u2028 and \u2029',
  '\ud800',
  'x\udc00y\ud83d',
  '\ufeffwith a mark',
  '{"sum":"00000000"}\n{"v":1}',
  '日本語 👩‍👩‍👧 e\u0301 é',
  '\\u0000 \\n "quoted"',
  'long '.repeat(300_000),
];

/** One record of each kind, with every field that a record may have. */
export const everyRecord: readonly JournalRecord[] = [
  { v: 1, type: 'session', id: 'a/b', at: 1_700_000_000_000 },
  ...hardTexts.map((text, i) => message(`m${i}`, text)),
  {
    v: 1,
    type: 'message',
    message: {
      id: 'calls',
      role: 'assistant',
      origin: 'model',
      at: 5,
      parts: [
        { type: 'reasoning', text: 'hm', signature: 'c2ln' },
        { type: 'call', callId: 'c1', tool: 'read', input: { path: '/x', deep: [null, true, 1.5, -0.1, 1e300] } },
        { type: 'native', wire: 'anthropic-messages', block: { type: 'new_thing', sum: 'not the line’s' } },
      ],
    },
  },
  {
    v: 1,
    type: 'message',
    message: {
      id: 'results',
      role: 'user',
      origin: 'tool',
      parts: [
        {
          type: 'result',
          callId: 'c1',
          isError: true,
          content: [
            { type: 'text', text: 'no such file' },
            { type: 'media', kind: 'image', mediaType: 'image/png', data: 'AAAA', width: 1, height: 1 },
          ],
        },
      ],
    },
  },
  { v: 1, type: 'entry', entry: { type: 'usage', usage: { input: 10, output: 2, cacheRead: 3 } } },
  { v: 1, type: 'entry', entry: { type: 'seen', count: 3, at: 7 } },
  { v: 1, type: 'entry', entry: { type: 'pin', message: 'm1' } },
  { v: 1, type: 'entry', entry: { type: 'unpin', message: 'm1' } },
  { v: 1, type: 'entry', entry: { type: 'fact', fact: { type: 'stashed', key: 'k', ref: 'r' } } },
  {
    v: 1,
    type: 'entry',
    entry: {
      type: 'edits',
      walk: 1,
      layer: 'cap-results',
      trigger: 'auto',
      tokensBefore: 10,
      tokensAfter: 5,
      pressed: false,
      over: 0,
      declared: false,
      edits: [
        { ref: 'e1', type: 'replace', message: 'results', part: 0, piece: 0, excerpt: ['head ', [0, 3]], stash: 'r' },
        { ref: 'e2', type: 'fold', from: 'm0', to: 'm1', hides: { messages: 2, bytes: 10 }, messages: [] },
        { ref: 'e3', type: 'drop', message: 'calls', part: 0 },
        { ref: 'e4', type: 'shorten', message: 'calls', part: 1, input: {} },
      ],
    },
  },
  { v: 1, type: 'entry', entry: { type: 'revert', walk: 1 } },
];
