import type { StatementChooser } from '../choose/choose-statements.ts';
import { omitRoot } from '../choose/find-root.ts';
import { type IndexEntry, joinInOrder } from '../choose/identifier-index.ts';
import { type Cost, joinLines, quoteStart } from '../choose/item.ts';
import type { NearNames } from '../choose/near-names.ts';
import type { StatementEvidence } from '../evidence/evidence.ts';

/** Where the section stands, and what it may cost. */
export interface StatementRoom {
  /** What stands before it. */
  readonly before: string;
  readonly allowance: number;
  readonly cost: Cost;
  /** The folder that most files lie in. */
  readonly root: string;
  /** How many messages the transcript has before what was read. */
  readonly messagesBefore: number;
}

/** The statements that were chosen, to be written with names that stood around them. */
export interface ChosenStatements {
  /** The names that stood near them. */
  readonly near: NearNames;
  /** Whether a name can stand among them: it stood near one, or in a file of theirs. */
  hasPlace(entry: IndexEntry): boolean;
  /** The section, with names that have a place in it behind the line that each stood nearest to. Empty where nothing was chosen. */
  write(more?: readonly IndexEntry[]): string;
}

/** Statements of one message's prose, or of one file or command, each with its number in the order of the transcript. */
type Group = (readonly [statement: StatementEvidence, number: number])[];

/**
 * The section of statements within its allowance, in the order of the transcript: what was said, message by message; what stood
 * in a file or an output, together under its name, where it was last seen.
 */
export function fillStatements(title: string, chooser: StatementChooser, room: StatementRoom): ChosenStatements {
  const { before, allowance, cost } = room;
  const root = before.includes(room.root) ? room.root : '';
  const files = filesSection.exec(before)?.[0] ?? '';
  // `#12`: the twelfth message of the transcript, as recall reads it.
  const placeOf = ({ at }: StatementEvidence): string => `#${room.messagesBefore + at + 1}`;
  const nameOf = ({ about }: StatementEvidence): string => {
    const short = about.slice(about.lastIndexOf('/') + 1);
    return !about.includes(' ') && before.includes(short) && isSole(files, short) ? short : omitRoot(about, root);
  };
  const write = (one: StatementEvidence, previous: StatementEvidence | undefined): string => {
    const text = joinLines(omitRoot(one.text, root));
    if (previous?.at === one.at) return `> ${text}`;
    const isNamed = previous === undefined && one.about !== '';
    return isNamed ? `${quoteStart(nameOf(one))} ${placeOf(one)}\n> ${text}` : `${placeOf(one)} ${text}`;
  };
  const groups = new Map<string, Group>();
  let left = allowance - cost(`${title}\n`);
  chooser.choose(before, (statement, number) => {
    const key = statement.about === '' ? placeOf(statement) : statement.about;
    const group = groups.get(key);
    const near = group?.find(([{ at }]) => at === statement.at) ?? group?.[0];
    const price = cost(`${write(statement, near?.[0])}\n`);
    if (price > left) return false;
    left -= price;
    if (group === undefined) groups.set(key, [[statement, number]]);
    else group.push([statement, number]);
    return true;
  });
  const inOrder = [...groups.values()].map((group) => group.sort(([, a], [, b]) => a - b));
  inOrder.sort((a, b) => lastOf(a) - lastOf(b));
  const near = chooser.findNear(inOrder.flat().map(([, number]) => number));
  /** The line that a name goes behind: the one that it stood nearest to, else the last one of its file before it. */
  const findLine = ({ identifier, file = '', order }: IndexEntry): number | undefined => {
    const group = groups.get(file);
    const before = group?.findLast(([, number]) => chooser.orderOf(number) <= order) ?? group?.[0];
    return near.get(identifier) ?? before?.[1];
  };
  return {
    near,
    hasPlace: ({ identifier, file = '' }) => near.has(identifier) || groups.has(file),
    write(more = []) {
      const behind = groupByLine(more, findLine);
      const lines = inOrder.flatMap((group) =>
        group.flatMap(([one, number], i) => {
          const names = behind.get(number);
          const [last] = group[i - 1] ?? [];
          const line = write(last?.at === one.at ? omitSaid(one, last.text) : one, last);
          return names === undefined ? [line] : [line, ` … ${joinInOrder(names)}`];
        }),
      );
      return lines.length === 0 ? '' : `${title}\n${lines.join('\n')}\n`;
    },
  };
}

/** Less may be the same by chance. */
const LEAST_SAID = 12;

/** A long line is cut into statements that share a few words: those of the one before are not told again. */
function omitSaid(one: StatementEvidence, last: string): StatementEvidence {
  for (let length = Math.min(one.text.length - 1, last.length); length >= LEAST_SAID; length--)
    if (last.endsWith(one.text.slice(0, length))) return { ...one, text: one.text.slice(length).trimStart() };
  return one;
}

const filesSection = /^## Files\n(?:(?!## ).*\n)*/m;

/** Whether one file at most is called so in the list of files. */
function isSole(files: string, name: string): boolean {
  let many = 0;
  for (let at = files.indexOf(name); at >= 0; at = files.indexOf(name, at + 1))
    if (!/[\w.-]/.test(files.charAt(at - 1)) && !/[\w.-]/.test(files.charAt(at + name.length))) many++;
  return many < 2;
}

function groupByLine(
  entries: readonly IndexEntry[],
  findLine: (entry: IndexEntry) => number | undefined,
): ReadonlyMap<number, readonly IndexEntry[]> {
  const byLine = new Map<number, IndexEntry[]>();
  for (const entry of entries) {
    const line = findLine(entry) ?? -1;
    const names = byLine.get(line);
    if (names === undefined) byLine.set(line, [entry]);
    else names.push(entry);
  }
  return byLine;
}

const lastOf = (group: Group): number => group.at(-1)?.[1] ?? 0;
