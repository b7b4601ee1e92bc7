import { estimateMessage, presets } from '@palimpsest/core';
import { countPromptTokens, priceBill, replaySession } from '@palimpsest/measure';
import { describe, expect, it } from 'vitest';
import {
  type Course,
  followPreset,
  inspectForeign,
  inspectOwn,
  inspectRecording,
  STATES,
  USUAL_PRICES,
} from '../src/index.ts';
import { addUpCourse, findLeaving, priceCliff, stateAt, viewTokens } from '../src/model/reckon.ts';
import { liveSession, makeMessages, makeRecording, RULE, recallOnce, SECRET } from './made-sessions.ts';

const { signal } = new AbortController();
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const allTokens = ({ calls, cliffs }: Course): number =>
  sum(calls.kinds.map(sum)) + sum(cliffs.map(({ asked = [0, 0, 0] as const }) => asked[0] + asked[1]));

describe('the figures of a course are those of measure', () => {
  const recording = makeRecording(40, [41, 71]);
  const window = 16_000;

  it('for what the recording did itself, and for every preset: tokens, cache, money, compactions', async () => {
    const names = ['default', 'claude-code', 'open-code', 's08'] as const;
    const { messages, courses } = inspectRecording(recording, 'made');
    const outcomes = await replaySession(recording, { presets: names, window, signal });
    const followed = [];
    for (const preset of names)
      followed.push((await followPreset(recording, messages, { preset, window, signal })).course);
    for (const [i, course] of [...followed, ...courses].entries()) {
      const outcome = outcomes[i]!;
      const totals = addUpCourse(course, USUAL_PRICES);
      expect(allTokens(course)).toBe(countPromptTokens(outcome));
      expect(totals.tokens).toBe(countPromptTokens(outcome));
      expect(totals.cacheRead).toBe(outcome.cacheRead);
      expect(totals.compactions).toBe(outcome.compactions);
      expect(totals.money).toBeCloseTo(priceBill(outcome), 10);
      expect(totals.calls).toBe(outcome.calls);
    }
    expect(outcomes.every(({ compactions }) => compactions > 0)).toBe(true);
  });

  it('what is shown of the transcript and what is hidden make up all that was said', () => {
    const [course] = inspectRecording(recording, 'made').courses;
    const sizes = recording.messages.map(estimateMessage);
    for (const [call, at] of course!.calls.at.entries()) {
      const made = course!.calls.kinds[6]![call]! + course!.calls.kinds[7]![call]!;
      const shown = viewTokens(course!, call) - made;
      expect(shown + course!.calls.hidden[call]!).toBe(sum(sizes.slice(0, at)));
    }
  });

  it('no course holds a call whose kinds are below zero', async () => {
    const { course } = await followPreset(recording, inspectRecording(recording, '').messages, {
      preset: 'claude-code',
      window,
      signal,
    });
    expect(course.calls.kinds.flat().every((tokens) => tokens >= 0)).toBe(true);
  });
});

