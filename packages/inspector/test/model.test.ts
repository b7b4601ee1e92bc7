import { estimateMessage, type Message, presets, text } from '@palimpsest/core';
import { countPromptTokens, priceBill, replaySession } from '@palimpsest/measure';
import { describe, expect, it } from 'vitest';
import {
  type Cliff,
  type Course,
  EXAMPLE_PRICES,
  embedInspection,
  followPreset,
  inspectForeign,
  inspectOwn,
  inspectRecording,
  type MessageTable,
  STATES,
} from '../src/index.ts';
import { newCourseBuilder } from '../src/model/course-builder.ts';
import {
  addUpCourse,
  addUpMoney,
  findLeaving,
  listSeen,
  priceCall,
  priceCliff,
  stateAt,
  viewTokens,
} from '../src/model/reckon.ts';
import { tellLife, tellReason } from '../src/model/tell.ts';
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
      const totals = addUpCourse(course, EXAMPLE_PRICES);
      expect(allTokens(course)).toBe(countPromptTokens(outcome));
      expect(totals.tokens).toBe(countPromptTokens(outcome));
      expect(totals.cacheRead).toBe(outcome.cacheRead);
      expect(totals.compactions).toBe(outcome.compactions);
      expect(totals.money).toBeCloseTo(priceBill(outcome), 10);
      expect(addUpMoney(course, EXAMPLE_PRICES).at(-1)).toBeCloseTo(totals.money, 10);
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

describe('what a call saw', () => {
  const expectSums = (course: Course, messages: MessageTable): void => {
    for (const call of course.calls.at.keys()) {
      const rows = listSeen(course, messages, call);
      expect(sum(rows.map(({ tokens }) => tokens))).toBe(viewTokens(course, call));
    }
  };
  const longLog = Array.from({ length: 1_500 }, (_, i) => `09:00:${i} GET /items 200 ${i}ms`).join('\n');
  const withLogs = makeMessages(24).map((message, i) =>
    message.origin === 'tool' && i % 6 === 2
      ? {
          ...message,
          parts: message.parts.map((part) => (part.type === 'result' ? { ...part, content: [text(longLog)] } : part)),
        }
      : message,
  );

  it('row by row comes to what the view came to, with excerpts as they were shown and what was made', async () => {
    const recording = { ...makeRecording(24, []), messages: withLogs };
    const foreign = inspectForeign(makeRecording(40, [41, 71]), 'made').inspection;
    expectSums(foreign.courses[0]!, foreign.messages);
    const { messages } = inspectRecording(recording, 'made');
    for (const preset of ['default', 'claude-code', 'open-code', 's08'] as const)
      expectSums((await followPreset(recording, messages, { preset, window: 16_000, signal })).course, messages);
    const { records } = await liveSession(30);
    const own = inspectOwn(records, { title: 'live', window: 12_000 }).inspection;
    expectSums(own.courses[0]!, own.messages);
    const last = own.courses[0]!.calls.at.length - 1;
    expect(listSeen(own.courses[0]!, own.messages, last).some(({ stretch }) => stretch?.made !== undefined)).toBe(true);
  });

  it('an excerpt is read as it was shown, and its story says that the rest never was', async () => {
    const inspector = inspectForeign({ ...makeRecording(24, []), messages: withLogs }, 'made');
    const course = await inspector.imagine('default', 16_000, signal);
    const stretch = course.stretches.find(({ made, tokens }) => made === undefined && tokens > 300)!;
    const shown = inspector.readText(course.name, `#${stretch.place + 1}@${stretch.from}`)!;
    const whole = inspector.readText(course.name, `#${stretch.place + 1}`)!;
    expect(shown.text).toContain('recall');
    expect(shown.chars).toBeLessThan(whole.chars);
    expect(tellLife(course, stretch.place)).toContain(
      `in view as an excerpt from call ${stretch.from + 1} on; the rest was never shown.`,
    );
    const { texts, made } = embedInspection(inspector, [course]);
    expect(made[`${course.name}/#${stretch.place + 1}@${stretch.from}`]).toBe(shown.text);
    expect(texts[stretch.place]).not.toBe(shown.text);
  });

  it('is its input: a view behind the last answer is no call', async () => {
    const { session, records } = await liveSession(6);
    const calls = inspectOwn(records, { title: '', window: 12_000 }).inspection.courses[0]!.calls.at.length;
    await session.view();
    await session.saved();
    const { messages, courses } = inspectOwn(records, { title: '', window: 12_000 }).inspection;
    expect(courses[0]!.calls.at).toHaveLength(calls);
    expect(courses[0]!.calls.at.at(-1)).toBe(messages.ids.length - 1);
  });
});

