import { type Cliff, type Course, STATES, type State, type Unread } from './inspection.ts';
import { findLeaving } from './reckon.ts';

/** What the page says in whole sentences, for each view of it the same. */

const figures = new Intl.NumberFormat('en-US');
const format = (value: number | string): string => figures.format(Number(value));

const LEFT_WORDS: Readonly<Record<string, string>> = { folded: 'folded into a summary', hidden: 'hidden' };

/** What became of a message: from when on it was in view, as what, and when it left. */
export function tellLife(course: Course, place: number): string {
  const runs = course.lifelines[place] ?? [];
  if (runs.length === 0) return 'no view came after it.';
  const states = runs.flatMap((value, i): readonly State[] => (i % 2 === 0 ? [] : [STATES[value] ?? 'unsaid']));
  const leaving = findLeaving(course, place);
  const left =
    leaving === undefined
      ? undefined
      : `it left the view before call ${format(leaving.call + 1)} (${LEFT_WORDS[leaving.state] ?? leaving.state}).`;
  const excerpt = states.indexOf('excerpt');
  if (excerpt < 0 || (leaving !== undefined && (runs[excerpt * 2] ?? 0) > leaving.call))
    return left ?? 'it never left the view.';
  const from = format((runs[excerpt * 2] ?? 0) + 1);
  const rest = states.slice(0, excerpt).includes('whole')
    ? `the rest went before call ${from}`
    : 'the rest was never shown';
  return `in view as an excerpt from call ${from} on; ${rest}.${left === undefined ? '' : ` Then ${left}`}`;
}

const UNREAD_WORDS: Readonly<Record<Unread, string>> = {
  encrypted: 'a summary was made, and its provider encrypted it: nobody else can read it',
  unrecorded: 'a summary was made, and the recording does not hold it: its provider kept it, or it was taken out',
};

/** Why nobody can say what a summary holds. */
export const tellUnread = (unread: Unread): string => UNREAD_WORDS[unread];

const PATTERNS: readonly (readonly [RegExp, (...found: readonly string[]) => string])[] = [
  [
    /^(?:warm|unknown) cache: (\d+) tokens in front of (\d+) pay back after (\d+) calls, (\d+) expected$/,
    (freed = '', behind = '', calls = '', expected = '') =>
      `it pays, as the engine reckoned: ${format(freed)} tokens less at every call, for ${format(behind)} written again once; that is earned back after ${format(calls)} calls, and ${format(expected)} were expected`,
  ],
  [
    /^cold cache: (\d+) tokens less to write$/,
    (freed = '') => `the cache had expired: ${format(freed)} tokens less to write`,
  ],
  [
    /^cold cache: (\d+) tokens would be written anew at \S+ a million; above (\d+) they go down to (\d+)$/,
    (tokens = '', above = '', target = '') =>
      `the cache had expired: ${format(tokens)} tokens would have been written anew; above ${format(above)} they go down to ${format(target)}`,
  ],
];

/** What layers say of themselves one by one; before and after tell how much it came to. */
const NEAR = /^the (?:limit is near|trigger is reached) \(\d+ tokens go\)$/;

function tellPart(part: string): string {
  for (const [pattern, words] of PATTERNS) {
    const found = pattern.exec(part);
    if (found !== null) return words(...found.slice(1));
  }
  return part;
}

/** Why a compaction was made when it was made, each thing said once. */
export function tellReason(cliff: Cliff, budget: Course['budget']): string {
  const trigger = cliff.room?.trigger ?? budget.trigger;
  const parts = (cliff.reason ?? '').split(/; (?=the (?:limit|trigger) is )/);
  const words = parts.flatMap((part) => (part === '' || NEAR.test(part) ? [] : [tellPart(part)]));
  if (parts.some((part) => NEAR.test(part)) && cliff.trigger !== 'overflow') words.unshift(tellLimit(cliff, trigger));
  if (cliff.trigger === 'overflow') words.unshift('the provider refused the prompt as too long');
  if (words.length > 0) return [...new Set(words)].join('; ');
  if (cliff.trigger === 'manual') return 'somebody asked for it';
  if (trigger !== undefined && sum(cliff.before) > trigger) return tellLimit(cliff, trigger);
  if (cliff.walk === undefined) return '';
  if (cliff.pressed !== true) return 'its layers do so as a matter of course, whatever room there is';
  return trigger === undefined
    ? 'a limit was reached; the window is not recorded: state it with --window'
    : 'the limit was near';
}

const sum = (tokens: readonly number[]): number => tokens.reduce((all, one) => all + one, 0);

function tellLimit(cliff: Cliff, trigger: number | undefined): string {
  const before = sum(cliff.before);
  return trigger !== undefined && before > trigger
    ? `the view would have held ${format(before)} tokens, above the trigger of ${format(trigger)}`
    : 'the limit was near';
}
