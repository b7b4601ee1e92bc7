import { assistant, type Message, user } from '@palimpsest/core';
import { type Recording, readSession, type SessionRecord, withCompaction, writeClaudeCode } from '@palimpsest/formats';
import { describe, expect, it } from 'vitest';
import { listBoundaries } from '../src/compaction/boundaries.ts';
import { findSurroundings, newCompactionMeter } from '../src/compaction/measure-compaction.ts';
import { readWindow } from '../src/read-window.ts';
import { callTool, numberMessages } from './conversation.ts';

/** It is larger than what the user typed, which our views keep beside a summary. */
const SUMMARY = 'Much was done, and handler_3 was looked at. '.repeat(75);

/** Thirty files are read; a summary names one handler of them; then the work goes on with ten. */
function record(): Recording {
  const early = numberMessages(
    Array.from({ length: 30 }, (_, i) => [
      user(`Look at module ${i}. Never rename handler_${i}.`),
      ...callTool('Read', { file_path: `/app/src/module-${i}.ts` }, `export function handler_${i}() {}\n`.repeat(40)),
    ]).flat(),
  );
  const late = numberMessages(
    Array.from({ length: 10 }, (_, i) => [assistant(`Now handler_${i}.`), user('Go on.')]).flat(),
    early.length,
  );
  const said: Message = { id: 'sum', role: 'user', origin: 'palimpsest', parts: [{ type: 'text', text: SUMMARY }] };
  const cut = withCompaction({ messages: early, usage: [], compactions: [] }, [said], {
    type: 'summary',
    summary: SUMMARY,
    summaryId: 'sum',
  });
  return readSession(writeClaudeCode({ ...cut, messages: [...early, ...late] }));
}

const recording = record();
const [boundary] = listBoundaries(recording);
if (boundary === undefined) throw new Error('the recording has no compaction');
const meter = newCompactionMeter(recording);
const options = { presets: ['default', 's08'] as const, signal: new AbortController().signal };

describe('a recorded compaction', () => {
  it('stands between what the model saw before it, what it left, and what was said until the next', () => {
    const { before, left, after } = findSurroundings(recording, boundary);
    expect(before).toHaveLength(90);
    expect(left.map(({ id }) => id)).toEqual(['sum']);
    expect(after).toHaveLength(20);
  });

  it('is measured by what was used after it and is not in what it left', async () => {
    const { losses, tokens, tokensBefore } = await meter.measure(boundary, options);
    expect(tokens).toBeLessThan(tokensBefore);
    expect(losses.identifiers.needed).toBe(10);
    expect(losses.identifiers.lost).toHaveLength(9);
    expect(losses.identifiers.lost).not.toContain('handler_3');
  });

  it('is held against the same view with a summary by a stand-in, in no more room, and against the digest in the room that is left', async () => {
    const { tokens } = await meter.measure(boundary, options);
    const [ours] = await meter.measureSummary(boundary, { ...options, presets: ['default'] });
    expect(ours?.preset).toBe('default');
    expect(ours?.written).toBeGreaterThan(0);
    expect(ours?.withSummary.tokens).toBeLessThanOrEqual(tokens);
    expect(ours?.besideIt.tokens).toBeLessThan(ours?.withSummary.tokens ?? 0);
    expect(ours?.withSummary.losses.identifiers.needed).toBe(10);
  });

  it('is held against what each preset asked for makes of the same view, in no more room and hardly less', async () => {
    const { ours, tokens, losses } = await meter.measure(boundary, options);
    expect(ours.map(({ preset }) => preset)).toEqual(['default', 's08']);
    // In so small a room a line more or less is a part of it.
    expect(ours[0]?.tokens).toBeGreaterThan(tokens * 0.93);
    for (const one of ours) {
      expect(one.tokens).toBeLessThanOrEqual(tokens);
      expect(one.losses.identifiers.needed).toBe(losses.identifiers.needed);
      expect(one.losses.identifiers.lost.length).toBeLessThan(losses.identifiers.lost.length);
    }
  });

  it('can be asked what any other view in its place would have lost', () => {
    expect(meter.findLosses(boundary, recording.viewBefore(boundary.index)).identifiers.lost).toEqual([]);
    expect(meter.findLosses(boundary, []).identifiers.lost).toHaveLength(10);
  });
});

it('compactions are counted from 1; a mere clearing of results has no number', () => {
  const about = { at: 0, visible: [], inserted: [], hidden: [], cleared: [] };
  const compactions = (['summary', 'clear', 'snapshot'] as const).map((type) => ({ ...about, type }));
  const numbers = listBoundaries({ messages: [], usage: [], compactions }).map(({ number }) => number);
  expect(numbers).toEqual([1, undefined, 2]);
});

it('the window is what the provider reported last, or what is usual', () => {
  const usage = (window?: number) => ({ after: 0, usage: {}, ...(window === undefined ? {} : { window }) });
  const session: SessionRecord = { messages: [], compactions: [], usage: [usage(1_000), usage(64_000), usage()] };
  expect(readWindow(session)).toBe(64_000);
  expect(readWindow({ ...session, usage: [] })).toBe(200_000);
});
