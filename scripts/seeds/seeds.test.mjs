import { expect, it } from 'vitest';
import { readTestNames } from '../test-names.mjs';
import { checkSystems } from './check-systems.mjs';
import { itemsOf, readSystems, SYSTEMS } from './read-systems.mjs';
import { renderPage } from './render-page.mjs';

const does = {
  id: 'CC1',
  what: 'a thing',
  status: 'does',
  where: 'src/a.ts',
  test: 'test/a.test.ts',
  title: 'turns the mill',
};
const files = {
  'src/a.ts': 'code',
  'test/a.test.ts':
    "describe('a mill', () => {\n  it('turns the mill by day', () => {});\n  it('stands at night');\n});",
};
const world = { readFile: (file) => files[file], rules: new Set(['A12', 'C3']) };
const check = (item, count = 1) =>
  checkSystems([{ letters: 'CC', count, sections: [{ items: [{ ...does, ...item }] }] }], world);

it('a row that holds has nothing against it', () => {
  expect(check({})).toEqual([]);
  expect(check({ title: 'a mill' })).toEqual([]);
});

it.each([
  [{ where: 'src/b.ts' }, 'there is no file src/b.ts'],
  [{ where: undefined }, 'does not say where'],
  [{ test: 'test/b.test.ts' }, 'there is no file test/b.test.ts'],
  [{ test: undefined }, 'names no test'],
  [{ title: 'grinds the corn' }, 'test/a.test.ts has no test "grinds the corn"'],
  [{ title: '' }, 'names no test'],
  [{ title: 't' }, '"t" may be any of 2 tests of test/a.test.ts'],
  [{ what: '' }, 'does not say what is described'],
  [{ status: undefined }, 'has no status'],
  [{ status: 'soon' }, '"soon" is no status: does, better or elsewhere'],
  [{ reason: 'it is 3 times as fast' }, 'needs no reason where it does as described'],
  [{ note: 'x' }, 'has a field "note" that means nothing'],
  [{ status: 'better' }, 'gives no reason'],
  [{ status: 'elsewhere', reason: 'it is nicer' }, 'gives a reason without a figure or a rule of the field'],
  [{ status: 'better', reason: 'as S14 and CC12 have it' }, 'gives a reason without a figure or a rule of the field'],
  [{ status: 'better', reason: 'see docs/decisions/005' }, 'gives a reason without a figure or a rule of the field'],
  [{ status: 'better', reason: 'saves 3 %', where: 'src/b.ts' }, 'there is no file src/b.ts'],
])('a row that does not hold is told: %j', (change, problem) => {
  expect(check(change)).toEqual([`CC1: ${problem}`]);
});

it.each(['it saves 3 % of the tokens', 'rule C3: the words of the user survive'])(
  'a reason with a figure or a rule of the field is one: %s',
  (reason) => {
    expect(check({ status: 'better', reason })).toEqual([]);
    expect(check({ status: 'elsewhere', reason, where: undefined, test: undefined, title: undefined })).toEqual([]);
  },
);

it('an item without a row, one that stands twice and one that is none are told', () => {
  expect(check({}, 2)).toEqual(['CC2: has no row']);
  expect(check({ id: 'CC9' })).toContain('CC9: stands twice, or is no item');
  const items = [{ ...does, id: 'CC2' }, does];
  expect(checkSystems([{ letters: 'CC', count: 2, sections: [{ items }] }], world)).toEqual([
    'CC: the items are not in order',
  ]);
  const twice = { letters: 'CC', count: 1, sections: [{ items: [does] }, { items: [does] }] };
  expect(checkSystems([twice], world)).toEqual(['CC1: stands twice, or is no item']);
});

it('the described systems have 307 items, and each stands on the page in a row of its own', () => {
  const systems = readSystems();
  expect(SYSTEMS.reduce((sum, { count }) => sum + count, 0)).toBe(307);
  const page = renderPage(systems);
  for (const { id } of systems.flatMap(itemsOf)) expect(page.split(`\n| ${id} | `)).toHaveLength(2);
});

it('names of tests are found in every way of writing them', () => {
  const text = `
    it('a', () => {});
    test("b's", () => {});
    it.each([['x', 1]])('c %s', () => {});
    it.each<[string]>([['x']])(
      'd',
      () => {},
    );
    describe.concurrent('e', () => { it.runIf(isDeep)(\`f \${n}\`, () => {}); });
    it('it\\'s g', () => {});
  `;
  expect(readTestNames(text).map(({ name }) => name)).toEqual(['a', "b's", 'c %s', 'd', 'e', `f \${n}`, "it's g"]);
  expect(readTestNames(text).filter(({ isGroup }) => isGroup)).toEqual([{ name: 'e', isGroup: true }]);
});
