import type { IndexEntry } from '../choose/identifier-index.ts';
import type { Cost } from '../choose/item.ts';

/** So many names of one file make a line of their own. */
const leastTogether = 2;

/**
 * The index within its allowance: names under the file that they were last seen in, in the order in which they stand there, so that
 * what belongs together stands together; behind them the others.
 */
export function writeIndex(title: string, entries: Iterable<IndexEntry>, allowance: number, cost: Cost): string {
  const chosen: IndexEntry[] = [];
  let left = allowance - cost(`${title}\n`);
  for (const entry of entries) {
    left -= cost(`${entry.text} `);
    if (left < 0) break;
    chosen.push(entry);
  }
  for (let size = chosen.length; size > 0; size = Math.min(size - 1, Math.floor(size * 0.97))) {
    const text = `${title}\n${listLines(chosen.slice(0, size)).join('\n')}\n`;
    if (cost(text) <= allowance) return text;
  }
  return '';
}

function listLines(entries: readonly IndexEntry[]): readonly string[] {
  const byFile = new Map<string, IndexEntry[]>();
  for (const entry of entries) {
    const { file = '' } = entry;
    const group = byFile.get(file);
    if (group === undefined) byFile.set(file, [entry]);
    else group.push(entry);
  }
  const others = [...byFile].flatMap(([file, group]) => (file === '' || group.length < leastTogether ? group : []));
  const lines = [...byFile]
    .filter(([file, group]) => file !== '' && group.length >= leastTogether)
    .map(([file, group]) => `${nameFile(file, [...byFile.keys()])}: ${joinInOrder(group)}`);
  return others.length === 0 ? lines : [...lines, joinInOrder(others)];
}

/** A file by its name; by folder and name where another is called the same. */
function nameFile(file: string, all: readonly string[]): string {
  const steps = file.split('/');
  const name = steps.at(-1) ?? file;
  const isSole = all.filter((other) => other === name || other.endsWith(`/${name}`)).length < 2;
  return isSole ? name : steps.slice(-2).join('/');
}

const joinInOrder = (group: readonly IndexEntry[]): string =>
  [...group]
    .sort((one, other) => one.order - other.order)
    .map(({ text }) => text)
    .join(' ');
