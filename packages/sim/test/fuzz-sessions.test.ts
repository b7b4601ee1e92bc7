import { isDeep } from '@palimpsest/testing';
import { expect, it } from 'vitest';
import { liveOneSeed } from './fuzz/live.ts';

const STEPS = 60;
/** How long a deep run goes on; `FUZZ_MINUTES=30 npm run test:deep -- packages/sim/test/fuzz-sessions.test.ts`. */
const MINUTES = Number(process.env.FUZZ_MINUTES ?? 5);
const FIRST = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 30));

// A search for what nobody thought of, by the clock: the rules it looks for have tests of their own, which npm test runs.
it.runIf(isDeep)(
  'a session of random operations, with ports that fail, is never refused for its form, loses nothing and never loops',
  async () => {
    const until = Date.now() + MINUTES * 60_000;
    const findings: string[] = [];
    let views = 0;
    let seed = FIRST;
    for (; Date.now() < until && findings.length === 0; seed++) {
      const outcome = await liveOneSeed(seed, STEPS);
      views += outcome.views;
      findings.push(...outcome.findings);
    }
    console.log(`fuzz: seeds ${FIRST} to ${seed - 1}, ${views} views; SEED=${seed - 1} repeats the last`);
    expect(findings).toEqual([]);
  },
  (MINUTES + 2) * 60_000,
);
