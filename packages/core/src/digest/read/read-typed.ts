import { excerptText } from '../../ledger/edit.ts';
import { headAndTail } from '../../ledger/excerpt.ts';
import { stripHostText } from '../../message/host-text.ts';
import type { Message, MessageId } from '../../message/message.ts';
import { redact } from '../../message/redact.ts';
import { cutMark } from '../../notices.ts';
import type { Steps } from '../../steps.ts';
import type { Constraint, Evidence, Words } from '../evidence/evidence.ts';
import { findConstraints } from './find-constraints.ts';

/** Of a longer text no digest shows all. */
const longestWords = 100_000;

/** Words said in a message longer than this stand in something pasted. */
const directChars = 2_000;

/** What the user typed in one text, and the rules in it. */
export interface ReadTyped {
  /** All of it. */
  readonly own: string;
  /** It is too long to have been typed. */
  readonly isPasted: boolean;
  readonly words: Words;
  readonly constraints: readonly Constraint[];
}

/** Reads a text that came as the user's; undefined where all of it is the host's. */
export function readTyped(text: string, message: MessageId, at: number): ReadTyped | undefined {
  const own = redact(stripHostText(text));
  if (own === '') return undefined;
  const direct = own.length <= directChars;
  return {
    own,
    isPasted: !direct,
    words: { text: boundWords(own, message), message, at },
    constraints: findConstraints(own).map((found) => ({ ...found, direct, message, at })),
  };
}

/** The user's words, or of something endless head and tail. */
const boundWords = (own: string, message: MessageId): string =>
  own.length <= longestWords
    ? own
    : excerptText(
        headAndTail(own, longestWords / 2, longestWords / 2, (cut) => cutMark(cut, message, false)),
        own,
      );

/** What the user typed in messages, the first of which has the ordinal `from`, behind what was typed before; rules as often as they were said. */
export function* gatherWords(
  messages: readonly Message[],
  from: number,
  before: Pick<Evidence, 'words' | 'constraints'> = { words: [], constraints: [] },
): Steps<Pick<Evidence, 'words' | 'constraints'>> {
  const typed: ReadTyped[] = [];
  for (const [i, message] of messages.entries()) {
    if (message.origin !== 'human') continue;
    for (const part of message.parts) {
      const read = part.type === 'text' ? readTyped(part.text, message.id, from + i) : undefined;
      if (read !== undefined) typed.push(read);
      yield;
    }
  }
  if (typed.length === 0) return before;
  return {
    words: [...before.words, ...typed.map((one) => one.words)],
    constraints: [...before.constraints, ...typed.flatMap((one) => one.constraints)],
  };
}
