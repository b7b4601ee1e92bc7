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

/** A section's part of a digest's budget. */
export interface Share {
  /** Of the whole budget. What a section does not need flows to the others, by their shares. */
  readonly percent: number;
  /** Budgets too small for its share to say anything still give it so many tokens. */
  readonly least: number;
  /** The section appears in budgets of at least so many tokens; below, its share flows to the others. */
  readonly from: number;
}

/** How a digest's budget is divided among its sections: to look at, not to set. */
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

/** Which part of a budget sections may take before all others. */
export type First = Readonly<Partial<Record<SectionName, number>>>;

/** In a session nothing but the digest carries what the user said. */
export const SAID_FIRST: First = { constraints: 0.3, words: 0.2 };

export const sectionNames = Object.keys(digestShares) as readonly SectionName[];

/**
 * Divides a budget among the sections that have something to say (`demand`, in the budget's unit). Each gets what it
 * needs, at most its share; what is left over is divided again among those that need more. `unit` is how much of the
 * budget's unit one token is.
 */
export function allotBudget(
  budget: number,
  demand: Readonly<Partial<Record<SectionName, number>>>,
  unit: number,
  first: First = {},
): Readonly<Record<SectionName, number>> {
  const allowance = Object.fromEntries(sectionNames.map((name) => [name, 0])) as Record<SectionName, number>;
  const need = (name: SectionName): number => demand[name] ?? 0;
  let left = budget;
  const served = sectionNames.filter((name) => need(name) > 0 && budget >= digestShares[name].from * unit);
  for (const name of served) {
    const { [name]: part } = first;
    // A budget without end must not make a number that is none.
    const atOnce = Math.max(digestShares[name].least * unit, part === undefined ? 0 : budget * part);
    allowance[name] = Math.min(need(name), atOnce, left);
    left -= allowance[name];
  }
  let hungry = served;
  while (left >= 1 && hungry.length > 0) {
    const percent = hungry.reduce((sum, name) => sum + digestShares[name].percent, 0);
    // First up to the share, counted from zero; when all shares are met, by share.
    const target = (name: SectionName): number => (budget * digestShares[name].percent) / 100;
    const short = hungry.filter((name) => allowance[name] < Math.min(target(name), need(name)));
    // The index takes what is left: it can be of any length, while half a list of files is half a list.
    const lists = short.filter((name) => name !== 'identifiers');
    const below = lists.length > 0 && Object.keys(first).length > 0 ? lists : short;
    const takers = below.length > 0 ? below : hungry;
    const weight = below.length > 0 ? below.reduce((sum, name) => sum + digestShares[name].percent, 0) : percent;
    let given = 0;
    for (const name of takers) {
      const wanted = (below.length > 0 ? Math.min(target(name), need(name)) : need(name)) - allowance[name];
      const grant = Math.min(wanted, (left * digestShares[name].percent) / weight);
      allowance[name] += grant;
      given += grant;
    }
    left -= given;
    hungry = hungry.filter((name) => allowance[name] < need(name) - 1e-9);
    if (given < 1e-6) break;
  }
  return allowance;
}
