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
  /** Of the whole budget, in percent. What a section does not need flows to the others, by their shares. */
  readonly percent: number;
  /** Below so many tokens the section says nothing; it is left out and its share flows on. */
  readonly least: number;
  /** Who is served first when the budget is too small for all; 1 is first. */
  readonly rank: number;
}

export const digestShares: Readonly<Record<SectionName, Share>> = {
  request: { percent: 6, least: 22, rank: 1 },
  constraints: { percent: 7, least: 20, rank: 2 },
  words: { percent: 5, least: 40, rank: 9 },
  todo: { percent: 4, least: 30, rank: 4 },
  progress: { percent: 3, least: 24, rank: 6 },
  files: { percent: 13, least: 40, rank: 3 },
  commands: { percent: 11, least: 40, rank: 5 },
  errors: { percent: 3, least: 30, rank: 8 },
  conclusions: { percent: 4, least: 40, rank: 10 },
  identifiers: { percent: 44, least: 40, rank: 7 },
};

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
): Readonly<Record<SectionName, number>> {
  const allowance = Object.fromEntries(sectionNames.map((name) => [name, 0])) as Record<SectionName, number>;
  const served: SectionName[] = [];
  let left = budget;
  for (const name of [...sectionNames].sort((a, b) => digestShares[a].rank - digestShares[b].rank)) {
    const needed = Math.min(demand[name] ?? 0, digestShares[name].least * unit);
    if (needed <= 0 || needed > left) continue;
    allowance[name] = needed;
    served.push(name);
    left -= needed;
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
