import type { Message } from '@palimpsest/core';
import { call, text } from '@palimpsest/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newViewWords } from '../src/held/view-words.ts';
import { listPaths } from '../src/words/listed-paths.ts';
import { isIdentifier, readTokens, splitToken } from '../src/words/read-tokens.ts';
import { newWordBook } from '../src/words/word-book.ts';

const wordsIn = (prose: string): readonly string[] => [...readTokens(prose)].flatMap((token) => [...splitToken(token)]);

describe('the words of a text', () => {
  it.each([
    ['see src/price/total.ts, line 42', 'src/price/total.ts'],
    ['see src/price/total.ts, line 42', 'total.ts'],
    ['see /shop/src/price/total.ts.', 'price/total.ts'],
    ['in cart-store.ts only', 'cart-store.ts'],
    ['call price.grandTotal()', 'grandTotal'],
    ['call price.grandTotal()', 'price.grandTotal'],
    ['run it with --seed 4711', '--seed'],
    ['run it with --seed 4711', '4711'],
    ['https://example.org/a?b=1 is down', 'https://example.org/a?b=1'],
    ['the HALF_EVEN mode', 'HALF_EVEN'],
  ])('%j holds %j', (prose, word) => {
    expect(wordsIn(prose)).toContain(word);
  });

  it('a part of a longer name is not that name', () => {
    expect(wordsIn('grandTotalOf 47110')).not.toContain('grandTotal');
    expect(wordsIn('grandTotalOf 47110')).not.toContain('4711');
  });

  it.each(['grandTotal', 'half_even', 'total.ts', 'src/a', '--seed', '47110', '2.1.20', 'LIMITS', 'strings.go'])(
    '%s is an identifier',
    (word) => {
      expect(isIdentifier(word)).toBe(true);
    },
  );

  it.each(['total', 'the', '42', 'And', '____', 'x_1', 'i18'])('%s is none', (word) =>
    expect(isIdentifier(word)).toBe(false),
  );

  it.each([
    '4711',
    '3.14',
    '/dev/null',
    '--help',
    '--oneline',
    'console.log',
    'os.path.join',
    'fmt.Errorf',
    'JSON.stringify',
    'TypeError',
    '__init__',
    'HTTP',
  ])('%s is known to everybody, and counts for nothing', (word) => expect(isIdentifier(word)).toBe(false));

  it.each([
    ['src/routes/: items.ts* shelves.ts', ['src/routes/items.ts', 'src/routes/shelves.ts']],
    [
      'root: /app/shop/\nsrc/routes/: items.ts',
      ['src/routes/items.ts', '/app/shop/src/routes/items.ts', '/app/shop/src/routes'],
    ],
    ['In /app/shop/\nI read src/a.ts.', ['/app/shop/src/a.ts']],
    ['/app/src/: a.ts', ['/app/src/a.ts']],
  ])('%j tells a path in pieces, as a listing does', (prose, paths) => {
    expect(listPaths(prose)).toEqual(expect.arrayContaining(paths));
  });

  it.each(['I read items.ts in src/routes/ today', 'src/routes/\nitems.ts', 'see /app/shop/ for src/a.ts'])(
    '%j tells no path that does not stand in it',
    (prose) => expect(listPaths(prose).filter((path) => !prose.includes(path))).toEqual([]),
  );

  it('a long run of marks is no step of a path', () => {
    expect(wordsIn(`${'-'.repeat(150)}/b.ts`)).toEqual(['b.ts', 'b', 'ts']);
  });

  it('are found in time that grows with the text, whatever is in it', () => {
    for (const run of ['-', '/', 'a/', '.', 'a.', '~', '_', '0.'])
      expect(wordsIn(run.repeat(20_000 / run.length)).length).toBeLessThan(100_000);
  });
});

const said = (id: string, words: string): Message => ({ id, role: 'user', origin: 'human', parts: [text(words)] });

describe('the words of a view', () => {
  it('are those of its messages, whatever the views before it were', () => {
    const pool = Array.from({ length: 7 }, (_, i) => said(`m${i}`, `name_${i} name_${(i + 1) % 7}`));
    const view = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 10 });
    fc.assert(
      fc.property(fc.array(view, { minLength: 1, maxLength: 10 }), (views) => {
        const book = newWordBook(pool);
        const viewWords = newViewWords(book);
        const all = new Set(pool.flatMap((message) => book.readShown(message)));
        for (const indexes of views) {
          const messages = indexes.map((i) => pool[i]!);
          viewWords.update(messages);
          const held = new Set(messages.flatMap((message) => book.readShown(message)));
          for (const number of all) expect(viewWords.has(number)).toBe(held.has(number));
        }
      }),
    );
  });

  it('hold a command that a summary names, though spaced differently, and not one that it only begins with', () => {
    const run = (id: string, command: string): Message => ({
      id,
      role: 'assistant',
      origin: 'model',
      parts: [call(`c-${id}`, 'bash', { command })],
    });
    const messages = [
      run('a', 'npm  test'),
      run('b', 'npm test'),
      run('c', 'npm test -- x'),
      run('d', 'npm test -- x'),
    ];
    const book = newWordBook(messages);
    const summary = book.readShown(said('s', 'It ran `npm\n test` twice.'));
    expect(summary).toContain(book.readUsed(messages[1]!).commands[0]);
    expect(summary).not.toContain(book.readUsed(messages[2]!).commands[0]);
  });
});
