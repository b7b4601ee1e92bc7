import fc from 'fast-check';

/** Cases that several laws look at, so that what is costly about them is made once. */
export interface Corpus<Case> {
  /** Checks every case; a failure names the seed and the case, which `SEED` brings back. */
  each(check: (one: Case) => void | Promise<void>): Promise<void>;
}

export function corpusOf<Raw, Case>(
  arbitrary: fc.Arbitrary<Raw>,
  runs: number,
  make: (raw: Raw) => Case | Promise<Case>,
): Corpus<Case> {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
  let cases: Promise<readonly Case[]> | undefined;
  const makeAll = async (): Promise<readonly Case[]> => {
    const made: Case[] = [];
    for (const raw of fc.sample(arbitrary, { numRuns: runs, seed })) made.push(await make(raw));
    return made;
  };
  return {
    async each(check) {
      cases ??= makeAll();
      for (const [i, one] of (await cases).entries()) {
        try {
          await check(one);
        } catch (cause) {
          throw new Error(`case ${i} of SEED=${seed}: ${(cause as Error).message}`, { cause });
        }
      }
    },
  };
}
