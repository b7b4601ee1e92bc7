import { describe, expect, it } from 'vitest';
import { estimateText, type Message, type SummaryItem, summaryTemplates, text } from '../../src/index.ts';
import { updateItems } from '../../src/summary/update-items.ts';
import { fitItems, writeItems } from '../../src/view/summary-items.ts';

const template = summaryTemplates.statements;
const message = (id: string, words: string, origin: Message['origin'] = 'human'): Message => ({
  id,
  role: origin === 'model' ? 'assistant' : 'user',
  origin,
  parts: [text(words)],
});
const source = [
  message('m1', 'Please make the CSV reader keep quoted line ends.'),
  message('m2', 'I set MAX_ROWS = 766390 in src/limits.ts.', 'model'),
  message('m3', 'All 42 tests pass now; the reader is done.', 'model'),
  message('m4', '数据库端口是8412，请不要修改。'),
];
const item = (number: number, section: string, words: string, more: Partial<SummaryItem> = {}): SummaryItem => ({
  number,
  section,
  text: words,
  places: [],
  by: 'model',
  used: 0,
  ...more,
});
const base = (items: readonly SummaryItem[] = [], more = {}) => ({
  items,
  lastItem: items.length,
  room: 1_000,
  first: 0,
  since: 0,
  ...more,
});
const update = (items: readonly SummaryItem[], ...lines: string[]) =>
  updateItems(base(items), lines.join('\n'), source, template);

describe('where a statement comes from', () => {
  const placesOf = (line: string) => update([], `- ${line}`).items[0]!.places;

  it('is the message that holds the words given with it, however they are spaced and quoted', () => {
    expect(placesOf('rows are bounded | from: "set  MAX_ROWS = 766390"')).toEqual([{ message: 'm2', by: 'quote' }]);
    expect(placesOf('端口 | from: "端口是8412"')).toEqual([{ message: 'm4', by: 'quote' }]);
  });

  it('is found by its names where the words stand nowhere, or are none', () => {
    expect(placesOf('MAX_ROWS in src/limits.ts is 766390 | from: "never said by anyone"')).toEqual([
      { message: 'm2', by: 'names' },
    ]);
    expect(placesOf('MAX_ROWS in src/limits.ts is 766390')).toEqual([{ message: 'm2', by: 'names' }]);
  });

  it('is nowhere where nothing proves it', () => {
    expect(placesOf('the weather was fine | from: "so warm today"')).toEqual([]);
    expect(placesOf('OTHER_NAME in lib/x.ts, lib/y.ts and MAX_ROWS | from: "it"')).toEqual([]);
  });
});