describe('a lifeline', () => {
  it('says for every message and call what the view showed of it', async () => {
    const { records } = await liveSession(30);
    const { inspection } = inspectOwn(records, { title: 'live', window: 12_000 });
    const [course] = inspection.courses;
    const reached = new Set(course!.lifelines.flatMap((runs) => runs.filter((_, i) => i % 2 === 1)));
    expect([...reached].map((state) => STATES[state])).toEqual(expect.arrayContaining(['whole', 'folded']));
    // At every call, those that are shown are at least as many tokens as the view has of the transcript.
    const last = course!.calls.at.length - 1;
    const shown = course!.lifelines.flatMap((runs, place) => (stateAt(runs, last) === 'whole' ? [place] : []));
    const tokens = sum(shown.map((place) => inspection.messages.tokens[place]!));
    expect(tokens).toBeLessThanOrEqual(viewTokens(course!, last));
    expect(tokens).toBeGreaterThan(0);
  });

  it('of a foreign rule leads to the compaction that took it', () => {
    const { inspection } = inspectForeign(makeRecording(), 'made');
    const [course] = inspection.courses;
    const leaving = findLeaving(course!, 0);
    expect(leaving).toMatchObject({ state: 'folded', cliff: 0 });
    expect(course!.cliffs[0]!.items[0]).toMatchObject({ ref: '#1', from: 0 });
    expect(leaving!.call).toBe(course!.cliffs[0]!.call);
  });

  it('tells what the model read again', async () => {
    const { session, records } = await liveSession(30);
    const [line] = session.receipts()[0]!.lines;
    await recallOnce(session, { reference: line!.refs[0]! });
    const { inspection } = inspectOwn(records, { title: 'live', window: 12_000 });
    const [course] = inspection.courses;
    const { from } = course!.cliffs.flatMap(({ items }) => items).find(({ ref }) => ref === line!.refs[0])!;
    expect(stateAt(course!.lifelines[from]!, course!.calls.at.length - 1)).toBe('recalled');
  });
});

it('a lifeline tells also what a search of the model brought back', async () => {
  const { session, records } = await liveSession(30);
  await recallOnce(session, { query: 'rate3_3_7' });
  const { inspection } = inspectOwn(records, { title: 'live', window: 12_000 });
  const [course] = inspection.courses;
  const place = session.transcript().findIndex(({ parts }) => JSON.stringify(parts).includes('rate3_3_7 ='));
  const { lifelines, calls } = course!;
  expect(stateAt(lifelines[place]!, calls.at.length - 2)).not.toBe('recalled');
  expect(stateAt(lifelines[place]!, calls.at.length - 1)).toBe('recalled');
});

describe('a session of ours', () => {
  it('shows every walk with what its receipt names, and the reason', async () => {
    const { session, records } = await liveSession(30);
    const { inspection } = inspectOwn(records, { title: 'live', window: 12_000 });
    const { cliffs } = inspection.courses[0]!;
    const receipts = session.receipts();
    expect(cliffs.map(({ walk }) => walk)).toEqual(receipts.map(({ walk }) => walk));
    for (const [i, { lines, declared, reason }] of receipts.entries()) {
      const refs = new Set(cliffs[i]!.items.map(({ ref }) => ref));
      for (const line of lines) for (const ref of line.refs) expect(refs).toContain(ref);
      expect(cliffs[i]).toMatchObject({ declared, ...(reason === undefined ? {} : { reason }) });
    }
  });

  it('knows what was taken back, and what is pinned', async () => {
    const { session, records } = await liveSession(30);
    session.undo();
    session.pin('m1');
    await session.saved();
    const { inspection } = inspectOwn(records, { title: 'live', window: 12_000 });
    expect(inspection.courses[0]!.cliffs.at(-1)!.undoneAt).toBe(inspection.courses[0]!.calls.at.length);
    expect(inspection.pinned).toEqual([0]);
  });

  it('has what the provider reported beside what is reckoned', async () => {
    const { records } = await liveSession(6);
    const { inspection } = inspectOwn(records, { title: 'live', window: 12_000 });
    expect(inspection.courses[0]!.calls.reported.at(-1)).toMatchObject([40, expect.any(Number), 0, 20]);
  });

  it('an item frees what the engine says it frees', async () => {
    const { session, records } = await liveSession(30);
    const before = records.length;
    const preview = await session.preview();
    await session.compact();
    await session.saved();
    expect(records.length).toBeGreaterThan(before);
    const { inspection } = inspectOwn(records, { title: 'live', window: 12_000 });
    const items = inspection.courses[0]!.cliffs.at(-1)!.items;
    const expected = preview.items.filter(({ count }) => count > 0);
    expect(items.map(({ ref, tokens }) => [ref, tokens])).toEqual(expected.map(({ ref, tokens }) => [ref, tokens]));
  });
});

