import { assistant, call, createSession, result, results, user } from '@palimpsest/core';
import { recallTool } from '@palimpsest/sdk/anthropic';
import { expect, it } from 'vitest';

const session = createSession({ window: 10_000 });
const id = session.append(user('The key lies under the mat.'));

it('recall reads by reference, by the words of a notice, and by search', () => {
  const { run } = recallTool(session);
  expect(run({ reference: id })).toContain('under the mat');
  expect(run({ reference: `recall ${id}` })).toContain('under the mat');
  expect(run({ query: 'KEY mat' })).toBe(
    `Found, newest first; read one with its id as reference:\n${id} · The key lies under the mat.`,
  );
});

it('a page never ends or begins in the middle of a character, and the pages together are the whole', () => {
  const own = createSession({ window: 10_000 });
  const words = '🎉🚀'.repeat(11);
  const said = own.append(user(`x${words}`));
  const { run } = recallTool(own, { pageChars: 5 });
  const pages = Array.from({ length: 9 }, (_, i) => run({ reference: said, page: i + 1 }).split('\n')[1] ?? '');
  for (const page of pages)
    expect(page).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
  expect(pages.join('')).toBe(`x${words}`);
  own.append(user(`find me ${'🎉'.repeat(200)}`));
  expect(run({ query: 'find' })).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
});

it('recall answers the model in words where there is nothing', () => {
  const { run } = recallTool(session);
  expect(run({ reference: 'e99' })).toMatch(/nothing is known as "e99"/);
  expect(run({ query: 'submarine' })).toBe('Nothing that was said or seen here holds all of: submarine');
  expect(run({})).toBe('Pass a reference to read, or a query to search for.');
  expect(recallTool(() => undefined).run({ reference: 'e1' })).toBe('Nothing has been said yet.');
});

it('recall does not find what it showed itself', () => {
  const own = createSession({ window: 10_000 });
  const said = own.append(user('The harbour opens at nine.'));
  own.append(assistant([call('c1', 'recall', { query: 'harbour' })]));
  own.append(results([result('c1', `${said} · The harbour opens at nine.`)]));
  expect(recallTool(own).run({ query: 'harbour nine' }).split('\n').slice(1)).toEqual([
    `${said} · The harbour opens at nine.`,
  ]);
});

it('recall reads a long text in pages that together are the whole, and says what is wrong with an input', () => {
  const own = createSession({ window: 10_000 });
  const text = Array.from({ length: 50 }, (_, i) => `line ${i}`).join('\n');
  const long = own.append(user(text));
  const { answer } = recallTool(own, { pageChars: 150, label: ({ role }) => role });
  const read = (page: number) => answer({ reference: long, page }).text.split('):\n')[1]!;
  const pages = [1, 2, 3].map((page) => read(page).replace(/\n\[page \d of 3: read on with page \d\]$/, ''));
  expect(pages.join('')).toBe(text);
  expect(answer({ reference: long, page: 4 })).toEqual({ text: `${long} has 3 pages.`, isError: true });
  expect(answer({ reference: long, page: 0.5 })).toMatchObject({ isError: true });
  expect(answer({ reference: 5 })).toMatchObject({ isError: true });
  expect(answer({ query: 'line 49' }).text).toMatch(new RegExp(`^${long} · user · line`, 'm'));
});
