import { type CompactionCode, CompactionError } from '../errors.ts';
import { lateResultNotice, unansweredNotice, unknownCallNotice } from '../notices.ts';
import { toWellFormed } from '../text.ts';
import { adoptCopy, copyData } from './copy-data.ts';
import {
  type Message,
  type MessageId,
  type NewMessage,
  originOf,
  type Part,
  partText,
  result,
  text,
} from './message.ts';
import { type Note, takeMessage } from './take-message.ts';

/** One thing that was wrong with a history, and what was done about it. */
export interface Problem {
  readonly code: CompactionCode;
  readonly message: MessageId;
  readonly what: string;
  readonly done: string;
}

/**
 * What admission remembers. Pairing is positional: results answer the calls of the assistant message before them;
 * the same call id may come again in a later round.
 */
export interface Gate {
  /** The ids of all messages of the transcript, and of those that closed their calls. */
  readonly ids: Set<MessageId>;
  /** What edits and the messages that they made are called by. */
  readonly names: Set<string>;
  /** Of ids that came again: the number up to which all are taken. */
  readonly repeats: Map<MessageId, number>;
  readonly everCalled: Set<string>;
  /** Ids of the newest assistant message's calls that have no result yet, in order. */
  open: ReadonlySet<string>;
  /** That message. */
  opener: MessageId;
  count: number;
}

export const newGate = (): Gate => ({
  ids: new Set(),
  names: new Set(),
  repeats: new Map(),
  everCalled: new Set(),
  open: new Set(),
  opener: '',
  count: 0,
});

export interface Admission {
  /** The message as it enters the transcript. */
  readonly kept: Message;
  /** What of it the base of every view shows: usually just `kept`. */
  readonly shown: readonly Message[];
  readonly problems: readonly Problem[];
  /** The calls that stand open after it. */
  readonly open: ReadonlySet<string>;
}

const isBlankPart = (part: Part): boolean => part.type === 'text' && part.text.trim() === '';

/** The id itself, or the first of `id~2`, `id~3` … that nobody has. Ids stay taken, so none is tried twice. */
function findFreeId({ ids, names, repeats }: Gate, id: MessageId): MessageId {
  const isTaken = (one: MessageId): boolean => ids.has(one) || names.has(one);
  if (!isTaken(id)) return id;
  let n = repeats.get(id) ?? 2;
  while (isTaken(`${id}~${n}`)) n++;
  repeats.set(id, n);
  return `${id}~${n}`;
}

/** The results that close calls which will not be answered any more. */
export const closeOpenCalls = (gate: Gate): Message => ({
  id: findFreeId(gate, `${gate.opener}/unanswered`),
  role: 'user',
  origin: 'palimpsest',
  parts: [...gate.open].map((callId) => result(callId, unansweredNotice, true)),
});

/**
 * Looks at a message that wants in; changes nothing. With problems, `shown` is the mended form, in which nothing that
 * said something is missing: a strict caller throws the first problem, a lenient one enters it all the same. What has not
 * the shape of a message is thrown back in any case. `isStored`: it was let in once, and edits name it by its id.
 */
export function admitMessage(gate: Gate, incoming: NewMessage, isStored = false): Admission {
  const problems: Problem[] = [];
  const said: unknown = incoming?.id;
  const given = typeof said === 'string' ? toWellFormed(said) : `m${gate.count + 1}`;
  const note: Note = (code, what, done) => problems.push({ code, message: given, what, done });
  const taken = takeMessage(incoming, given, note);
  const id = isStored && !gate.ids.has(given) ? given : findFreeId(gate, given);
  if (id !== given && taken.id !== undefined) note('duplicate-id', 'the id was used before', `renamed to "${id}"`);

  const knownRole = taken.role === 'user' || taken.role === 'assistant';
  if (!knownRole) note('unknown-role', `role ${JSON.stringify(taken.role)}`, 'shown as a user message of the harness');
  const role = knownRole ? taken.role : 'user';
  const origin = knownRole ? originOf(taken) : 'harness';
  const kept: Message =
    taken.id === id && taken.origin === origin ? (taken as Message) : adoptCopy({ ...taken, id, origin });

  const shown: Message[] = [];
  const open = new Set(role === 'assistant' ? [] : gate.open);
  if (role === 'assistant' && gate.open.size > 0) {
    for (const callId of gate.open)
      note('dangling-call', `call "${callId}" of message "${gate.opener}" was never answered`, 'closed with a notice');
    shown.push(closeOpenCalls(gate));
  }

  const parts = role === 'assistant' ? mendAssistantParts(open, kept, note) : mendUserParts(gate, open, kept, note);
  const solid = parts.some(isBlankPart) ? parts.filter((part) => !isBlankPart(part)) : parts;
  if (solid.length === 0) note('empty-message', 'it says nothing', 'left out of every view');
  else shown.push(knownRole && solid === kept.parts ? kept : { ...kept, role, parts: solid });
  // What was made of it is handed out like the message itself.
  const frozen = shown.map((one) => (one === kept ? one : copyData(one, `message "${id}"`, id)));
  return { kept, shown: frozen, problems, open };
}

