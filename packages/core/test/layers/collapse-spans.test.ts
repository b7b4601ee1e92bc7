import { describe, expect, it } from 'vitest';
import {
  assistant,
  type Budget,
  type CollapseSpansOptions,
  call,
  collapseSpans,
  type FoldEdit,
  type NewMessage,
  result,
  results,
  user,
} from '../../src/index.ts';
import { folding } from '../support/summaries.ts';
import {
  type Circumstances,
  decided,
  editsOf,
  entriesOf,
  idsOf,
  inChars,
  pressedTo,
  walkWith,
} from '../support/walks.ts';
import { textOf } from '../texts.ts';

/** Turns of 925 characters, which count as tokens here. */
const TURN = 925;
const HEAD = 'question 0 about the file'.length;
const ANSWER = TURN - HEAD;
const turns = (n: number): readonly NewMessage[] =>
  Array.from({ length: n }, (_, i) => [
    user(`question ${i} about the file`, `u${i}`),
    assistant(`answer ${i} `.repeat(100), `a${i}`),
  ]).flat();
const ids = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, i) => [`u${from + i}`, `a${from + i}`]).flat();
const collapsed = (
  options: CollapseSpansOptions,
  budget: Partial<Budget> = {},
  told: Circumstances = {},
  history = turns(10),
) =>
  walkWith(history, [folding(collapseSpans(options))], {
    ...inChars,
    budget: pressedTo(6_000, { effective: 12_000, ...budget }),
    ...told,
  });
const spans = (made: ReturnType<typeof collapsed>): readonly string[] =>
  editsOf(made).map((edit) => `${(edit as FoldEdit).from}–${(edit as FoldEdit).to}`);

