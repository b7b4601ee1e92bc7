import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { fastOrDeep } from '@palimpsest/testing';
import { bundleChild, type Child, startChild } from '@palimpsest/testing/children/child-process';
import { numberedRecord, stashText } from '@palimpsest/testing/children/numbered-record';
import { afterAll, expect, it } from 'vitest';
import { describeOnServer, findDatabase, newTenant, openStore } from './postgres.ts';

const KILLS = fastOrDeep(12, 200);
const LANES = 2;
/** A session is loaded as a whole after each kill; a new one now and then keeps that short. */
const KILLS_A_SESSION = 5;

/** Inside the package: what npm installed is found from there. */
const BUILDS = fileURLToPath(new URL(`../.test-build/${process.pid}`, import.meta.url));
afterAll(() => rmSync(BUILDS, { recursive: true, force: true }));

describeOnServer('a writer process killed with SIGKILL', () => {
  it(`at random moments, ${KILLS} times: the session is free at once, and nothing acknowledged is lost or doubled`, async () => {
    const url = await findDatabase();
    const tenant = newTenant();
    const store = await openStore({ tenant });
    const script = await bundleChild(new URL('./children/writer.ts', import.meta.url), BUILDS);
    const tally = { kills: 0, acknowledged: 0, stashed: 0, whileOpening: 0 };

    const killOne = async (id: string, child: Child, nth: number): Promise<void> => {
      await child.line('ready');
      child.say(id);
      // Every fourth dies around opening, the others in the midst of appending.
      const early = nth % 4 === 0;
      await child.line(early ? 'opening' : 'acknowledged');
      await sleep(Math.random() * (early ? 15 : 40));
      child.process.kill('SIGKILL');
      // Its lease would last for 30 s; on the same machine its end is seen. What it sent last may still be under way.
      const session = await store.open(id, { waitMs: 10_000 });
      await child.ended;
      const numbers = child.lines
        .filter((line) => line.startsWith('acknowledged '))
        .map((line) => Number(line.slice(13)));
      expect(session.records.length).toBeGreaterThan(Math.max(-1, ...numbers));
      expect(session.records).toEqual(session.records.map((_, n) => numberedRecord(n)));
      for (const line of child.lines.filter((line) => line.startsWith('stashed '))) {
        const [, n, ref = ''] = line.split(' ');
        expect(await session.stash.get(ref)).toBe(stashText(Number(n)));
        tally.stashed++;
      }
      tally.kills++;
      tally.acknowledged += numbers.length;
      if (!child.lines.some((line) => line.startsWith('opened'))) tally.whileOpening++;
      await session.journal.close();
    };

    const lane = async (name: string): Promise<void> => {
      let coming = startChild(script, [url, tenant]);
      for (let i = 0; i < KILLS / LANES; i++) {
        const child = coming;
        // The next one starts up while this one works.
        if (i + 1 < KILLS / LANES) coming = startChild(script, [url, tenant]);
        try {
          await killOne(`${name}-${Math.floor(i / KILLS_A_SESSION)}`, child, i);
        } catch (error) {
          child.process.kill('SIGKILL');
          coming.process.kill('SIGKILL');
          throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: LANES }, (_, i) => lane(`lane-${i}`)));
    console.log(
      `${tally.kills} kills (${tally.whileOpening} while opening): ${tally.acknowledged} appends and ${tally.stashed} stashed texts acknowledged, none lost, none doubled`,
    );
    expect(tally.kills).toBe(KILLS);
    expect(tally.acknowledged).toBeGreaterThan(KILLS / 2);
  });
});

const PROCESSES = 3;
const SESSIONS = fastOrDeep(6, 50);
const APPENDS = fastOrDeep(30, 200);
const KILL_EVERY_MS = fastOrDeep(1_500, 10_000);

describeOnServer('three processes that share the sessions', () => {
  it(`${SESSIONS} sessions of ${APPENDS} appends, one killed now and then and started anew: every record once, in its place`, async () => {
    const url = await findDatabase();
    const tenant = newTenant();
    const script = await bundleChild(new URL('./children/mover.ts', import.meta.url), BUILDS);
    const start = (): Child => startChild(script, [url, tenant, String(SESSIONS), String(APPENDS)]);
    const children = Array.from({ length: PROCESSES }, start);
    const lines: string[] = [];
    let kills = 0;
    const killing = new AbortController();
    const keep = async (at: number): Promise<void> => {
      for (;;) {
        const { signal } = await children[at]!.ended;
        lines.push(...children[at]!.lines);
        // Where it did not end well, this says what it said.
        if (signal !== 'SIGKILL') return void (await children[at]!.line('done'));
        children[at] = start();
      }
    };
    const killNowAndThen = async (): Promise<void> => {
      for (let nth = 0; !killing.signal.aborted; nth++) {
        await sleep(KILL_EVERY_MS, undefined, { signal: killing.signal }).catch(() => {});
        if (killing.signal.aborted) return;
        if (children[nth % PROCESSES]!.process.kill('SIGKILL')) kills++;
      }
    };
    const murders = killNowAndThen();
    await Promise.all(children.map((_, at) => keep(at)));
    killing.abort();
    await murders;
    expect(lines.filter((line) => line.startsWith('wrong'))).toEqual([]);
    const store = await openStore({ tenant });
    for (let i = 0; i < SESSIONS; i++)
      expect((await store.read(`s${i}`)).records).toEqual(
        Array.from({ length: APPENDS }, (_, n) => numberedRecord(n, 200)),
      );
    const acknowledged = lines.filter((line) => line.startsWith('acknowledged'));
    // Nobody was told twice that a record is there, so nobody wrote it twice.
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
    console.log(
      `${PROCESSES} processes, ${SESSIONS} sessions of ${APPENDS} appends, ${kills} kills: ${acknowledged.length} acknowledged, none lost, none doubled`,
    );
  });
});