describe('a summary', () => {
  it('of another agent leads to the places it came from; what was never said is unproven', () => {
    const inspector = inspectForeign(makeRecording(), 'made');
    const { statements, flagged } = inspector.readSummary('recording', 0)!;
    expect(flagged).toContain('rate1_0_never_said');
    const proven = statements.find(({ text }) => text.includes(RULE))!;
    expect(proven.places.length).toBeGreaterThan(0);
    for (const { at } of proven.places) expect(at).toBeLessThan(25);
  });

  it('of prose has a statement in each sentence', () => {
    const { statements } = inspectForeign(makeRecording(), 'made').readSummary('recording', 0)!;
    expect(statements.map(({ text }) => text)).toEqual([
      'The user asked to move the rounding.',
      'module-1.ts was read, and rate1_0_never_said stands in it.',
      RULE,
      '/shop/src/module-1.ts holds rate1_1_0.',
    ]);
    expect(statements[2]!.places).toEqual([{ at: 0, by: 'quote' }]);
  });

  it('costs something now and pays back by what it frees', () => {
    const [course] = inspectRecording(makeRecording(), 'made').courses;
    const price = priceCliff(course!, 0, USUAL_PRICES)!;
    const freed = sum(course!.cliffs[0]!.before) - sum(course!.cliffs[0]!.after);
    expect(price.savedPerCall).toBeCloseTo((freed * USUAL_PRICES.cacheRead) / 1e6, 10);
    expect(price.costNow).toBeGreaterThan(0);
  });
});

describe('what is shown', () => {
  it('holds no secret that redact knows, in titles, texts, summaries and hits', async () => {
    const messages = makeMessages(3).map((message, i) =>
      i === 0 ? { ...message, parts: [{ type: 'text' as const, text: `key ${SECRET} ${RULE}` }] } : message,
    );
    const recording = { ...makeRecording(3, []), messages };
    const inspector = inspectForeign(recording, 'made');
    expect(JSON.stringify(inspector.inspection)).not.toContain(SECRET);
    expect(inspector.readText('recording', '#1')!.text).not.toContain(SECRET);
    expect(inspector.readText('recording', '#1')!.text).toContain(RULE);
    expect(JSON.stringify(inspector.search('key migrations'))).not.toContain(SECRET);
  });

  it('has marks of direction as what they are, and titles without them', () => {
    const messages = makeMessages(1).map((message, i) =>
      i === 0 ? { ...message, parts: [{ type: 'text' as const, text: 'a\u202Eevil\u2066b' }] } : message,
    );
    const inspector = inspectForeign({ ...makeRecording(1, []), messages }, 'made');
    expect(inspector.readText('recording', '#1')!.text).toBe('a⟨U+202E⟩evil⟨U+2066⟩b');
    expect(inspector.inspection.messages.titles[0]).toBe('a evil b');
  });

  it('stays small: a thousand messages with fifty compactions take less than 400 bytes a message', () => {
    const cuts = Array.from({ length: 50 }, (_, i) => 20 * (i + 1) + 1);
    const recording = makeRecording(500, cuts);
    const { inspection } = inspectForeign(recording, 'made');
    expect(recording.compactions.length).toBe(50);
    expect(JSON.stringify(inspection).length / recording.messages.length).toBeLessThan(400);
  });
});

it('a session too long for a page is refused in words', () => {
  const [first] = makeMessages(1);
  const messages = Array.from({ length: 200_001 }, (_, i) => ({ ...first!, id: `m${i}` }));
  expect(() => inspectForeign({ ...makeRecording(1, []), messages }, 'made')).toThrow(/200000 messages at most/);
});

it('under a preset the same layers walk that a session would have', async () => {
  const recording = makeRecording(40, []);
  const { messages } = inspectRecording(recording, 'made');
  const { course } = await followPreset(recording, messages, { preset: 'default', window: 16_000, signal });
  const known = new Set([...presets.default().map((layer) => layer.name), 'drop-oldest-rounds']);
  for (const { items } of course.cliffs) for (const { layer } of items) expect(known).toContain(layer);
});
