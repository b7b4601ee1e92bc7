import type { StatementChooser } from '../choose/choose-statements.ts';
import { omitRoot } from '../choose/file-items.ts';
import type { Cost } from '../choose/item.ts';
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

/** Statements under one name, each with its number in the order of the transcript. */
type Group = (readonly [statement: StatementEvidence, number: number])[];

const listInOrder = (group: Group): readonly StatementEvidence[] =>
  [...group].sort(([, one], [, other]) => one - other).map(([statement]) => statement);

/**
 * The section of statements within its allowance: what the model said, in order; then what stood in files and outputs, under
 * their names in the order of the newest.
 */
export function writeStatements(title: string, chooser: StatementChooser, room: StatementRoom): string {
  const { before, allowance, cost } = room;
  const root = before.includes(room.root) ? room.root : '';
  // `#12`: the twelfth message of the transcript, as recall reads it.
  const placeOf = ({ at }: StatementEvidence): string => `#${room.messagesBefore + at + 1}`;
  const writeLine = (one: StatementEvidence): string =>
    one.about === '' ? `- ${omitRoot(one.text, root)} ${placeOf(one)}` : ` ${omitRoot(one.text, root)}`;
  const writeHead = (one: StatementEvidence): string => `${omitRoot(one.about, root)} ${placeOf(one)}`;
  const groups = new Map<string, Group>();
  let left = allowance - cost(`${title}\n`);
  chooser.choose(before, (statement, number) => {
    const group = groups.get(statement.about);
    const head = statement.about === '' || group !== undefined ? 0 : cost(`${writeHead(statement)}\n`);
    const price = cost(`${writeLine(statement)}\n`) + head;
    if (price > left) return false;
    left -= price;
    if (group === undefined) groups.set(statement.about, [[statement, number]]);
    else group.push([statement, number]);
    return true;
  });
  const said = listInOrder(groups.get('') ?? []).map(writeLine);
  groups.delete('');
  const shown = [...groups.values()].map(listInOrder).sort((a, b) => newestOf(a) - newestOf(b));
  const lines = [...said, ...shown.flatMap((list) => [...list.slice(-1).map(writeHead), ...list.map(writeLine)])];
  return lines.length === 0 ? '' : `${title}\n${lines.join('\n')}\n`;
}

const newestOf = (list: readonly StatementEvidence[]): number => list.at(-1)?.at ?? 0;