describe('statements', () => {
  const standing = [
    item(1, 'Goal', 'the reader keeps quoted line ends'),
    item(2, 'Facts', 'MAX_ROWS is 4000 in src/limits.ts'),
    item(3, 'Now', 'the reader is being written'),
  ];

  it('stay word for word where nobody names them, under numbers that nobody else gets', () => {
    const made = update(standing, '## Facts', '- tests: 42 | from: "All 42 tests pass"');
    expect(made.items.map(({ number, text: words }) => [number, words])).toEqual([
      [1, standing[0]!.text],
      [2, standing[1]!.text],
      [4, 'tests: 42'],
      [3, standing[2]!.text],
    ]);
    expect(made.lastItem).toBe(4);
  });

  it('are changed where they stand, and what they said before is kept', () => {
    const made = update(standing, '- change s2: MAX_ROWS is 766390 in src/limits.ts | from: "MAX_ROWS = 766390"');
    expect(made.items[1]).toMatchObject({ number: 2, section: 'Facts', text: 'MAX_ROWS is 766390 in src/limits.ts' });
    expect(made.items[1]!.places).toEqual([{ message: 'm2', by: 'quote' }]);
    expect(made.retired).toEqual([{ item: standing[1], places: [{ message: 'm2', by: 'quote' }] }]);
  });

  it('are retired only where words of the conversation prove it', () => {
    expect(update(standing, '- retire s1 | from: "the reader is done"').items.map(({ number }) => number)).toEqual([
      2, 3,
    ]);
    for (const line of [
      '- retire s1',
      '- retire s1 | from: "it was all a dream"',
      '- retire s9 | from: "tests pass now"',
    ])
      expect(update(standing, line).items).toHaveLength(3);
  });

  it('that the user wrote are nobody’s to change or to retire', () => {
    const own = [item(1, 'Facts', 'ask before you deploy', { by: 'user' })];
    const made = update(
      own,
      '- retire s1 | from: "the reader is done"',
      '- change s1: deploy at once',
      '- ask before you deploy to prod',
    );
    expect(made.items[0]).toMatchObject({ number: 1, text: 'ask before you deploy', by: 'user' });
  });

  it('of a whole text come in besides those that stand; the same is not said twice, and more takes the place of less', () => {
    const made = update(
      standing,
      '## Facts',
      '- MAX_ROWS is 4000 in src/limits.ts',
      '## Goal',
      '- the csv reader keeps quoted line ends too',
    );
    expect(made.items.map(({ number, text: words }) => [number, words])).toEqual([
      [4, 'the csv reader keeps quoted line ends too'],
      [2, 'MAX_ROWS is 4000 in src/limits.ts'],
      [3, 'the reader is being written'],
    ]);
  });

  it('of the newest state give way to newer ones, and only to them', () => {
    const made = update(standing, '## Now', '- the writer is next | from: "the reader is done"');
    expect(made.items.filter(({ section }) => section === 'Now').map(({ number }) => number)).toEqual([4]);
    expect(made.retired.map(({ item: { number } }) => number)).toEqual([3]);
    expect(update(standing, '## Facts', '- x_y is 1').items.some(({ number }) => number === 3)).toBe(true);
  });

  it('without a heading, or with one that is not in the form, keep it or go where such statements go', () => {
    const made = update([], '- plain one', '## facts:', '- second', '## Risks', '- third');
    expect(made.items.map(({ section }) => section)).toEqual(['Facts', 'Facts', 'Risks']);
  });

  it('know when what they are about came up last', () => {
    const made = updateItems(base(standing, { first: 10, since: 1 }), 'No changes.', source, template);
    expect(made.items.map(({ used }) => used)).toEqual([0, 11, 0]);
  });
});

describe('where the room is full', () => {
  const many = Array.from({ length: 40 }, (_, i) =>
    item(i + 1, 'Facts', `limit_${i} is ${i} of many words`, { used: i }),
  );
  const fit = (items: readonly SummaryItem[], room: number) =>
    fitItems({ items, retired: [], aged: [], lastItem: 40 }, room, estimateText, template);

  it('those go that came up longest ago, each told by its number, and never more than must', () => {
    const made = fit(many, 300);
    expect(made.aged.map(({ number }) => number)).toEqual(made.aged.map((_, i) => i + 1));
    expect([...made.items, ...made.aged]).toHaveLength(40);
    const shown = writeItems(made.items, made.left);
    expect(estimateText(shown)).toBeLessThanOrEqual(300);
    expect(estimateText(shown)).toBeGreaterThan(270);
    expect(shown).toMatch(
      new RegExp(`\\[${made.aged.length} older statements are left out here \\(s1 to s${made.aged.length}\\)\\]`),
    );
  });

  it('the user’s own and the newest state go last', () => {
    const made = fit(
      [item(41, 'Now', 'the sluice is open'), item(42, 'Facts', 'never on a Sunday', { by: 'user' }), ...many],
      90,
    );
    expect(made.items.map(({ number }) => number)).toEqual(expect.arrayContaining([41, 42]));
  });

  it('nothing goes where all fits', () => {
    expect(fit(many.slice(0, 3), 300).aged).toEqual([]);
  });
});
