import type { Constraint, Evidence, Words } from '../digest/evidence/evidence.ts';
import { keepNewest } from '../digest/evidence/keep-newest.ts';
import { isPaste } from '../digest/words/give-way.ts';
import { listRules } from '../digest/words/list-rules.ts';
import { findNewestRequest } from '../digest/words/typed-words.ts';
import { stripHostText } from '../message/host-text.ts';
import type { MessageId } from '../message/message.ts';
import { redact } from '../message/redact.ts';
import type { Slot } from './slot.ts';
import { findSlot } from './slot-list.ts';

/** What the user typed, as it was read off a transcript. */
export type Typed = Pick<Evidence, 'words' | 'constraints'>;

/** Words that matter most, and what they are. */
export interface VitalWords extends Words {
  /** `paste`: a request that gives way where the user's words have no room for it. */
  readonly rank: 'request' | 'paste' | 'denial' | 'demand';
}

/** What is to stand in a view word for word. */
export interface Wanted {
  /** The newest request, and what was said last; then rules in the order of need. */
  readonly vital: readonly VitalWords[];
  /** All else that was typed, newest last. */
  readonly others: readonly Words[];
}

/** The user's rules and the newest request that do not stand word for word in a view, and why they do not. */
export interface Unheld {
  /** The messages in which they were typed. Each can be recalled. */
  readonly messages: readonly MessageId[];
  /**
   * `too-long`: it is the newest request alone, and that takes more than the user's words may; it is told by head and tail.
   * `no-room`: they do not fit below the trigger. `calls-in-flight`: nor beside calls that wait for their results.
   * `disabled`: compaction is switched off, so nothing is brought back either.
   */
  readonly why: 'too-long' | 'no-room' | 'calls-in-flight' | 'disabled';
}

/** What of the user's words a view has to hold. */
export function listWanted({ words, constraints }: Typed): Wanted {
  const newest = new Set([findNewestRequest(words)?.at, words.at(-1)?.at]);
  const requests = [...newest].flatMap((place) => {
    const texts = words.filter(({ at }) => at === place);
    const rank = isPaste(texts.map(({ text }) => text).join('\n')) ? 'paste' : 'request';
    return texts.map((one): VitalWords => ({ ...one, rank }));
  });
  const rules = listRules({ constraints: keepNewest(constraints) }).flatMap(
    (rule: Constraint): readonly VitalWords[] => (rule.direct ? [{ ...rule, rank: rule.strength }] : []),
  );
  return { vital: [...requests, ...rules], others: words.filter(({ at }) => !newest.has(at)) };
}

/** Which of the words do not stand in these slots as they were typed. Words that are shown where they were typed cost next to nothing to find. */
export function findMissing<One extends Words>(slots: readonly Slot[], wanted: readonly One[]): readonly One[] {
  const away = wanted.filter((one) => !isShown(slots, one));
  if (away.length === 0) return away;
  const told = slots.flatMap((slot) => (slot.fold === undefined ? [] : readTexts(slot)));
  // The same may have been typed again where it is shown.
  const again = new Set(wanted.filter((one) => !away.includes(one)).map(({ text }) => text));
  return away.filter(({ text }) => !again.has(text) && !told.some((body) => body.includes(text)));
}

function isShown(slots: readonly Slot[], { at, text }: Words): boolean {
  const slot = slots[findSlot(slots, at)];
  if (slot === undefined || slot.first !== at || slot.fold !== undefined) return false;
  return slot.edited === undefined || readTexts(slot).some((body) => body.includes(text));
}

/** The texts of a message, also as a digest tells the user's own: without host text and secrets. */
const readTexts = ({ message }: Slot): readonly string[] =>
  message.parts.flatMap((part) => {
    if (part.type !== 'text') return [];
    return message.origin === 'human' ? [part.text, redact(stripHostText(part.text))] : [part.text];
  });
