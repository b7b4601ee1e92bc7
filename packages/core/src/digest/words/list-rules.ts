import { toOneLine } from '../choose/item.ts';
import type { Constraint, Evidence } from '../evidence/evidence.ts';

/** Denials and corrections before demands, what was said directly before what was pasted; each kind newest first. */
const tier = ({ strength, direct }: Constraint): number => (direct ? 0 : 2) + (strength === 'denial' ? 0 : 1);

/** A pasted document may hold a hundred demands; the newest few stand for it. */
const mostPasted = 10;

/** The rules of the user, in the order of need. */
export function listRules(evidence: Pick<Evidence, 'constraints'>): readonly Constraint[] {
  const said = [...evidence.constraints].reverse().sort((a, b) => tier(a) - tier(b));
  return [...said.filter((rule) => rule.direct), ...said.filter((rule) => !rule.direct).slice(0, mostPasted)];
}

/** What the user did not allow, newest first. */
export const listRefusals = ({ refusals }: Pick<Evidence, 'refusals'>): readonly string[] => [
  ...new Set([...refusals].reverse().map(({ tool, what }) => `- Not allowed: ${tool} ${toOneLine(what)}`)),
];
