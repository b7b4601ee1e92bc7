import type { DraftFact, EditsEntry, Entry } from '../ledger/ledger.ts';
import {
  type Admission,
  admitMessage,
  closeOpenCalls,
  enterMessage,
  type Gate,
  newGate,
  toError,
} from '../message/admit-message.ts';
import type { Message, MessageId, NewMessage } from '../message/message.ts';
import { isToolText } from '../message/user-text.ts';
import type { SearchIndex } from '../search/search-index.ts';
import { type Meter, newMeter } from '../size/meter.ts';
import type { Pace } from '../size/money.ts';
import { bindAnswer, type HandedView, type Prefix } from './bound-reasoning.ts';
import { countReturns, type Returns } from './count-returns.ts';
import { type Count, type Sizes, type Slot, weighMessage } from './slot.ts';
import { changeSizes, noSizes } from './slot-list.ts';

/**
 * A transcript with its view, grown message by message and decision by decision. Its owner (a plan, a session) alone
 * changes it, by `appendMessage` and `recordEntry`; a walk only reads it.
 */
export interface ViewState {
  readonly gate: Gate;
  /** The transcript as said. */
  readonly transcript: Message[];
  /** The transcript as any view may show it: late results as text, unanswered calls closed. Edits name these messages. */
  readonly base: Message[];
  /** Where in `base` a message stands. */
  readonly places: Map<MessageId, number>;
  /** What searches have read of `base` so far, once there was one. */
  readonly searched: { index?: SearchIndex };
  readonly pins: Set<MessageId>;
  readonly entries: Entry[];
  /** For every entry, how many messages the transcript had when it was made. */
  readonly madeAt: number[];
  readonly count: Count;
  meter: Meter;
  /** What stands before the first answer, and what users typed behind it, in estimated tokens. */
  head: number;
  typed: number;
  /** All that was said so far, in estimated tokens, the answers in it, and how often a call came back to a file. */
  pace: Pace;
  /** Files that calls were about. */
  readonly touched: Set<string>;
  /** Summaries in a row that the summarizer failed to bring. */
  failures: number;
  /** Summaries of prefixes, prepared in the background. */
  drafts: readonly DraftFact[];
  /** Walks under pressure in a row, up to now, that freed next to nothing. */
  ineffective: number;
  /** The newest walk under pressure: its first entry of that kind, and how many such walks had been ineffective before it. */
  judged: { readonly first: EditsEntry; readonly ineffective: number } | undefined;
  /** The entries of a walk of which not all have come yet. Where they never come, the walk never was. */
  unfinished: readonly EditsEntry[];
  /** The number of the newest walk of several entries that is whole. */
  finished: number;
  /** The newest decision was to take a walk back: pressure waits until the blocking limit. */
  held: boolean;
  /** How many base messages were in a view that was handed out. */
  seen: number;
  /** The newest view that was handed out: what the next answer is made behind. */
  handed: HandedView | undefined;
  /** What answers with signed reasoning were made behind, by their places. */
  readonly madeBehind: Map<number, Prefix | null>;
  walks: number;
  /** The number of the newest edit's reference. */
  refs: number;
  /** The view as the recorded edits leave it. */
  slots: Slot[];
  sizes: Sizes;
}

export const newViewState = (count: Count): ViewState => ({
  gate: newGate(),
  transcript: [],
  base: [],
  places: new Map(),
  searched: {},
  pins: new Set(),
  entries: [],
  madeAt: [],
  count,
  meter: newMeter,
  head: 0,
  typed: 0,
  pace: { tokens: 0, answers: 0, touches: 0, returns: 0 },
  touched: new Set(),
  failures: 0,
  drafts: [],
  ineffective: 0,
  judged: undefined,
  unfinished: [],
  finished: 0,
  held: false,
  seen: 0,
  handed: undefined,
  madeBehind: new Map(),
  walks: 0,
  refs: 0,
  slots: [],
  sizes: noSizes,
});

/** What becomes of a message that breaks the history: it is thrown back, or mended. A stored one was let in once. */
export type Strictness = 'refuse' | 'mend' | 'stored';

/** Appends to the transcript, or throws what is wrong with the message and changes nothing. */
export function appendMessage(state: ViewState, message: NewMessage, strictness: Strictness = 'refuse'): Admission {
  const admission = admitMessage(state.gate, message, strictness === 'stored');
  const problem = admission.problems[0];
  if (problem !== undefined && strictness === 'refuse') throw toError(problem);
  // A host's own counter may throw: all is weighed before anything is changed.
  const slots = admission.shown.map((shown, i) => makeSlot(shown, state.base.length + i, state.count));
  enterMessage(state.gate, admission);
  state.transcript.push(admission.kept);
  for (const slot of slots) {
    bindAnswer(state, slot.message, slot.first);
    state.base.push(slot.message);
    state.places.set(slot.message.id, slot.first);
    state.slots.push(slot);
  }
  state.sizes = changeSizes(state.sizes, [], slots);
  for (const { message, tokens } of slots) {
    if (message.role === 'user' && state.pace.answers === 0) state.head += tokens;
    else if (isTyped(message)) state.typed += tokens;
  }
  for (const slot of slots) state.pace = addToPace(state.pace, slot, countReturns(slot.message, state.touched));
  return admission;
}

const addToPace = (pace: Pace, { tokens, message }: Slot, { touches, returns }: Returns): Pace => ({
  tokens: pace.tokens + tokens,
  answers: pace.answers + (message.role === 'assistant' ? 1 : 0),
  touches: pace.touches + touches,
  returns: pace.returns + returns,
});

const isTyped = ({ origin, parts }: Message): boolean =>
  origin === 'human' && !parts.some((part) => part.type === 'text' && isToolText(part.text));

/** A transcript message shown as it is. */
export const makeSlot = (message: Message, place: number, count: Count): Slot => ({
  ...weighMessage(message, count),
  first: place,
  last: place,
});

/** A call in flight is closed in what is handed out, not in the transcript: its result may still come. */
export const findClosing = (state: ViewState): Message | undefined =>
  state.gate.open.size === 0 ? undefined : closeOpenCalls(state.gate);

/** The messages to send: the list's, and results for calls still in flight, so that no provider refuses it. */
export function messagesToSend(state: ViewState, slots: readonly Slot[]): readonly Message[] {
  const messages = slots.map((slot) => slot.message);
  const closed = findClosing(state);
  return closed === undefined ? messages : [...messages, closed];
}

/** Whether the newest view that was handed out is the one that stands. */
export const isHandedOut = ({ handed, slots }: ViewState): boolean =>
  handed?.slots === slots && handed.length === slots.length;

/** The newest message's own time. */
export const newestTime = (state: ViewState): number | undefined => state.base.at(-1)?.at;
