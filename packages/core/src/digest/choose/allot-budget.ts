/** The sections that tell of the work. */
export type WorkSection =
  | 'todo'
  | 'progress'
  | 'files'
  | 'commands'
  | 'errors'
  | 'conclusions'
  | 'statements'
  | 'identifiers';

/** The sections of a digest. `user` comes first; `values` stands before the statements, and takes what it needs before the others share. */
export type SectionName = 'user' | WorkSection | 'values';

/** What values take at most of a digest of at least so many tokens: those with a name, and of it those that words must name. */
export const valuesShare = { percent: 33, from: 1_000, unnamed: { percent: 16, from: 2_000 } };

/** A section's part of a digest. */
export interface Share {
  /** Of the whole digest. What a section does not need flows to the others, by their shares. */
  readonly percent: number;
  /** Of one of less than 1,500 tokens, where that is another. */
  readonly small?: number;
  /** Budgets too small for its share to say anything still give it so many tokens. */
  readonly least: number;
  /** The section appears in digests of at least so many tokens; below, its share flows to the others. */
  readonly from: number;
  /** More tokens than that only where no other section wants them. */
  readonly most?: number;
}

/** How the sections about the work share a digest: to look at, not to set. */
export const digestShares: Readonly<Record<WorkSection, Share>> = {
  todo: { percent: 2, least: 16, from: 160 },
  progress: { percent: 2, least: 30, from: 240 },
  files: { percent: 20, least: 20, from: 120 },
  // In a small one those that are run again and again: a look at a folder is not worth a file's place.
  commands: { percent: 6.5, small: 3, least: 20, from: 240 },
  errors: { percent: 2.25, least: 30, from: 1_000 },
  conclusions: { percent: 4, least: 40, from: 1_200 },
  statements: { percent: 31, small: 30, least: 40, from: 240, most: 1_000 },
  identifiers: { percent: 32.25, small: 36.5, least: 24, from: 160 },
};

export const workSections = Object.keys(digestShares) as readonly WorkSection[];

const smallTokens = 1_500;

/** Whether a digest is one of little room, in which lists are told in short. `unit`: how much of the size's unit one token is. */
export const isSmall = (size: number, unit: number): boolean => size < smallTokens * unit;

/** The sections that appear in a digest of this size. `unit`: how much of the size's unit one token is. */
export const listServed = (size: number, unit: number): readonly WorkSection[] =>
  workSections.filter((name) => size >= digestShares[name].from * unit);

/**
 * Divides a budget among the sections that have something to say (`demand`, in the budget's unit). Each gets what it
 * needs, at most its share; what is left over is divided again among those that need more. `unit` is how much of the
 * budget's unit one token is; `size` is that of the whole digest. The index gets what the lists leave.
 */
export function allotBudget(
  budget: number,
  demand: Readonly<Partial<Record<WorkSection, number>>>,
  unit: number,
  size: number = budget,
): Readonly<Record<WorkSection, number>> {
  const allowance = Object.fromEntries(workSections.map((name) => [name, 0])) as Record<WorkSection, number>;
  const need = (name: WorkSection): number => demand[name] ?? 0;
  const mostOf = (name: WorkSection): number => (digestShares[name].most ?? Infinity) * unit;
  const percentOf = (name: WorkSection): number => {
    const { percent, small = percent } = digestShares[name];
    return isSmall(size, unit) ? small : percent;
  };
  let left = budget;
  const served = listServed(size, unit).filter((name) => need(name) > 0);
  for (const name of served) {
    allowance[name] = Math.max(0, Math.min(need(name), digestShares[name].least * unit, left));
    left -= allowance[name];
  }
  let hungry = served;
  while (left >= 1 && hungry.length > 0) {
    // First up to the share, counted from zero; when all shares are met, by share.
    const target = (name: WorkSection): number => Math.min((size * percentOf(name)) / 100, mostOf(name));
    const short = hungry.filter((name) => allowance[name] < Math.min(target(name), need(name)));
    // The index takes what is left: it can be of any length, while half a list of files is half a list.
    const lists = short.filter((name) => name !== 'identifiers');
    const below = lists.length > 0 ? lists : short;
    const open = hungry.filter((name) => allowance[name] < mostOf(name) - 1e-6);
    const takers = [below, open, hungry].find((some) => some.length > 0) ?? hungry;
    const weight = takers.reduce((sum, name) => sum + percentOf(name), 0);
    let given = 0;
    for (const name of takers) {
      const limit = takers === below ? target(name) : takers === open ? mostOf(name) : Infinity;
      const wanted = Math.min(limit, need(name)) - allowance[name];
      const grant = Math.min(wanted, (left * percentOf(name)) / weight);
      allowance[name] += grant;
      given += grant;
    }
    left -= given;
    hungry = hungry.filter((name) => allowance[name] < need(name) - 1e-9);
    if (given < 1e-6) break;
  }
  return allowance;
}
