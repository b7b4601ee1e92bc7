import { AsyncLocalStorage } from 'node:async_hooks';
import {
  CompactionError,
  createSession,
  type Journal,
  type Message,
  type NativeEdit,
  type Session,
  type Usage,
  type View,
  type ViewOptions,
  type WireRules,
} from '@palimpsest/core';
import { sameJson } from '../json.ts';
import { type Live, sharingSummarizer } from '../summarizer.ts';
import { systemClock } from '../system-clock.ts';
import type { Decoded, Encoded } from '../wire.ts';
import type { Conversations, KeepOptions, Turn } from './keep-options.ts';

interface Terms {
  readonly window: number;
  readonly maxOutput: number | undefined;
  readonly rules: WireRules;
}

interface Conversation {
  /** What its first and its newest message are known by; the newest names all before it. */
  key: string;
  /** In the store. */
  name: string;
  session?: Session;
  journal?: Journal;
  /** How many messages the session has. */
  count: number;
  terms: Terms;
  live: Live;
  /** Requests of one conversation, one after the other. */
  line: Promise<unknown>;
}

/** An evicted conversation costs a compaction anew when it comes back, and nothing else. */
const MOST_CONVERSATIONS = 64;

/** One that was just evicted may still be closing. */
const EVICTION_MS = 5_000;

const inside = new AsyncLocalStorage<true>();

/** True for what is sent while a view is made: a summary's own request is no turn of any conversation. */
export const isInside = (): boolean => inside.getStore() === true;

/**
 * Sessions out of requests that each bring the whole history. Ids hash the running prefix, so the newest message's id
 * finds the conversation; one that was changed further up is another conversation.
 */
