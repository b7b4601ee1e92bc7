import type { MessageId } from '../../message/message.ts';
import type { Constraint, Evidence } from '../evidence/evidence.ts';

/** Something the user typed: told once, where it was said last, however often it was said. */
export interface Typed {
  readonly text: string;
  readonly message: MessageId;
  readonly times: number;
  /** The rules that were read off it; none of them need stand in `text` where that was too long to be kept whole. */
  readonly rules: readonly Constraint[];
}

/** All that the user typed, in order. `rules`: those that may be shown. */
export function listTyped(evidence: Pick<Evidence, 'words'>, rules: readonly Constraint[]): readonly Typed[] {
  const newest = new Map<string, { readonly message: MessageId; readonly at: number; readonly times: number }>();
  for (const { text, message, at } of evidence.words) {
    const times = (newest.get(text)?.times ?? 0) + 1;
    newest.delete(text);
    newest.set(text, { message, at, times });
  }
  const rulesAt = groupByPlace(rules);
  const textsAt = groupByPlace(evidence.words);
  return [...newest].map(([text, { message, at, times }]) => {
    // A message may have several texts: a rule that stands whole in none of them goes with the first.
    const texts = (textsAt.get(at) ?? []).map((words) => words.text);
    const isMine = (rule: Constraint): boolean =>
      text.includes(rule.text) || (text === texts[0] && !texts.some((one) => one.includes(rule.text)));
    return { text, message, times, rules: (rulesAt.get(at) ?? []).filter(isMine) };
  });
}

function groupByPlace<One extends { readonly at: number }>(all: readonly One[]): ReadonlyMap<number, readonly One[]> {
  const groups = new Map<number, One[]>();
  for (const one of all) {
    const group = groups.get(one.at);
    if (group === undefined) groups.set(one.at, [one]);
    else group.push(one);
  }
  return groups;
}

/** A message of a word or two ("ok", "continue") says nothing about what is wanted, unless it names a file ("read a.ts"). */
const isSubstantial = ({ text }: Pick<Typed, 'text'>): boolean =>
  text.length >= 20 || /[\u3040-\u9fff\uac00-\ud7af]{5}|[\w-]\/[\w.-]|[\w-]\.[a-z]\w{0,5}(?!\w)/i.test(text);

/** What the work is for now: the newest words that say something. */
export const findNewestRequest = <One extends Pick<Typed, 'text'>>(typed: readonly One[]): One | undefined =>
  typed.findLast(isSubstantial) ?? typed.at(-1);

/** What the work was for at first. */
export const findFirstRequest = (typed: readonly Typed[]): Typed | undefined => typed.find(isSubstantial);

/** Texts of one shape differ in nothing but numbers, case and blanks: "now module 7", "Now module 8". */
const shapeOf = ({ text }: Typed): string => text.toLowerCase().replace(/\d+/g, '0').replace(/\s+/g, ' ');

/** The newest of its shape, for each. */
export function findAlike(typed: readonly Typed[]): ReadonlyMap<Typed, Typed> {
  const shapes = typed.map(shapeOf);
  const newestOf = new Map(typed.map((one, i) => [shapes[i], one]));
  return new Map(typed.map((one, i) => [one, newestOf.get(shapes[i]) ?? one]));
}
