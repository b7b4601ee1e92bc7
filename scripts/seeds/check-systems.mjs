import { readTestNames } from '../test-names.mjs';
import { itemsOf } from './read-systems.mjs';

const FIELDS = ['id', 'what', 'status', 'where', 'test', 'title', 'reason'];

/**
 * What is wrong with the rows: an item that is missing, twice or out of order, a file or a test that is not there, a row
 * that says neither where it is proved nor why not, a reason without a figure or a rule of the field. `readFile` gives
 * the text of a file of the project, undefined where there is none; `rules` are the ids that docs/conformance.md tells of.
 */
export function checkSystems(systems, { readFile, rules }) {
  const found = [];
  for (const system of systems) {
    const items = itemsOf(system);
    found.push(...checkNumbers(system, items));
    for (const item of items)
      found.push(...checkItem(item, { readFile, rules }).map((problem) => `${item.id}: ${problem}`));
  }
  return found;
}

function checkNumbers({ letters, count }, items) {
  const expected = Array.from({ length: count }, (_, i) => `${letters}${i + 1}`);
  const ids = items.map(({ id }) => id);
  const missing = expected.filter((id) => !ids.includes(id)).map((id) => `${id}: has no row`);
  const foreign = ids.filter((id, i) => !expected.includes(id) || ids.indexOf(id) !== i);
  const odd = foreign.map((id) => `${id}: stands twice, or is no item`);
  const isOrdered = [...ids].sort((a, b) => expected.indexOf(a) - expected.indexOf(b)).join() === ids.join();
  return [...missing, ...odd, ...(isOrdered ? [] : [`${letters}: the items are not in order`])];
}

function checkItem(item, world) {
  const unknown = Object.keys(item).filter((field) => !FIELDS.includes(field));
  const problems = unknown.map((field) => `has a field "${field}" that means nothing`);
  if (!item.what) problems.push('does not say what is described');
  switch (item.status) {
    case 'does':
      if (item.reason !== undefined) problems.push('needs no reason where it does as described');
      return [...problems, ...checkWhere(item, world), ...checkTest(item, world)];
    case 'better':
      return [
        ...problems,
        ...checkReason(item, world),
        ...checkWhere(item, world),
        ...(item.test === undefined ? [] : checkTest(item, world)),
      ];
    case 'elsewhere':
      return [
        ...problems,
        ...checkReason(item, world),
        ...(item.where === undefined ? [] : checkWhere(item, world)),
        ...(item.test === undefined ? [] : checkTest(item, world)),
      ];
    case undefined:
      return [...problems, 'has no status'];
    default:
      return [...problems, `"${item.status}" is no status: does, better or elsewhere`];
  }
}

const checkWhere = ({ where }, { readFile }) => {
  if (where === undefined) return ['does not say where'];
  return readFile(where) === undefined ? [`there is no file ${where}`] : [];
};

function checkTest({ test, title }, { readFile }) {
  if (test === undefined || !title) return ['names no test'];
  const text = readFile(test);
  if (text === undefined) return [`there is no file ${test}`];
  const names = new Set(readTestNames(text).flatMap(({ name }) => (name.includes(title) ? [name] : [])));
  if (names.size === 0) return [`${test} has no test "${title}"`];
  // A whole name may be the beginning of others.
  if (names.size > 1 && !names.has(title)) return [`"${title}" may be any of ${names.size} tests of ${test}`];
  return [];
}

/** Ids of items (CC12), names (s08) and paths hold digits that are no figures. */
const NO_FIGURES = /\b(?:CC|OC|S)\d+\b|\bs0\d\b|\S*\/\S*/g;

function checkReason({ reason }, { rules }) {
  if (!reason) return ['gives no reason'];
  const namesRule = (reason.match(/\b[SACT]\d+\b/g) ?? []).some((rule) => rules.has(rule));
  const hasFigure = /\d/.test(reason.replaceAll(NO_FIGURES, ''));
  return namesRule || hasFigure ? [] : ['gives a reason without a figure or a rule of the field'];
}
