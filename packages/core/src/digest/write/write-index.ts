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
export function writeIndex(
  title: string,
  entries: Iterable<IndexEntry>,
  allowance: number,
  cost: Cost,
  statements: ChosenStatements | undefined,
): WrittenIndex {
  const chosen: IndexEntry[] = [];
  let left = allowance;
  for (const entry of entries) {
    left -= cost(`${entry.text} `);
    if (left < 0) break;
    chosen.push(entry);
  }
  const bare = statements?.write() ?? '';
  const most = allowance + cost(bare);
  let best: WrittenIndex = { statements: bare, index: '' };
  // Heads and breaks come on top of what names cost by themselves: the most that fit are found by halving, of many but for a hundredth.
  for (let fits = 0, over = chosen.length + 1, size = chosen.length; over - fits > 1 + (fits >> 7); ) {
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

/** By file; one that was called by a part of its path belongs to the only one that has it. */
function groupByFile(entries: readonly IndexEntry[]): ReadonlyMap<string, readonly IndexEntry[]> {
  const byFile = new Map<string, IndexEntry[]>();
  const files = [...new Set(entries.map(({ file = '' }) => file))];
  const wholeOf = new Map(files.map((file) => [file, findWhole(file, files)]));
  for (const entry of entries) {
    const file = wholeOf.get(entry.file ?? '') ?? '';
    const group = byFile.get(file);
    if (group === undefined) byFile.set(file, [entry]);
    else group.push(entry);
  }
  return byFile;
}

function findWhole(file: string, all: readonly string[]): string {
  const [whole, ...others] = file.includes('/') ? all.filter((other) => other.endsWith(`/${file}`)) : [];
  return whole === undefined || others.length > 0 ? file : whole;
}

/** A file by its name; by as many folders besides as tell it from others. */
function nameFile(file: string, all: readonly string[]): string {
  const steps = file.split('/');
  for (let many = 1; many < steps.length; many++) {
    const name = steps.slice(-many).join('/');
    if (all.filter((other) => other === name || other.endsWith(`/${name}`)).length < 2) return name;
  }
  return file;
}
