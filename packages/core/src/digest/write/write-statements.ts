import type { Steps } from '../../steps.ts';
import type { StatementChooser } from '../choose/choose-statements.ts';
import { omitRoot } from '../choose/find-root.ts';
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

/** The statements that were chosen, to be written with what else is told of their files. */
export interface ChosenStatements {
  /** The files that lines stand under. */
  readonly files: ReadonlySet<string>;
  /** The section; behind the lines of a file more names of it. Empty where nothing was chosen. */
  write(more?: ReadonlyMap<string, string>): string;
}

/** Statements of one message's prose, or of one file or command, each with its number in the order of the transcript. */
type Group = (readonly [statement: StatementEvidence, number: number])[];

/**
 * The section of statements within its allowance, in the order of the transcript: what was said, message by message; what stood
 * in a file or an output, together under its name, where it was last seen.
 */
export function* fillStatements(
  title: string,
  chooser: StatementChooser,
  room: StatementRoom,
): Steps<ChosenStatements> {
  const { before, allowance, cost } = room;
  const root = before.includes(room.root) ? room.root : '';
  // `#12`: the twelfth message of the transcript, as recall reads it.
  const placeOf = ({ at }: StatementEvidence): string => `#${room.messagesBefore + at + 1}`;
  const nameOf = ({ about }: StatementEvidence): string => {
    const short = about.slice(about.lastIndexOf('/') + 1);
    return !about.includes(' ') && before.includes(short) ? short : omitRoot(about, root);
  };
  const write = (one: StatementEvidence, previous: StatementEvidence | undefined): string => {
    const text = omitRoot(one.text, root);
    if (previous?.at === one.at) return ` ${text}`;
    const isNamed = previous === undefined && one.about !== '';
    return isNamed ? `${nameOf(one)} ${placeOf(one)}\n ${text}` : `${placeOf(one)} ${text}`;
  };
  const groups = new Map<string, Group>();
  let left = allowance - cost(`${title}\n`);
  yield* chooser.choose(before, (statement, number) => {
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
  const inOrder = [...groups].map(([about, group]) => ({ about, group: group.sort(([, a], [, b]) => a - b) }));
  inOrder.sort((a, b) => lastOf(a.group) - lastOf(b.group));
  return {
    files: new Set(groups.keys()),
    write(more) {
      const lines = inOrder.flatMap(({ about, group }) => {
        const others = more?.get(about);
        const own = group.map(([one], i) => write(one, group[i - 1]?.[0]));
        return others === undefined ? own : [...own, ` … ${others}`];
      });
      return lines.length === 0 ? '' : `${title}\n${lines.join('\n')}\n`;
    },
  };
}

const lastOf = (group: Group): number => group.at(-1)?.[1] ?? 0;