describe('collapse-spans: several old spans of whole turns give way to digests of their own', () => {
  it('spares a call of the model: where none can be asked, one summary of all is left to code; the switch counts before it', () => {
    const options = { when: 'spares-a-call' } as const;
    expect(spans(collapsed(options))).toEqual([]);
    expect(spans(collapsed(options, {}, { ports: ['summary'] }))).not.toEqual([]);
    expect(spans(collapsed(options, { collapse: true }))).not.toEqual([]);
    expect(spans(collapsed(options, { collapse: false }, { ports: ['summary'] }))).toEqual([]);
  });

  it('spares a call or does nothing: where the summary is needed all the same, it is of all', () => {
    const options = { when: 'spares-a-call' } as const;
    const beyond = { target: 3_000 };
    expect(spans(collapsed({}, beyond, { ports: ['summary'] }))).not.toEqual([]);
    expect(spans(collapsed(options, beyond, { ports: ['summary'] }))).toEqual([]);
    expect(spans(collapsed(options, { ...beyond, collapse: true }, { ports: ['summary'] }))).not.toEqual([]);
  });

  it('what the messages that stay show is not told again: there is room for more', () => {
    const named = (i: number): string => `loadPart${i} reads limitOf${i} from parts/part-${i}.json, ${'x'.repeat(600)}`;
    const history = (last: string): readonly NewMessage[] => [
      ...Array.from({ length: 8 }, (_, i) => [user('go on', `u${i}`), assistant(named(i), `a${i}`)]).flat(),
      user('and now?', 'u8'),
      assistant(last, 'a8'),
    ];
    const told = (last: string): string =>
      textOf(
        collapsed({ keep: 0.25 }, { target: 4_500 }, {}, history(last)).view.filter(
          (one) => one.origin === 'palimpsest',
        ),
      );
    expect(told('That is all.')).toContain('limitOf0');
    expect(told(`That is all: ${named(0)}`)).not.toContain('limitOf0');
  });

  it('oldest first, each with its own digest and reference, and no more of them than must go', () => {
    const made = collapsed({});
    // A span is at least 0.08 × 12,000 = 960 tokens: two turns; 3,250 tokens must go.
    expect(spans(made)).toEqual(['a0–a1', 'u2–a3', 'u4–a5']);
    // The head stays.
    expect(idsOf(made.view)).toEqual(['u0', 'palimpsest/e1', 'palimpsest/e2', 'palimpsest/e3', ...ids(6, 10)]);
    expect(textOf([made.view[1]!])).toMatch(
      /^\[3 older messages in short, as a record and not as a request; recall e1 reads them in full\]\n[\s\S]*answer 0 answer 0/,
    );
    expect(editsOf(made)[0]).toMatchObject({ summary: { of: 'span', by: 'digest' }, hides: { messages: 3 } });
    expect(entriesOf(made)[0]).toMatchObject({ layer: 'collapse-spans', pressed: true });
    expect(made.tokens).toBeLessThanOrEqual(6_000);
    expect(spans(collapsed({}, { target: 7_900 }))).toEqual(['a0–a1']);
  });

  it('what users typed stays where it stands; the digest of the work around it stands behind it, and its reference reads all', () => {
    const { view, ...made } = walkWith(turns(10), [collapseSpans({ spanTokens: 2_000, spanFraction: 1, most: 1 })], {
      ...inChars,
      budget: pressedTo(6_000, { effective: 12_000 }),
    });
    expect(idsOf(view)).toEqual(['u0', 'u1', 'u2', 'palimpsest/e3', 'u3', 'u4', 'u5', 'palimpsest/e6', ...ids(6, 10)]);
    expect(textOf(view.slice(0, 3))).toBe([0, 1, 2].map((i) => `question ${i} about the file`).join('\n'));
    expect(textOf([view[3]!])).toMatch(/^\[3 older messages in short, .*recall e3 reads them in full\]\n/);
    expect(editsOf(made).map((edit) => (edit as FoldEdit).messages.length)).toEqual([0, 0, 1, 0, 0, 1]);
    expect(editsOf(made)[2]).toMatchObject({ summary: { of: 'span', from: 'a0' } });
  });

  it('the last two turns stay, whatever must go', () => {
    expect(spans(collapsed({ most: 3, spanTokens: 900 }, { target: 1_000 })).at(-1)).toBe('u7–a7');
    expect(spans(collapsed({ most: 1 }, { target: 4_000 }, {}, turns(5)))).toEqual(['a0–a1']);
  });

  it('of one endless turn the newest third of the messages stays', () => {
    const endless: readonly NewMessage[] = [
      user('go', 'u'),
      ...Array.from({ length: 7 }, (_, i) => [
        assistant([call('c', 'bash', { command: `n ${i}` })], `a${i}`),
        results([result('c', 'y'.repeat(1_500))], `r${i}`),
      ]).flat(),
    ];
    // 15 messages: ten are old, and a round is not split: those up to the ninth.
    const made = collapsed({ most: 1 }, { target: 3_000 }, {}, endless);
    expect(idsOf(made.view).slice(-6)).toEqual(['a4', 'r4', 'a5', 'r5', 'a6', 'r6']);
    expect(spans(made).at(-1)).toBe('a3–r3');
  });

  it('a span is at least 8,000 tokens or its share of the window, whichever is less', () => {
    const first = (options: CollapseSpansOptions, effective: number): string | undefined =>
      spans(collapsed(options, { effective }))[0];
    // The head stays, and counts for nothing.
    expect(first({ spanTokens: ANSWER }, 1e6)).toBe('a0–a0');
    expect(first({ spanTokens: ANSWER + 1 }, 1e6)).toBe('a0–u1');
    expect(first({ spanFraction: 0.2 }, ANSWER * 5 + HEAD)).toBe('a0–a0');
    expect(first({}, 100_000)).toBeUndefined();
    const many = walkWith(turns(30), [folding(collapseSpans({ most: 1 }))], {
      ...inChars,
      budget: pressedTo(6_000, { effective: 1e6 }),
    });
    expect(spans(many)[0]).toBe('a0–a8');
  });

  it('a digest is at most 0.15 of its span, and all of them at most 0.3 of the target', () => {
    const body = (options: CollapseSpansOptions): number =>
      collapsed(options).view[1]!.parts[1]!.type === 'text'
        ? textOf([collapsed(options).view[1]!]).split('in full]\n')[1]!.length
        : 0;
    expect(body({})).toBeLessThanOrEqual(Math.floor(TURN * 2 * 0.15));
    expect(body({})).toBeGreaterThan(TURN * 2 * 0.1);
    expect(body({ keep: 0.3, most: 1 })).toBeGreaterThan(Math.floor(TURN * 2 * 0.15));
    // Part by part: the break between two parts is of this test's own making.
    const together = (options: CollapseSpansOptions, target: number): number =>
      collapsed(options, { target })
        .view.filter((message) => message.origin === 'palimpsest')
        .flatMap((message) => message.parts)
        .reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0);
    expect(together({}, 2_000)).toBeLessThanOrEqual(600);
    expect(together({}, 2_000)).toBeGreaterThan(200);
    for (let target = 1_000; target < 4_000; target += 130)
      expect(together({ keep: 0.3 }, target)).toBeLessThanOrEqual(target * 0.3);
    expect(together({ most: 0.9 }, 2_000)).toBeGreaterThan(600);
    // Less room than two small digests take: nothing.
    expect(editsOf(collapsed({ most: 0.06 }, { target: 2_100 }))).toEqual([]);
  });

  it('what was collapsed before counts, and is not collapsed again', () => {
    const before = collapsed({ spanTokens: 900 });
    const used = before.view
      .filter((message) => message.origin === 'palimpsest')
      .reduce((sum, message) => sum + textOf([message]).length, 0);
    expect(used).toBeGreaterThan(350);
    const again = collapsed({ spanTokens: 900 }, { target: 1_500 }, { ledger: before.ledger });
    expect(editsOf(again)).toHaveLength(editsOf(before).length);
    const more = collapsed({ spanTokens: 900, most: 1 }, { target: 2_500 }, { ledger: before.ledger });
    expect(spans(more).length).toBeGreaterThan(editsOf(before).length);
    expect(new Set(spans(more)).size).toBe(spans(more).length);
    const notices = idsOf(before.view).filter((id) => id.startsWith('palimpsest/'));
    expect(idsOf(more.view)).toEqual(expect.arrayContaining([...notices]));
  });

  it('pins end a span and stay', () => {
    const made = collapsed({}, {}, { ledger: decided({ pins: ['u3'] }) });
    expect(spans(made)).toEqual(['a0–a1', 'a3–a4', 'u5–a6']);
    expect(idsOf(made.view)).toContain('u3');
    // A pin inside a round holds the whole round.
    const inside = [
      user('go', 'u'),
      assistant([call('c', 'bash', { command: 'run' })], 'c'),
      results([result('c', 'y'.repeat(1_000))], 'r'),
      ...turns(6),
    ];
    const held = collapsed({ most: 1 }, { target: 3_000 }, { ledger: decided({ pins: ['r'] }) }, inside);
    expect(idsOf(held.view).slice(0, 3)).toEqual(['u', 'c', 'r']);
    // What is left before a pin is collapsed only where it is large enough.
    const early = collapsed({}, {}, { ledger: decided({ pins: ['u1'] }) });
    expect(spans(early)[0]).toBe('a1–a2');
  });

  it('a digest no smaller than its span stays away, and the next span is tried', () => {
    const small = [user('tiny words here', 's0'), assistant('tiny answer there', 's1'), ...turns(6)];
    const made = collapsed({ spanTokens: 15, most: 1 }, { target: 2_000 }, {}, small);
    expect(spans(made)[0]).toBe('a0–a0');
    expect(idsOf(made.view).slice(0, 3)).toEqual(['s0', 's1', 'u0']);
  });

  it('acts at the trigger, or from 0.9 of the effective window on, at every per cent of the way', () => {
    const whole = TURN * 10;
    const acts = (options: CollapseSpansOptions, effective: number, told: Circumstances = {}, trigger = 1e9): boolean =>
      editsOf(
        walkWith(turns(10), [collapseSpans(options)], {
          ...inChars,
          budget: { ...pressedTo(6_000), effective, trigger },
          ...told,
        }),
      ).length > 0;
    expect(acts({}, Math.floor(whole / 0.9))).toBe(true);
    expect(acts({}, Math.ceil(whole / 0.9) + 1)).toBe(false);
    expect(acts({ from: 0.5 }, whole * 2)).toBe(true);
    expect(acts({ from: 0.5 }, whole * 2 + 1)).toBe(false);
    expect(acts({}, whole * 2, {}, whole)).toBe(true);
    expect(acts({}, whole * 2, {}, whole + 1)).toBe(false);
    // Nothing fresh passes a per cent of the way: it is not thought about again.
    expect(acts({}, whole, { ledger: decided({ seen: 20 }) })).toBe(false);
    expect(acts({}, whole, { ledger: decided({ seen: 19 }) })).toBe(true);
    const word = walkWith([...turns(10), user('ok', 'last')], [collapseSpans()], {
      ...inChars,
      budget: { ...pressedTo(6_000), effective: whole, trigger: 1e9 },
      ledger: decided({ seen: 20 }),
    });
    expect(editsOf(word)).toEqual([]);
    // Where nobody may compact by himself, the trigger is nowhere.
    expect(acts({}, whole, {}, Infinity)).toBe(false);
  });

  it('a compaction that somebody asked for wants one summary, not many', () => {
    expect(editsOf(collapsed({}, {}, { trigger: 'manual' }))).toEqual([]);
    expect(editsOf(collapsed({}, {}, { asked: { form: 'all' } }))).toEqual([]);
    expect(editsOf(collapsed({}, {}, { trigger: 'overflow' }))).toHaveLength(3);
    expect(editsOf(collapsed({}, {}, { asked: { keepMessages: 5 } }))).toHaveLength(3);
  });
});