export function createConversations(options: KeepOptions): Conversations {
  const { window: stated, store, onSession, ...rest } = options;
  if (typeof stated !== 'function') windowOf(stated, 'any model');
  const clock = options.ports?.clock ?? systemClock;
  const live = new Map<string, Conversation>();

  const at = (signal: AbortSignal | undefined): ViewOptions => ({
    now: clock.now(),
    ...(signal === undefined ? {} : { signal }),
  });

  function find(messages: readonly Message[]): Conversation | undefined {
    for (let n = messages.length; n > 0; n--) {
      const found = live.get(keyOf(messages, n));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Moves it to the end of the line of those that may be evicted. */
  function know(conversation: Conversation, messages: readonly Message[]): Conversation {
    live.delete(conversation.key);
    conversation.key = keyOf(messages, messages.length);
    live.set(conversation.key, conversation);
    const [oldest] = live.values();
    if (live.size > MOST_CONVERSATIONS) forget(oldest!);
    return conversation;
  }

  function forget(conversation: Conversation): void {
    if (live.get(conversation.key) === conversation) live.delete(conversation.key);
    conversation.line = conversation.line.then(() => conversation.journal?.close()).catch(() => {});
  }

  /** The stored conversation that these messages continue; branches of one beginning have numbers behind its name. */
  async function openFor(conversation: Conversation, messages: readonly Message[]) {
    for (let n = 1; ; n++) {
      const name = n === 1 ? messages[0]!.id : `${messages[0]!.id}-${n}`;
      if ([...live.values()].some((other) => other !== conversation && other.name === name)) continue;
      conversation.name = name;
      const stored = await store!.open(name, { waitMs: EVICTION_MS });
      const saved = stored.records.flatMap((record) => (record.type === 'message' ? [record.message.id] : []));
      if (saved.every((id, i) => id === messages[i]?.id)) return { ...stored, count: saved.length };
      await stored.journal.close();
    }
  }

  async function begin(conversation: Conversation, decoded: Decoded, messages: readonly Message[]): Promise<Session> {
    const stored = store === undefined ? undefined : await openFor(conversation, messages);
    if (stored !== undefined) conversation.journal = stored.journal;
    conversation.count = stored?.count ?? 0;
    const ports = options.ports ?? {};
    const summarizer = sharingSummarizer(ports.summarizer, () => conversation.live);
    const session = createSession({
      ...rest,
      ...budgetOf(conversation.terms),
      ...(decoded.system === '' && decoded.tools.length === 0 ? {} : { system: decoded.system, tools: decoded.tools }),
      broken: 'mend',
      ports: {
        ...(stored === undefined ? {} : { stash: stored.stash }),
        ...ports,
        clock,
        ...(summarizer === undefined ? {} : { summarizer }),
      },
      ...(stored === undefined ? {} : { records: stored.records, journal: stored.journal }),
    });
    onSession?.(session);
    return session;
  }

  async function viewFor<Body>(
    conversation: Conversation,
    turn: Turn<Body>,
    decoded: Decoded,
    messages: readonly Message[],
    terms: Terms,
  ): Promise<{ session: Session; view: View }> {
    conversation.session ??= await begin(conversation, decoded, messages);
    const { session, count, terms: before } = conversation;
    if (turn.reported !== undefined && count > 0 && count < messages.length) observe(session, turn.reported);
    for (const message of messages.slice(count)) session.append(message);
    conversation.count = messages.length;
    // What the server compacted lives on in that one block alone.
    if (count === 0 && decoded.boundary !== undefined) session.pin(messages[0]!.id);
    conversation.live = liveOf(turn, conversation.live.native);
    const grown = (terms.maxOutput ?? 0) > (before.maxOutput ?? 0);
    if (terms.window === before.window && !grown && sameJson(terms.rules, before.rules))
      return { session, view: await session.view(at(turn.signal)) };
    conversation.terms = terms;
    return { session, view: await session.switchTo(budgetOf(terms)) };
  }

  /** What is appended and what is shown belong together: a later request waits until this one has its view. */
  function inLine<Result>(conversation: Conversation, work: () => Promise<Result>): Promise<Result> {
    const result = conversation.line.then(() => inside.run(true, work));
    conversation.line = result.catch(() => {});
    return result;
  }

  return {
    async keep(turn) {
      const decoded = turn.format.decode(turn.body);
      const messages = decoded.messages.slice(decoded.boundary ?? 0);
      if (decoded.partial || messages.length === 0) return undefined;
      const window = windowOf(typeof stated === 'function' ? stated(turn.model) : stated, turn.model);
      // A request for more output than the window holds is the provider's to answer.
      const maxOutput = turn.maxOutput !== undefined && turn.maxOutput < window ? turn.maxOutput : undefined;
      const terms: Terms = { window, maxOutput, rules: decoded.rules };
      const conversation = know(
        find(messages) ?? { key: '', name: '', count: 0, terms, live: liveOf(turn), line: Promise.resolve() },
        messages,
      );
      const encode = (view: View): Encoded<typeof turn.body> => {
        conversation.live = liveOf(turn, view.native);
        return turn.format.encode(view.messages, turn.body, { nativeEdits: view.native, cacheBreakpoints: true });
      };
      try {
        const { session, view } = await inLine(conversation, () =>
          viewFor(conversation, turn, decoded, messages, terms),
        );
        return {
          ...encode(view),
          session,
          answered: (usage) => observe(session, usage),
          async refused({ maximum, actual }) {
            const refusal = {
              ...(maximum === undefined ? {} : { maximum }),
              ...(actual === undefined ? {} : { actual }),
            };
            try {
              return encode(await inLine(conversation, () => session.overflowed(refusal, at(turn.signal))));
            } catch (error) {
              if (error instanceof CompactionError && (error.code === 'cannot-reduce' || error.code === 'blocked'))
                return undefined;
              throw error;
            }
          },
        };
      } catch (error) {
        // Half of what this request brought may be in: the next one begins anew. An abort leaves everything whole.
        if (turn.signal?.aborted !== true) forget(conversation);
        throw error;
      }
    },
  };
}

function observe(session: Session, usage: Usage): void {
  if (Object.keys(usage).length > 0) session.observe(usage);
}

const keyOf = (messages: readonly Message[], count: number): string => `${messages[0]!.id} ${messages[count - 1]!.id}`;

const budgetOf = ({ window, maxOutput, rules }: Terms) => ({
  window,
  ...(maxOutput === undefined ? {} : { maxOutput }),
  wire: rules,
});

const liveOf = <Body>(turn: Turn<Body>, native: readonly NativeEdit[] = []): Live => ({
  wire: turn.format.name,
  model: turn.model,
  body: turn.body,
  headers: turn.headers ?? {},
  native,
});

function windowOf(window: number | undefined, model: string): number {
  if (window !== undefined && Number.isFinite(window) && window > 0) return window;
  throw new CompactionError(
    'window-unknown',
    `the context window of ${model} is unknown. State it: palimpsest({ window: 200_000 }), or for several models ` +
      'palimpsest({ window: (model) => windows[model] }).',
  );
}
