import type { Constraint, Evidence, Words } from '../digest/evidence/evidence.ts';
import { keepNewest } from '../digest/evidence/keep-newest.ts';
import { isPaste } from '../digest/words/give-way.ts';
import { listRules } from '../digest/words/list-rules.ts';
import { findNewestRequest } from '../digest/words/typed-words.ts';
import { stripHostText } from '../message/host-text.ts';
import type { MessageId } from '../message/message.ts';
import { redact } from '../message/redact.ts';
import { includesText } from './includes-text.ts';
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
  const away = new Set(wanted.filter((one) => !isShown(slots, one)));
  if (away.size === 0) return [];
  // The same may have been typed again where it is shown.
  const again = new Set(wanted.flatMap((one) => (away.has(one) ? [] : [one.text])));
  const told = slots.filter((slot) => slot.fold !== undefined);
  return [...away].filter(({ text }) => !again.has(text) && !told.some((slot) => holdsText(slot, text)));
}

function isShown(slots: readonly Slot[], { at, text }: Words): boolean {
  const slot = slots[findSlot(slots, at)];
  if (slot === undefined || slot.first !== at || slot.fold !== undefined) return false;
  return slot.edited === undefined || holdsText(slot, text);
}

/** The texts of a message that was cut or made, read once however many words are looked for in it. */
interface ReadTexts {
  readonly whole: ReadonlySet<string>;
  readonly joined: string;
}

const read = new WeakMap<Slot, ReadTexts>();

function holdsText(slot: Slot, text: string): boolean {
  const texts = read.get(slot) ?? readTexts(slot);
  read.set(slot, texts);
  return texts.whole.has(text) || (texts.joined.length > text.length && includesText(texts.joined, text));
}

/** Also as a digest tells the user's own: without host text and secrets. */
function readTexts({ message }: Slot): ReadTexts {
  const bodies = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const told = message.origin === 'human' ? bodies.map((body) => redact(stripHostText(body))) : [];
  const others = told.filter((body, i) => body !== bodies[i]);
  const whole = new Set([...bodies, ...others]);
  return { whole, joined: [...whole].join('\n\u0000\n') };
}
