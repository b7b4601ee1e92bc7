import { assistant, type Message, presets, user } from '@palimpsest/core';
import type { SessionRecord } from '@palimpsest/formats';
import { describe, expect, it } from 'vitest';
import { liveThrough, type ModelCall } from '../src/replay/live-through.ts';
import { addOutcomes } from '../src/replay/outcome.ts';
import { replaySession } from '../src/replay/replay-session.ts';
import { callTool, numberMessages } from './conversation.ts';

const { signal } = new AbortController();

/** Forty files are read, and the first and the last of them are named again at the end. */
const record: SessionRecord = {
  usage: [],
  compactions: [],
  messages: numberMessages([
    user('Look through the folder.'),
    ...Array.from({ length: 40 }, (_, i) =>
      callTool(
        'Read',
        { file_path: `/app/src/module-${i}.ts` },
        `export const limit_${i} = ${70_000 + i};\n`.repeat(12),
      ),
    ).flat(),
    ...Array.from({ length: 10 }, (_, i) => [
      assistant(`limit_${i} and limit_${39 - i} are left.`),
      user('Go on.'),
    ]).flat(),
  ]).map((message, i): Message => ({ ...message, at: i * 1_000 })),
};

describe('a recording that is lived through', () => {
  it('is asked for a view before every answer, with all that was said until then', async () => {
    const calls: ModelCall[] = [];
    const session = await liveThrough(record, {
      window: 400_000,
      layers: [],
      signal,
      onCall: (call) => calls.push(call),
    });
    expect(calls.map(({ number }) => number)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    for (const { at, answer, view, when } of calls) {
      expect(answer).toBe(record.messages[at]);
      expect(view.messages.map(({ id }) => id)).toEqual(record.messages.slice(0, at).map(({ id }) => id));
      expect(when).toBe(record.messages[at - 1]?.at);
    }
    expect(session.transcript()).toHaveLength(record.messages.length);
  });

  it('ends where it is told to', async () => {
    const stop = new AbortController();
    const live = liveThrough(record, {
      window: 400_000,
      layers: presets.default(),
      signal: stop.signal,
      onCall: ({ number }) => number === 3 && stop.abort(),
    });
    await expect(live).rejects.toThrow();
  });
});

describe('a replay', () => {
  it('asks every preset for the same, and holds less where more was hidden', async () => {
    const [roomy, tight] = [
      await replaySession(record, { window: 400_000, presets: ['default'], signal }),
      await replaySession(record, { window: 5_000, presets: ['default', 's08'], signal }),
    ];
    expect(roomy[0]).toMatchObject({ calls: 50, compactions: 0, unfit: 0, recall: { identifiers: { needed: 0 } } });
    const [one, other] = tight;
    expect(one?.compactions).toBeGreaterThan(0);
    expect(one?.recall.identifiers.needed).toBeGreaterThan(0);
    expect(one?.recall.identifiers.needed).toBe(other?.recall.identifiers.needed);
    for (const { recall } of tight) {
      expect(recall.identifiers.held).toBeGreaterThan(0);
      expect(recall.identifiers.held).toBeLessThan(recall.identifiers.needed);
    }
  });

  it('reads from the cache what stays, and writes anew what a compaction changed', async () => {
    const [roomy] = await replaySession(record, { window: 400_000, presets: ['default'], signal });
    const [tight] = await replaySession(record, { window: 5_000, presets: ['default'], signal });
    const cached = ({ cacheRead = 0, cacheWrite = 1 } = {}): number => cacheRead / (cacheRead + cacheWrite);
    expect(cached(roomy)).toBeGreaterThan(0.9);
    expect(cached(tight)).toBeLessThan(cached(roomy));
  });

  it('of several sessions is added up preset by preset', async () => {
    const outcomes = await replaySession(record, { window: 5_000, presets: ['default', 's08'], signal });
    const twice = addOutcomes([...outcomes, ...outcomes], 's08');
    expect(twice).toMatchObject({
      preset: 's08',
      calls: 100,
      compactions: 2 * (outcomes[1]?.compactions ?? 0),
      cacheRead: 2 * (outcomes[1]?.cacheRead ?? 0),
      recall: { identifiers: { needed: 2 * (outcomes[1]?.recall.identifiers.needed ?? 0) } },
    });
  });
});