/** Lets it in. */
export function enterMessage(gate: Gate, { kept, shown, open }: Admission): void {
  gate.count++;
  for (const { id } of [kept, ...shown]) gate.ids.add(id);
  gate.open = open;
  if (kept.role !== 'assistant') return;
  gate.opener = kept.id;
  for (const message of shown)
    for (const part of message.parts) if (part.type === 'call') gate.everCalled.add(part.callId);
}

function mendAssistantParts(open: Set<string>, message: Message, note: Note): readonly Part[] {
  const repeats = new Map<string, number>();
  return mapParts(message.parts, (part) => {
    if (part.type === 'result') {
      note('misplaced-part', 'a result in an assistant message', 'shown as text');
      return text(partText(part));
    }
    if (part.type !== 'call') return part;
    let callId = part.callId;
    let n = repeats.get(callId) ?? 2;
    for (; open.has(callId); n++) callId = `${part.callId}~${n}`;
    repeats.set(part.callId, n);
    open.add(callId);
    if (callId === part.callId) return part;
    note('duplicate-id', `call "${part.callId}" stands twice in one message`, `the later one renamed to "${callId}"`);
    return { ...part, callId };
  });
}

function mendUserParts(gate: Gate, open: Set<string>, message: Message, note: Note): readonly Part[] {
  return mapParts(message.parts, (part) => {
    if (part.type === 'call' || part.type === 'reasoning') {
      note('misplaced-part', `a ${part.type} in a user message`, 'shown as text');
      return text(partText(part));
    }
    if (part.type !== 'result' || open.delete(part.callId)) return part;
    for (const callId of open)
      if (callId.startsWith(`${part.callId}~`) && open.delete(callId)) return { ...part, callId };
    // A second result, or one that comes rounds later, cannot stand as a result where it arrives: no provider takes it.
    if (gate.everCalled.has(part.callId)) return text(lateResultNotice(part.callId, partText(part)));
    note('orphan-result', `no call "${part.callId}" was made before it`, 'shown as text');
    return text(unknownCallNotice(part.callId, partText(part)));
  });
}

/** The same list when nothing changed, so that an untouched message stays the very object that came in. */
function mapParts(parts: readonly Part[], change: (part: Part) => Part): readonly Part[] {
  const mapped = parts.map(change);
  return mapped.every((part, i) => part === parts[i]) ? parts : mapped;
}

const ADVICE: Partial<Record<CompactionCode, string>> = {
  'orphan-result': 'Append the assistant message with the call first',
  'dangling-call': 'Append a result for the call first (an error result says that it was interrupted)',
  'duplicate-id': 'Give it an id of its own, or leave the id away',
  'empty-message': 'Leave it away',
  'unknown-role': 'Use "user" or "assistant"; system prompts are stated in the options',
  'misplaced-part': 'Calls and reasoning belong to the assistant, results to the user',
  malformed: 'Give each field what its type says',
};

export function toError(problem: Problem): CompactionError {
  const advice = ADVICE[problem.code] ?? 'Mend the history';
  return new CompactionError(
    problem.code,
    `message "${problem.message}": ${problem.what}. ${advice}, or pass the history through repair().`,
    { messageId: problem.message },
  );
}
