import { createSession, user } from '@palimpsest/core';
import { recallTool } from '@palimpsest/sdk/anthropic';
import { expect, it } from 'vitest';

const session = createSession({ window: 10_000 });
const id = session.append(user('The key lies under the mat.'));

it('recall reads by reference, by the words of a notice, and by search', () => {
  const { run } = recallTool(session);
  expect(run({ ref: id })).toContain('under the mat');
  expect(run({ ref: `recall ${id}` })).toContain('under the mat');
  expect(run({ query: 'KEY mat' })).toBe(`${id}: The key lies under the mat.`);
});

it('recall answers the model in words where there is nothing', () => {
  const { run } = recallTool(session);
  expect(run({ ref: 'e99' })).toMatch(/nothing is known as "e99"/);
  expect(run({ query: 'submarine' })).toBe('Nothing was found.');
  expect(run({})).toBe('Nothing was found.');
  expect(recallTool(() => undefined).run({ ref: 'e1' })).toBe('Nothing has been said yet.');
});
