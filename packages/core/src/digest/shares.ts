/** The sections of a digest, in the order in which they stand. */
export type SectionName =
  | 'request'
  | 'constraints'
  | 'words'
  | 'todo'
  | 'progress'
  | 'files'
  | 'commands'
  | 'errors'
  | 'conclusions'
  | 'identifiers';

export interface Share {
  /** Of the whole budget. What a section does not need flows to the others, by their shares. */
  readonly percent: number;
  /** Budgets too small for its share to say anything still give it so many tokens. */
  readonly least: number;
  /** The section appears in budgets of at least so many tokens; below, its share flows to the others. */
  readonly from: number;
}

export const digestShares: Readonly<Record<SectionName, Share>> = {
  request: { percent: 5, least: 30, from: 0 },
  constraints: { percent: 8, least: 24, from: 0 },
  words: { percent: 4, least: 40, from: 1_000 },
  todo: { percent: 2, least: 16, from: 160 },
  progress: { percent: 2, least: 20, from: 240 },
  files: { percent: 12, least: 20, from: 120 },
  commands: { percent: 8, least: 20, from: 240 },
  errors: { percent: 3, least: 30, from: 1_000 },
  conclusions: { percent: 3, least: 40, from: 1_200 },
  identifiers: { percent: 53, least: 24, from: 160 },
};

/** How much of a digest the rules of a session may take before all else. */
export const RULES_FIRST = 0.3;

export const sectionNames = Object.keys(digestShares) as readonly SectionName[];

/**
 * Divides a budget among the sections that have something to say (`demand`, in the budget's unit). Each gets what it
 * needs, at most its share; what is left over is divided again among those that need more. `unit` is how much of the
 * budget's unit one token is.
 */
export function allot(
  budget: number,
  demand: Readonly<Partial<Record<SectionName, number>>>,
  unit: number,
  rulesFirst = 0,
): Readonly<Record<SectionName, number>> {
  const allowance = Object.fromEntries(sectionNames.map((name) => [name, 0])) as Record<SectionName, number>;
  let left = budget;
  const served = sectionNames.filter((name) => (demand[name] ?? 0) > 0 && budget >= digestShares[name].from * unit);
  for (const name of served) {
    const first = name === 'constraints' ? budget * rulesFirst : 0;
    allowance[name] = Math.min(demand[name]!, Math.max(digestShares[name].least * unit, first), left);
    left -= allowance[name];
  }
  let hungry = served;
  while (left >= 1 && hungry.length > 0) {
    const percent = hungry.reduce((sum, name) => sum + digestShares[name].percent, 0);
    // First up to the share, counted from zero; when all shares are met, by share.
    const target = (name: SectionName): number => (budget * digestShares[name].percent) / 100;
    const below = hungry.filter((name) => allowance[name] < Math.min(target(name), demand[name]!));
    const takers = below.length > 0 ? below : hungry;
    const weight = below.length > 0 ? below.reduce((sum, name) => sum + digestShares[name].percent, 0) : percent;
    let given = 0;
    for (const name of takers) {
      const wanted = (below.length > 0 ? Math.min(target(name), demand[name]!) : demand[name]!) - allowance[name];
      const grant = Math.min(wanted, (left * digestShares[name].percent) / weight);
      allowance[name] += grant;
      given += grant;
    }
    left -= given;
    hungry = hungry.filter((name) => allowance[name] < demand[name]! - 1e-9);
    if (given < 1e-6) break;
  }
  return allowance;
}
