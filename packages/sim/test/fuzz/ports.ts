import type { BeforeAnswer, Carry, CarryItem, Hooks, JournalRecord, Ports, Stash, Summarizer } from '@palimpsest/core';
import type { VirtualClock } from '@palimpsest/testing';
import type { Dice } from './dice.ts';

const never = new Promise<never>(() => {});
const LONG = 'Whatever the host thinks is worth knowing. '.repeat(2_000);

/** A port's answer, or one of the ways in which a port fails. */
async function misbehave<Answer>(dice: Dice, good: () => Answer, huge: () => Answer): Promise<Answer> {
  const way = dice.below(8);
  if (way === 0) throw new Error('the port is broken');
  if (way === 1) return never;
  if (way === 2) return undefined as Answer;
  if (way === 3) return 42 as Answer;
  return way === 4 ? huge() : good();
}

const SUMMARIES = [
  'The work goes on as asked; src/a.ts was read and nothing was changed yet.',
  '',
  '# Summary\n\nI cannot help with that.',
  'x'.repeat(200_000),
  'The half of a pair \ud83d and src/never-seen-before.ts with 99999999 lines.',
];

const summarizerOf = (dice: Dice): Summarizer => ({
  window: dice.pick([2_000, 50_000, 1_000_000]),
  sharesPrefix: dice.chance(0.5),
  summarize: () =>
    misbehave(
      dice,
      () => ({ text: dice.pick(SUMMARIES), stop: dice.pick(['end', 'length', 'tool'] as const) }),
      () => ({ text: LONG.repeat(5), stop: 'end' as const }),
    ),
});

const stashOf = (dice: Dice): Stash => {
  const kept = new Map<string, string>();
  return {
    put: (text) =>
      misbehave(
        dice,
        () => {
          kept.set(`s${kept.size}`, text);
          return `s${kept.size - 1}`;
        },
        () => LONG,
      ),
    get: async (ref) => kept.get(ref),
  };
};

const carryOf = (dice: Dice): Carry => ({
  carry: () =>
    misbehave<readonly CarryItem[]>(
      dice,
      () => [{ kind: 'todo' as const, name: 'todo', text: '1. read on' }],
      () => [{ kind: 'file' as const, name: 'src/a.ts', text: LONG }],
    ),
});

const hooksOf = (dice: Dice): Hooks => ({
  before: () =>
    misbehave<BeforeAnswer>(
      dice,
      () => ({ instructions: 'mind the tests' }),
      () => (dice.chance(0.5) ? { instructions: LONG } : { veto: 'not now' }),
    ),
  after: () =>
    misbehave(
      dice,
      () => ({ context: 'AGENTS.md was read again.' }),
      () => ({ context: LONG }),
    ),
});

/** Ports that are there or not, and work or not. */
export const castPorts = (dice: Dice, clock: VirtualClock): Ports => ({
  clock,
  ...(dice.chance(0.5) ? { summarizer: summarizerOf(dice) } : {}),
  ...(dice.chance(0.3) ? { stash: stashOf(dice) } : {}),
  ...(dice.chance(0.3) ? { carry: carryOf(dice) } : {}),
  ...(dice.chance(0.3) ? { hooks: hooksOf(dice) } : {}),
});

/** A journal in memory, which now and then refuses to write. */
export function keepJournal(dice: Dice, records: JournalRecord[], failing: number) {
  return {
    append: async (more: readonly JournalRecord[]): Promise<void> => {
      if (dice.chance(failing)) throw new Error('ENOSPC');
      // What a disk gives back: no object of the session's own.
      records.push(...(JSON.parse(JSON.stringify(more)) as JournalRecord[]));
    },
    close: async (): Promise<void> => {},
  };
}
