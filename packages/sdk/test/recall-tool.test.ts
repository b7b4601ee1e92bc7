import { assistant, call, createSession, result, results, user } from '@palimpsest/core';
import { recallTool } from '@palimpsest/sdk/anthropic';
import { expect, it } from 'vitest';

const session = createSession({ window: 10_000 });
const id = session.append(user('The key lies under the mat.'));

it('recall reads by reference, by the words of a notice, and by search', () => {
  const { run } = recallTool(session);
  expect(run({ reference: id })).toContain('under the mat');
  expect(run({ reference: `recall ${id}` })).toContain('under the mat');
  const own = createSession({ window: 10_000 });
  const said = own.append(user('The key lies under the mat.'));
  own.append(user('Where is the key?'));
  expect(recallTool(own).run({ query: 'KEY mat' })).toBe(
    `Found, best first; read a message whole with its id as reference:\n\n— ${said} · user\nThe key lies under the mat.`,
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
  expect(run({ query: 'submarine' })).toBe('Nothing that was said or seen here is about: submarine');
  expect(run({ query: 'submarine', file: 'a.ts', tool: 'bash' })).toMatch(
    /\(only the file a\.ts and the tool bash was looked at\)$/,
  );
  const endless = 'x'.repeat(100_000);
  for (const asked of [{ query: endless }, { reference: endless }, { file: endless }, { query: 'no', tool: endless }])
    expect(run(asked).length).toBeLessThan(400);
  expect(run({})).toBe('Pass a reference to read, a query to search for, or a file.');
  expect(recallTool(() => undefined).run({ reference: 'e1' })).toBe('Nothing has been said yet.');
});

it('recall does not find what it showed itself', () => {
  const own = createSession({ window: 10_000 });
  const said = own.append(user('The harbour opens at nine.'));
  own.append(assistant([call('c1', 'recall', { query: 'harbour' })]));
  own.append(results([result('c1', `${said} · The harbour opens at nine.`)]));
  own.append(user('When does the harbour open?'));
  expect(recallTool(own).run({ query: 'harbour nine' }).split('\n').slice(2)).toEqual([
    `— ${said} · user`,
    'The harbour opens at nine.',
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
  own.append(user('which was it?'));
  expect(answer({ query: 'line 49' }).text).toMatch(new RegExp(`^— ${long} · user$`, 'm'));
});

it('a search comes in pages of passages, the question itself left out', () => {
  const own = createSession({ window: 100_000 });
  for (let i = 0; i < 7; i++) own.append(user(`The needle of day ${i}.`));
  own.append(user('Where is the needle?'));
  const { answer } = recallTool(own);
  const [first, second] = [1, 2].map((page) => answer({ query: 'needle', page }).text);
  expect(first!.match(/The needle of day/g)).toHaveLength(5);
  expect(first).toMatch(/\[page 1: page 2 has more\]$/);
  expect(second!.match(/The needle of day/g)).toHaveLength(2);
  expect(second).not.toContain('has more');
  expect(`${first}${second}`).not.toContain('Where is');
  expect(answer({ query: 'needle', page: 3 }).text).toBe('Nothing more that was said or seen here is about: needle');
});

it('a file is read as it was last seen, by the end of its path; a search may be of one file or tool', () => {
  const own = createSession({ window: 100_000 });
  for (const [id, content] of Object.entries({ c1: 'price = 1', c2: 'price = 2' })) {
    own.append(user('read it'));
    own.append(assistant([call(id, 'read_file', { path: 'src/shop/price.ts' })]));
    own.append(results([result(id, content)]));
  }
  own.append(user('what was in price.ts?'));
  const { run } = recallTool(own);
  expect(run({ file: 'price.ts' })).toMatch(/price = 2$/);
  expect(run({ file: 'tax.ts' })).toMatch(/Nothing was done here with a file called tax\.ts/);
  expect(run({ query: 'what was in price.ts?' })).toMatch(/result of read_file src\/shop\/price\.ts\nprice = /);
  expect(run({ query: 'price', file: 'shop/price.ts' })).toContain('price = 1');
  expect(run({ query: 'price', tool: 'bash' })).toMatch(/^Nothing that was said/);
});
