import { describe, expect, it } from 'vitest';
import { assistant, type Edit, type EditsEntry, type Entry, type NewMessage, user } from '../../src/index.ts';
import { recordEntry, standingWalks } from '../../src/view/record-entry.ts';
import type { ViewState } from '../../src/view/view-state.ts';
import { foldEdit, replaceEdit, stateOf } from '../support/states.ts';
import { idsOf } from '../support/walks.ts';
import { textOf } from '../texts.ts';

/** Six messages of 100 characters, which count as tokens here. */
const history: readonly NewMessage[] = Array.from({ length: 6 }, (_, i) =>
  i % 2 === 0 ? user('q'.repeat(100), `m${i}`) : assistant('a'.repeat(100), `m${i}`),
);
const entryOf = (walk: number, edits: readonly Edit[], more: Partial<EditsEntry> = {}): EditsEntry => ({
  type: 'edits',
  walk,
  layer: 'mine',
  trigger: 'auto',
  edits,
  tokensBefore: 600,
  tokensAfter: 500,
  pressed: false,
  over: 0,
  declared: false,
  ...more,
});
const after = (...entries: readonly Entry[]): ViewState => {
  const state = stateOf(history);
  for (const entry of entries) recordEntry(state, entry);
  return state;
};
const measured: Entry = {
  type: 'usage',
  usage: { input: 700 },
  meter: { ratio: 1.1, hidden: 5, base: { reported: 700, estimate: 600 } },
};
const failed = (need: string): Entry => ({
  type: 'fact',
  fact: { type: 'failed', key: 'k', need, code: 'failed', why: 'no' },
});
const draft = (upTo: string): Entry => ({
  type: 'draft',
  draft: { upTo, fact: { type: 'summary', key: 'k', text: 't', flagged: [], calls: 1, usage: {} } },
});
const pressed = { pressed: true } as const;

describe('what an entry of the ledger does to the state', () => {
  it('edits change the view and its sizes, and count walks and references on', () => {
    const state = after(
      entryOf(1, [replaceEdit('e1', 'm0'), replaceEdit('e2', 'm1')]),
      entryOf(3, [replaceEdit('e3', 'm2')]),
    );
    expect(textOf(state.slots.slice(0, 4).map((slot) => slot.message))).toBe(`-\n-\n-\n${'a'.repeat(100)}`);
    expect(state.sizes.tokens).toBe(303);
    expect([state.walks, state.refs]).toEqual([3, 3]);
    expect(after(entryOf(3, []), entryOf(2, [])).walks).toBe(3);
    expect(state.entries).toHaveLength(2);
  });

  it('a report brings its meter; one that was not believed leaves the meter as it is', () => {
    const state = after(measured, { type: 'usage', usage: { input: 0 }, ignored: 'zero' });
    expect(state.meter).toEqual({ ratio: 1.1, hidden: 5, base: { reported: 700, estimate: 600 } });
  });

  it('the report no longer describes the view after a fold or a walk under pressure; the slope stays learned', () => {
    const learned = { ratio: 1.1, hidden: 5 };
    expect(after(measured, entryOf(1, [replaceEdit('e1', 'm0')])).meter).toHaveProperty('base');
    expect(after(measured, entryOf(1, [replaceEdit('e1', 'm0')], pressed)).meter).toEqual(learned);
    const folded = [replaceEdit('e1', 'm0'), foldEdit('e2', 'm2', 'm3')];
    expect(after(measured, entryOf(1, folded)).meter).toEqual(learned);
    expect(after(measured, entryOf(1, []), { type: 'revert', walk: 1 }).meter).toEqual(learned);
  });

  it('pins come and go, what was seen never shrinks', () => {
    const state = after(
      { type: 'pin', message: 'm1' },
      { type: 'pin', message: 'm2' },
      { type: 'unpin', message: 'm1' },
      { type: 'seen', count: 4 },
      { type: 'seen', count: 2 },
    );
    expect([...state.pins]).toEqual(['m2']);
    expect(state.seen).toBe(4);
  });

  it('failed summaries in a row are counted, until a model’s summary stands; a digest does not end the row', () => {
    const folded = (by: 'model' | 'draft' | 'digest', of: 'history' | 'span' = 'history') =>
      entryOf(1, [foldEdit('e1', 'm2', 'm3', { summary: { of, by } })]);
    expect(after(failed('summary'), failed('stash'), failed('summary')).failures).toBe(2);
    expect(after({ type: 'fact', fact: { type: 'stashed', key: 'k', ref: 's' } }).failures).toBe(0);
    expect(after(failed('summary'), folded('model')).failures).toBe(0);
    expect(after(failed('summary'), folded('draft')).failures).toBe(0);
    expect(after(failed('summary'), folded('digest')).failures).toBe(1);
    expect(after(failed('summary'), folded('model', 'span')).failures).toBe(1);
    expect(after(failed('summary'), entryOf(1, [foldEdit('e1', 'm2', 'm3')])).failures).toBe(1);
  });

  it('drafts are kept in order, and are void once another summary of the history stands, or a walk is taken back', () => {
    const upTo = (state: ViewState) => state.drafts.map((one) => one.upTo);
    expect(upTo(after(draft('m1'), draft('m3')))).toEqual(['m1', 'm3']);
    const folded = (of: 'history' | 'span') =>
      entryOf(1, [foldEdit('e1', 'm2', 'm3', { summary: { of, by: 'digest' } })]);
    expect(upTo(after(draft('m1'), folded('history')))).toEqual([]);
    expect(upTo(after(draft('m1'), folded('span')))).toEqual(['m1']);
    expect(upTo(after(draft('m1'), entryOf(1, [foldEdit('e1', 'm2', 'm3')])))).toEqual(['m1']);
    expect(upTo(after(draft('m1'), entryOf(1, []), { type: 'revert', walk: 1 }))).toEqual([]);
  });
});

