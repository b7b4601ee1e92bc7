import { newStride, type Steps } from '../../steps.ts';
import { type IndexEntry, joinInOrder } from '../choose/identifier-index.ts';
import type { Cost } from '../choose/item.ts';
import type { ChosenStatements } from './write-statements.ts';

/** A file is named before its names where that is no more than this part of them. */
const headPart = 0.3;

/** The index, and the section of statements with the names that went behind lines of their file. */
export interface WrittenIndex {
  readonly statements: string;
  /** Empty where all names stand behind statements, or none has room. */
  readonly index: string;
}

/**
 * The index within its allowance. Names that stood near statements, or in a file of theirs, go among its lines; those of other files under
 * the file's name where it pays; all in the order in which they stood there, so that what belongs together stands together.
 */
export function* writeIndex(
  title: string,
  entries: Iterable<IndexEntry>,
  allowance: number,
  cost: Cost,
  statements: ChosenStatements | undefined,
): Steps<WrittenIndex> {
  const isStop = newStride(64);
  const chosen: IndexEntry[] = [];
  let left = allowance;
  for (const entry of entries) {
    left -= cost(`${entry.text} `);
    if (left < 0) break;
    chosen.push(entry);
    if (isStop()) yield;
  }
  const bare = statements?.write() ?? '';
  const most = allowance + cost(bare);
  let best: WrittenIndex = { statements: bare, index: '' };
  // Heads and breaks come on top of what names cost by themselves: the most that fit are found by halving, of many but for a hundredth.
  for (let fits = 0, over = chosen.length + 1, size = chosen.length; over - fits > 1 + (fits >> 7); ) {
    yield;
    const written = layOut(title, chosen.slice(0, size), statements);
    if (cost(written.statements) + cost(written.index) <= most) [best, fits] = [written, size];
    else over = size;
    size = fits === 0 ? Math.floor(over * 0.9) : (fits + over) >> 1;
  }
  return best;
}

function layOut(title: string, entries: readonly IndexEntry[], statements: ChosenStatements | undefined): WrittenIndex {
  const isAmong = (entry: IndexEntry): boolean => statements?.hasPlace(entry) === true;
  const byFile = groupByFile(entries.filter((entry) => !isAmong(entry)));
  const files = [...byFile.keys()];
  const lines: string[] = [];
  const others: IndexEntry[] = [];
  for (const [file, group] of byFile) {
    const names = joinInOrder(group);
    const head = `${nameFile(file, files)}: `;
    if (file !== '' && head.length <= headPart * names.length) lines.push(head + names);
    else others.push(...group);
  }
  if (others.length > 0) lines.push(joinInOrder(others));
  return {
    statements: statements?.write(entries.filter(isAmong)) ?? '',
    index: lines.length === 0 ? '' : `${title}\n${lines.join('\n')}\n`,
  };
}

function groupByFile(entries: readonly IndexEntry[]): ReadonlyMap<string, readonly IndexEntry[]> {
  const byFile = new Map<string, IndexEntry[]>();
  for (const entry of entries) {
    const { file = '' } = entry;
    const group = byFile.get(file);
    if (group === undefined) byFile.set(file, [entry]);
    else group.push(entry);
  }
  return byFile;
}

/** A file by its name; by folder and name where another is called the same. */
function nameFile(file: string, all: readonly string[]): string {
  const steps = file.split('/');
  const name = steps.at(-1) ?? file;
  const isSole = all.filter((other) => other === name || other.endsWith(`/${name}`)).length < 2;
  return isSole ? name : steps.slice(-2).join('/');
}
