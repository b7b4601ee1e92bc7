import { allow, checkOptions } from '../check-options.ts';
import { makeMessage } from '../edits/fold-slots.ts';
import type { InsertEdit } from '../ledger/edit.ts';
import { wordsOf } from '../message/message.ts';
import { broughtBackFrame, broughtBackHead } from '../notices.ts';
import { showPart } from '../search/part-lines.ts';
import { readTerms, WHOLE } from '../search/read-terms.ts';
import type { Found, Stretch } from '../search/show-passage.ts';
import { cutHead } from '../text.ts';
import { type Decision, type Layer, type Look, nothing } from '../view/look.ts';
import type { Slot } from '../view/slot.ts';

/** How much is brought back. */
export interface PushRecallOptions {
  /** The most tokens for one message of the user's: 1,000 by default, and no more. */
  readonly maxTokens?: number;
}

const MOST_TOKENS = 1_000;
/** Less than this says nothing. */
const LEAST_TOKENS = 64;
/** So many passages are looked at. */
const PASSAGES = 8;
/** Words that stand nowhere in view tell of something hidden only where there are several of them in one passage. */
const LEAST_WORDS = 2;

/**
 * What the user's newest message mentions and the view no longer holds comes back behind it, in at most 1,000 tokens, half of what
 * is free below the trigger at most. Nothing that a model was shown changes. Off in every preset.
 */
export function pushRecall(options: PushRecallOptions = {}): Layer {
  checkOptions<PushRecallOptions>('pushRecall()', options, { maxTokens: allow.amount });
  const most = Math.min(options.maxTokens ?? MOST_TOKENS, MOST_TOKENS);
  return { name: 'push-recall', decide: (look) => bringBack(look, most) };
}

function bringBack(look: Look, most: number): Decision {
  const newest = look.slots.at(-1);
  const isAsked = newest !== undefined && look.slots.length - 1 >= look.fresh && newest.message.origin === 'human';
  if (!isAsked || look.pressed || look.given.trigger !== 'auto' || newest.fold !== undefined) return nothing;
  if (!look.slots.some((slot) => slot.fold !== undefined || slot.edited !== undefined)) return nothing;
  const room = Math.min(most, Math.floor((look.given.budget.trigger - look.tokens) / 2));
  if (room < LEAST_TOKENS) return nothing;
  const words = wordsOf(look.original(newest));
  const shown = look.slots.slice(0, -1);
  const missing = findMissing(words, shown);
  const passages = look
    .search(words, { limit: PASSAGES, except: [newest.message.id] })
    .filter((found) => isHidden(found, shown) && isMentioned(found, words, missing));
  return insertPassages(look, newest, passages, room);
}

/** The terms of the message that nothing else in view holds. */
function findMissing(words: string, shown: readonly Slot[]): ReadonlySet<number> {
  const missing = new Set<number>();
  readTerms(words, 0, words.length, (term) => missing.add(term));
  for (const { message } of shown)
    for (const part of message.parts) {
      const text = showPart(part);
      readTerms(text, 0, text.length, (term) => missing.delete(term));
    }
  return missing;
}

const isHidden = ({ line }: Found, shown: readonly Slot[]): boolean =>
  !shown.some(({ message }) => message.parts.some((part) => showPart(part).includes(line)));

/** It holds a name that is nowhere in view, or several words; or it is of a file that the message names. */
function isMentioned({ text, stretches }: Found, words: string, missing: ReadonlySet<number>): boolean {
  if (stretches.some(({ file }) => file !== undefined && words.includes(lastName(file)))) return true;
  const held = new Set<number>();
  readTerms(text, 0, text.length, (term) => {
    if (missing.has(term)) held.add(term);
  });
  return held.size >= LEAST_WORDS || [...held].some((term) => term >= WHOLE);
}

const lastName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function insertPassages(look: Look, newest: Slot, passages: readonly Found[], room: number): Decision {
  const ref = look.ref(0);
  const anchor = look.original(newest).id;
  const { countText, canRecall } = look.given;
  const frame = broughtBackFrame(canRecall);
  const make = (bodies: readonly string[]): InsertEdit => ({
    type: 'insert',
    ref,
    after: anchor,
    messages: [makeMessage(ref, { from: anchor, to: anchor }, [frame, ...bodies].join('\n\n'))],
  });
  const bodies: string[] = [];
  const ids: string[] = [];
  for (const found of passages) {
    const body = found.stretches.map(tellStretch).join('\n');
    const cut = bodies.length > 0 ? body : cutToRoom(body, room - countText(frame), countText);
    if (countMessages(look, make([...bodies, cut])) > room) continue;
    bodies.push(cut);
    ids.push(found.message.id);
  }
  if (bodies.length === 0) return nothing;
  const edit = make(bodies);
  return {
    edits: [edit],
    brings: countMessages(look, edit),
    reason: `the user's newest message mentions what the view no longer holds: ${ids.join(', ')} brought back behind it`,
  };
}

const countMessages = (look: Look, { messages }: InsertEdit): number =>
  messages.reduce((sum, message) => sum + look.count(message), 0);

const tellStretch = ({ message, role, tool, file, text }: Stretch): string =>
  `${broughtBackHead(message, tool === undefined ? role : [tool, ...(file === undefined ? [] : [file])].join(' '))}\n${text}`;

/** The first passage is cut to its head rather than left out. */
function cutToRoom(text: string, tokens: number, countText: (text: string) => number): string {
  let shown = text;
  while (shown.length > 0 && countText(shown) > tokens - LEAST_TOKENS / 4)
    shown = cutHead(shown, Math.floor(shown.length * 0.8));
  return shown;
}