describe('a walk that is taken back', () => {
  const first = entryOf(1, [replaceEdit('e1', 'm0'), foldEdit('e2', 'm2', 'm3')]);
  const second = entryOf(2, [replaceEdit('e3', 'm1')]);
  const third = entryOf(2, [replaceEdit('e4', 'm4')]);
  const back: Entry = { type: 'revert', walk: 2 };

  it('leaves the view of the walks that stand, with its sizes', () => {
    const state = after(first, second, third, back);
    expect(state.slots).toEqual(after(first).slots);
    expect(state.sizes).toEqual(after(first).sizes);
    const none = after(first, { type: 'revert', walk: 1 });
    expect(idsOf(none.slots.map((slot) => slot.message))).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'm5']);
    expect(none.sizes).toEqual(stateOf(history).sizes);
    // References are never given out twice.
    expect(state.refs).toBe(4);
  });

  it('holds pressure back until a walk under pressure was made all the same', () => {
    expect(after(first).held).toBe(false);
    expect(after(first, second, back).held).toBe(true);
    expect(after(first, second, back, entryOf(3, [replaceEdit('e4', 'm4')])).held).toBe(true);
    expect(after(first, second, back, entryOf(3, [replaceEdit('e4', 'm4')], pressed)).held).toBe(false);
  });

  it('standing walks are grouped by their number, in order, without those taken back', () => {
    const grouped = (entries: readonly Entry[]) =>
      standingWalks(entries).map((walk) => walk.map((entry) => entry.edits[0]?.ref));
    expect(grouped([first, measured, second, third])).toEqual([['e1'], ['e3', 'e4']]);
    expect(grouped([first, second, third, back])).toEqual([['e1']]);
    expect(grouped([])).toEqual([]);
  });
});

describe('walks under pressure that free next to nothing', () => {
  const walked = (...walks: readonly (readonly Partial<EditsEntry>[])[]): number => {
    const state = stateOf(history);
    for (const [i, entries] of walks.entries())
      for (const entry of entries) recordEntry(state, entryOf(i + 1, [], entry));
    return state.ineffective;
  };
  const freeing = (tokens: number, over = 0) => ({
    ...pressed,
    tokensBefore: 1_000,
    tokensAfter: 1_000 - tokens,
    over,
  });

  it('are counted in a row: less than a twentieth of the context, or less than half of what was to go', () => {
    expect(walked([freeing(49)])).toBe(1);
    expect(walked([freeing(50)])).toBe(0);
    expect(walked([freeing(100, 201)])).toBe(1);
    expect(walked([freeing(100, 200)])).toBe(0);
    expect(walked([freeing(10)], [freeing(10)])).toBe(2);
    expect(walked([freeing(10)], [freeing(500)])).toBe(0);
  });

  it('of what can be compacted: system prompt and tools, which no walk can free, do not count', () => {
    const beside = (tokens: number, over = 0) => ({ ...freeing(tokens, over), overhead: 800 });
    expect(walked([beside(9)])).toBe(1);
    expect(walked([beside(10)])).toBe(0);
    expect(walked([beside(10, 21)])).toBe(1);
    expect(walked([beside(9)], [beside(20)], [beside(9)])).toBe(1);
  });

  it('by what all their layers under pressure freed together, and not at all without pressure', () => {
    const [start, middle, end] = [
      { ...pressed, tokensBefore: 1_000, tokensAfter: 980, over: 60 },
      { ...pressed, tokensBefore: 980, tokensAfter: 970, over: 40 },
      { ...pressed, tokensBefore: 970, tokensAfter: 950, over: 30 },
    ];
    expect(walked([start, middle, end])).toBe(0);
    expect(walked([start, middle])).toBe(1);
    expect(walked([{ tokensBefore: 1_000, tokensAfter: 999 }])).toBe(0);
    expect(walked([freeing(10)], [{ tokensBefore: 1_000, tokensAfter: 400 }])).toBe(1);
    expect(walked([{ tokensBefore: 2_000, tokensAfter: 1_000 }, freeing(10)])).toBe(1);
  });

  it('a walk that is taken back ends the row', () => {
    const state = stateOf(history);
    recordEntry(state, entryOf(1, [replaceEdit('e1', 'm0')], freeing(1)));
    expect(state.ineffective).toBe(1);
    recordEntry(state, { type: 'revert', walk: 1 });
    expect(state.ineffective).toBe(0);
  });
});
