import { AsyncLocalStorage } from 'node:async_hooks';
import {
  createSession,
  type Journal,
  type JournalRecord,
  type Json,
  type Limits,
  type Message,
  type NativeEdit,
  type Overhead,
  type Session,
  type SessionOptions,
  type Stash,
  type View,
  type ViewOptions,
  type WireRules,
} from '@palimpsest/core';
import { isSameJson } from '@palimpsest/core/json';
import { type Decoded, type Encoded, type Live, sharingSummarizer, systemClock, untilAborted } from '@palimpsest/wire';
import type { Refusal, Turn } from './keep-options.ts';

export interface Terms {
  readonly window: number;
  readonly maxOutput: number | undefined;
  readonly rules: WireRules;
  readonly limits: Limits;
}

/** A turn and what was read from it. */
export interface Reading<Body> {
  readonly turn: Turn<Body>;
  readonly decoded: Decoded;
  /** What the body still tells: from the newest server-side compaction on. */
  readonly messages: readonly Message[];
  readonly terms: Terms;
}

/** What a store holds of a conversation: so many of its messages are in the records. */
export interface Opened {
  readonly records: readonly JournalRecord[];
  readonly journal: Journal;
  readonly stash: Stash;
  readonly count: number;
}

export interface Shown<Body> {
  readonly session: Session;
  readonly encoded: Encoded<Body>;
  /** How often the view had been made smaller by then. */
  readonly shrunk: number;
}

export interface Conversation {
  /** What its first and its newest message are known by; the newest names all before it. */
  key: string;
  /** In the store. */
  name: string;
  /** Appends what is new in a turn and makes its body. */
  show<Body>(reading: Reading<Body>): Promise<Shown<Body>>;
  /** A smaller body for the newest turn; the one at hand where a twin of the request was refused before. */
  shrink<Body>(reading: Reading<Body>, shown: Shown<Body>, refusal: Refusal): Promise<Shown<Body>>;
  close(): void;
}

const inside = new AsyncLocalStorage<true>();

/** True for what is sent while a view is made: a summary's own request is no turn of any conversation. */
export const isInside = (): boolean => inside.getStore() === true;

/** A session that begins with its first request, and its requests one after the other. */
export function newConversation(
  options: Omit<SessionOptions, 'window'>,
  open: (conversation: Conversation, messages: readonly Message[]) => Promise<Opened | undefined>,
  onSession: (session: Session) => void,
): Conversation {
  const clock = options.ports?.clock ?? systemClock;
  let line: Promise<unknown> = Promise.resolve();
  let session: Session | undefined;
  let journal: Journal | undefined;
  let count = 0;
  let terms: Terms | undefined;
  let live: Live | undefined;
  let shrunk = 0;
  let besides: { readonly system: string; readonly tools: readonly Json[] } | undefined;

  const timeOf = (signal: AbortSignal | undefined): ViewOptions => ({
    now: clock.now(),
    ...(signal === undefined ? {} : { signal }),
  });

  /** System prompt and tools, where they are not those that the session knows. */
  function findOverhead({ system, tools }: Decoded): Overhead {
    const now = { system, tools };
    if (isSameJson(now, besides) || (besides === undefined && system === '' && tools.length === 0)) return {};
    besides = now;
    return now;
  }

  /** What is appended and what is shown belong together: a later request waits until this one has its view. */
  function inLine<Result>(signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> {
    const result = line.then(() => {
      signal?.throwIfAborted();
      return inside.run(true, work);
    });
    line = result.catch(() => {});
    return untilAborted(result, signal);
  }

  async function begin({ decoded, messages, terms: first }: Reading<unknown>): Promise<Session> {
    const stored = await open(conversation, messages);
    journal = stored?.journal;
    const ports = options.ports ?? {};
    const summarizer = sharingSummarizer(ports.summarizer, () => live);
    const made = createSession({
      ...options,
      ...budgetOf(first, options.trigger),
      ...findOverhead(decoded),
      broken: 'mend',
      ports: {
        ...(stored === undefined ? {} : { stash: stored.stash }),
        ...ports,
        clock,
        ...(summarizer === undefined ? {} : { summarizer }),
      },
      ...(stored === undefined ? {} : { records: stored.records, journal: stored.journal }),
    });
    session = made;
    count = stored?.count ?? 0;
    terms = first;
    onSession(made);
    return made;
  }

  async function viewFor({ turn, decoded, messages, terms: wanted }: Reading<unknown>, own: Session): Promise<View> {
    const isFirst = count === 0;
    if (turn.reported !== undefined && !isFirst && count < messages.length && Object.keys(turn.reported).length > 0)
      own.observe(turn.reported);
    for (const message of messages.slice(count)) {
      own.append(message);
      count++;
    }
    // What the server compacted lives on in that one block alone.
    if (isFirst && decoded.boundary !== undefined) own.pin(decoded.messages[decoded.boundary]!.id);
    live = liveOf(turn, live?.native);
    const before = terms!;
    const grown = (wanted.maxOutput ?? 0) > (before.maxOutput ?? 0);
    if (wanted.window === before.window && !grown && isSameJson(wanted.rules, before.rules))
      return own.view({ ...timeOf(turn.signal), ...findOverhead(decoded) });
    terms = wanted;
    return own.switchTo(budgetOf(wanted, options.trigger));
  }

  function encodeView<Body>(own: Session, { turn }: Reading<Body>, { messages, native }: View): Shown<Body> {
    live = liveOf(turn, native);
    const encoded = turn.format.encode(messages, turn.body, { nativeEdits: native, cacheBreakpoints: true });
    return { session: own, encoded, shrunk };
  }

  const conversation: Conversation = {
    key: '',
    name: '',
    show: (reading) =>
      inLine(reading.turn.signal, async () => {
        const own = session ?? (await begin(reading));
        return encodeView(own, reading, await viewFor(reading, own));
      }),
    shrink: (reading, shown, { maximum, actual }) =>
      inLine(reading.turn.signal, async () => {
        const { session: own } = shown;
        const options = timeOf(reading.turn.signal);
        if (shown.shrunk < shrunk) return encodeView(own, reading, await own.view(options));
        if (maximum !== undefined && maximum < terms!.window) terms = { ...terms!, window: maximum };
        const refusal = {
          ...(maximum === undefined ? {} : { maximum }),
          ...(actual === undefined ? {} : { actual }),
        };
        const view = await own.overflowed(refusal, options);
        shrunk++;
        return encodeView(own, reading, view);
      }),
    close() {
      line = line.then(() => journal?.close()).catch(() => {});
    },
  };
  return conversation;
}

/**
 * The request's own `max_tokens` goes out as it came, so view and answer must fit the window together; one that would take
 * more than half of it is no measure of what the conversation may have.
 */
const budgetOf = ({ window, maxOutput, rules, limits }: Terms, trigger: SessionOptions['trigger']) => ({
  window,
  limits,
  ...(maxOutput === undefined ? {} : { maxOutput }),
  ...(maxOutput === undefined || maxOutput > window / 2
    ? trigger === undefined
      ? {}
      : { trigger }
    : { trigger: [...[trigger ?? []].flat(), { tokens: window - maxOutput }] }),
  wire: rules,
});

const liveOf = <Body>(turn: Turn<Body>, native: readonly NativeEdit[] = []): Live => ({
  wire: turn.format.name,
  model: turn.model,
  body: turn.body,
  headers: turn.headers ?? {},
  native,
});