describe('a compaction costs', () => {
  const [one, two, three, log] = makeMessages(4).map((message, i) =>
    i === 3
      ? { ...message, parts: [{ type: 'text' as const, text: 'a log line of the kitchen\n'.repeat(900) }] }
      : message,
  ) as [Message, Message, Message, Message];
  const cut: Message = { ...log, parts: [{ type: 'text', text: 'a log line of the kitchen' }] };
  const notice: Message = { ...two, id: 'made', parts: [{ type: 'text', text: 'something went' }] };
  const about = { at: 4, type: 'walk', trigger: 'auto', declared: true, items: [], made: [] } as const;
  const states = () => new Uint8Array();
  const priceOf = (before: readonly Message[], after: readonly Message[]): readonly [Course, number] => {
    const builder = newCourseBuilder(0, [], () => undefined);
    const shown = { at: 3, when: undefined, madeAs: () => undefined, states };
    builder.request({ ...shown, view: [one, two, three] });
    builder.addCliff(about, before, after, () => undefined);
    builder.request({ ...shown, view: after });
    const course = builder.finish('made', { window: 1 });
    return [course, priceCliff(course, 0, EXAMPLE_PRICES)!.costNow];
  };

  it('what had been in the cache and is written again, and nothing else', () => {
    const [course, costNow] = priceOf([one, two, three], [one, notice, three]);
    const again = estimateMessage(notice) + estimateMessage(three);
    expect(costNow).toBeCloseTo((again * (EXAMPLE_PRICES.cacheWrite - EXAMPLE_PRICES.cacheRead)) / 1e6, 10);
    expect(course.calls.cacheWrite[1]).toBe(again);
  });

  it('nothing where only what was never sent is cut: less is written', () => {
    const [, costNow] = priceOf([one, two, three, log], [one, two, three, cut]);
    expect(costNow).toBeLessThan(0);
  });

  it('of a just pasted log not the log: as much as the next call wrote more', () => {
    const [course] = priceOf([one, two, three, log], [notice, three, log]);
    expect(course.cliffs[0]!.behind).toBe(estimateMessage(notice) + estimateMessage(three));
  });
});

it('a call that the provider refused as too long was seen by no model and cost nothing', async () => {
  const { session, records } = await liveSession(12);
  session.append({ role: 'user', parts: [text('Go on.')] });
  await session.view();
  await session.overflowed({ maximum: 3_000, actual: 9_000 });
  await session.saved();
  const [course] = inspectOwn(records, { title: '', window: 12_000 }).inspection.courses;
  const refused = course!.cliffs.findLast(({ trigger }) => trigger === 'overflow')!.call - 1;
  expect(course!.calls.refused).toEqual([refused]);
  expect(course!.calls.at.length).toBe(refused + 2);
  expect(priceCall(course!, refused, EXAMPLE_PRICES)).toBe(0);
  expect(priceCall(course!, refused - 1, EXAMPLE_PRICES)).toBeGreaterThan(0);
});

describe('why now', () => {
  const cliff = { trigger: 'auto', walk: 3, before: [25_442] } as unknown as Cliff;
  const budget = { window: 16_000, trigger: 13_000 };

  it('is said once, in words', () => {
    const reason = 'the limit is near (602 tokens go); the limit is near (1835 tokens go)';
    expect(tellReason({ ...cliff, reason }, budget)).toBe(
      'the view would have held 25,442 tokens, above the trigger of 13,000',
    );
    const reached = 'the trigger is reached (23634 tokens go); the trigger is reached (19506 tokens go)';
    expect(tellReason({ ...cliff, before: [9_000], reason: reached }, budget)).toBe('the limit was near');
    const warm = 'warm cache: 6239 tokens in front of 2721 pay back after 6 calls, 6 expected';
    expect(tellReason({ ...cliff, reason: warm }, budget)).toContain(
      '6,239 tokens less at every call, for 2,721 written again once',
    );
  });

  it('is said also where no layer gave a reason', () => {
    expect(tellReason(cliff, budget)).toBe('the view would have held 25,442 tokens, above the trigger of 13,000');
    expect(tellReason({ ...cliff, trigger: 'manual' }, budget)).toBe('somebody asked for it');
    expect(tellReason({ ...cliff, trigger: 'overflow' }, budget)).toBe('the provider refused the prompt as too long');
    expect(tellReason({ ...cliff, before: [5_000] }, budget)).toContain('as a matter of course');
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
