import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileStore } from '@palimpsest/store';
import { bundleChild, type Child, startChild } from '@palimpsest/testing/children/child-process';
import { numberedRecord, stashText } from '@palimpsest/testing/children/numbered-record';
import { describe, expect, it } from 'vitest';
import { newGround } from './new-ground.ts';

/** Under DEEP=1 as many as a release is worth. */
const ROUNDS: readonly number[] = process.env.DEEP === '1' ? [200, 1_000] : [40];
/** With two processes at work on a busy machine a kill takes a second at most. */
const KILL_MS = 1_200;
const LANES = 2;
/** A session is loaded as a whole after each kill; a new one now and then keeps that short. */
const KILLS_A_SESSION = 8;

interface Tally {
  kills: number;
  acknowledged: number;
  stashed: number;
  repaired: number;
  whileOpening: number;
}

async function killOne(dir: string, id: string, child: Child, nth: number, tally: Tally): Promise<void> {
  await child.line('ready');
  child.say(id);
  // Every fourth dies around opening (lock, repair, first write), the others in the midst of appending.
  const early = nth % 4 === 0;
  await child.line(early ? 'opening' : 'acknowledged');
  await sleep(Math.random() * (early ? 25 : 40));
  child.process.kill('SIGKILL');
  // Every other time nobody waits for the process to be gone: the lock must hold until it is, and not longer.
  const rushed = nth % 2 === 0;
  if (!rushed) expect((await child.ended).signal).toBe('SIGKILL');
  const session = await fileStore({ dir }).open(id, rushed ? { waitMs: 60_000 } : {});
  await child.ended;

  const numbers = child.lines.filter((line) => line.startsWith('acknowledged ')).map((line) => Number(line.slice(13)));
  const last = Math.max(-1, ...numbers);
  expect(session.records.length).toBeGreaterThan(last);
  expect(session.records).toEqual(session.records.map((_, n) => numberedRecord(n)));
  for (const line of child.lines.filter((line) => line.startsWith('stashed '))) {
    const [, n, ref] = line.split(' ');
    expect(await session.stash.get(ref!)).toBe(stashText(Number(n)));
    tally.stashed++;
  }
  if (session.repaired !== undefined) {
    expect(existsSync(session.repaired.keptAt)).toBe(true);
    tally.repaired++;
  }
  tally.kills++;
  tally.acknowledged += numbers.length;
  if (!child.lines.some((line) => line.startsWith('opened'))) tally.whileOpening++;
  await session.journal.close();
  expect(existsSync(join(dir, id, 'lock'))).toBe(false);
}

describe('a writer process killed with SIGKILL', () => {
  it.each(ROUNDS)(
    'at random moments, %i times: every load succeeds, nothing acknowledged is lost, no lock stays',
    async (kills) => {
      const dir = newGround();
      const script = await bundleChild(new URL('./children/writer.ts', import.meta.url), newGround());
      const tally: Tally = { kills: 0, acknowledged: 0, stashed: 0, repaired: 0, whileOpening: 0 };
      const lane = async (name: string): Promise<void> => {
        let coming = startChild(script, [dir]);
        for (let i = 0; i < kills / LANES; i++) {
          const child = coming;
          // The next one starts up while this one works.
          if (i + 1 < kills / LANES) coming = startChild(script, [dir]);
          try {
            await killOne(dir, `${name}-${Math.floor(i / KILLS_A_SESSION)}`, child, i, tally);
          } catch (error) {
            child.process.kill('SIGKILL');
            coming.process.kill('SIGKILL');
            throw error;
          }
        }
      };
      await Promise.all(Array.from({ length: LANES }, (_, i) => lane(`lane-${i}`)));
      console.log(
        `${tally.kills} kills (${tally.whileOpening} while opening): ${tally.acknowledged} appends and ${tally.stashed} stashed texts acknowledged, none lost; ${tally.repaired} torn ends repaired`,
      );
      expect(tally.kills).toBe(kills);
      expect(tally.acknowledged).toBeGreaterThan(kills);
      expect(tally.whileOpening).toBeGreaterThan(0);
    },
    Math.max(...ROUNDS) * KILL_MS,
  );
});
