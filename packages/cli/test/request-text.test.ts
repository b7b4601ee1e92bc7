import type { RequestLine } from '@palimpsest/gateway';
import { expect, it } from 'vitest';
import { requestText } from '../src/gateway/request-text.ts';

const LINE: RequestLine = {
  id: 'r1',
  at: Date.UTC(2026, 10, 16, 9, 30, 0),
  method: 'POST',
  path: '/v1/messages',
  status: 200,
  bytesIn: 1,
  bytesOut: 1,
  totalMs: 1_250,
};

it.each([
  ['that went as it came says why', { passed: 'it rests' }, '1.3 s · passed as it came: it rests'],
  [
    'that was kept after the provider had refused it says both, and not that it passed',
    {
      passed: 'it rests',
      session: 's1',
      compaction: { before: 8_500, after: 800 },
      tokens: { before: 9_000, after: 800 },
    },
    '1.3 s · s1 · 9,000 → 800 tokens · compacted 8,500 → 800 · sent again, at first as it came: it rests',
  ],
  [
    'that did not show all of the user’s text word for word says how many, but not what newer text replaced',
    { session: 's1', tokens: { before: 900, after: 900 }, missing: { shortened: 2, replaced: 5 } },
    '1.3 s · s1 · 900 tokens · text not word for word: 2 shortened',
  ],
] as const)('the line of a request %s', (_, more, wanted) => {
  expect(requestText({ ...LINE, ...more })).toBe(`09:30:00 POST /v1/messages 200 ${wanted}`);
});
