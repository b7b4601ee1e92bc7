import type { MessageId, Session, SessionOptions } from '@palimpsest/core';
import { untilAborted } from '@palimpsest/wire';
import { type Beginning, beginSession, type Kept, newConversationState, restSession } from './conversation-state.ts';
import { runInsideView } from './inside-view.ts';
import type { FoundHow, Refusal } from './keep-options.ts';
import { CONVERSATION_BYTES } from './measure-memory.ts';
import type { Owner, Reading } from './reading.ts';
import { type Shown, showTurn, shrinkTurn } from './show-turn.ts';

/** What a conversation begins with, and how that was found. */
export interface Opening {
  readonly how: FoundHow;
  readonly parent?: string;
  readonly kept?: Kept | undefined;
  readonly beginning?: Beginning | undefined;
}

export interface Conversation {
  /** Its session's; one that is restored gets the id that it had. */
  id: string;
  readonly owner: Owner;
  /** What the newest request called its messages, and what they are found by. */
  told: readonly MessageId[];
  trace: readonly string[];
  /** About the bytes that they take in memory, and of these what digests have read off them. */
  memory: number;
  evidence: number;
  /** Of the newest request: its model, and what it sent besides the messages. */
  model: string;
  besides: string;
  /** Its owner is to be forgotten: nothing of it is gone on with. */
  isForgotten: boolean;
  /** In the store, where it is there. */
  name: string | undefined;
  readonly session: Session | undefined;
  /** Appends what is new in a turn and makes its body. The first one also tells how the session began. */
  show<Body>(reading: Reading<Body>): Promise<Shown<Body> & { readonly opening?: Opening }>;
  /** A smaller body for the newest turn; the one at hand where a twin of the request was refused before. */
  shrink<Body>(reading: Reading<Body>, shown: Shown<Body>, refusal: Refusal): Promise<Shown<Body>>;
  /** The turn that `show` began is over: other processes may have the conversation, until the next begins. */
  leave(): void;
  /** Its messages up to so many, for another that begins with them; undefined where it has none. */
  share(count: number): Promise<Extract<Beginning, { type: 'fork' }> | undefined>;
  close(): Promise<void>;
}

const endQuietly = (): void => {};

/** A session that begins with its first request, and its requests one after the other. */
export function newConversation(
  id: string,
  owner: Owner,
  options: Omit<SessionOptions, 'window'>,
  open: (conversation: Conversation, reading: Reading<unknown>) => Promise<Opening>,
  onBegun: (session: Session, opening: Opening, reading: Reading<unknown>) => void,
): Conversation {
  const state = newConversationState(options);
  let line: Promise<unknown> = Promise.resolve();
  let isBusy = false;
  let tellBegun = (): void => {};
  const begun = new Promise<void>((resolve) => {
    tellBegun = resolve;
  });

  /** What is appended and what is shown belong together: a later request waits until this one has its view. */
  function waitInLine<Result>(signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> {
    const result = line.then(() => {
      signal?.throwIfAborted();
      return runInsideView(work);
    });
    // The next one waits for the end of it; the body that was made is not held until then.
    line = result.then(endQuietly, endQuietly);
    return untilAborted(result, signal);
  }

  const restInLine = (): void =>
    void waitInLine(undefined, async () => (isBusy ? undefined : restSession(state))).catch(() => {});

  const conversation: Conversation = {
    id,
    owner,
    told: [],
    trace: [],
    memory: CONVERSATION_BYTES,
    evidence: 0,
    model: '',
    besides: '',
    isForgotten: false,
    name: undefined,
    get session() {
      return state.own?.session;
    },
    show(reading) {
      isBusy = true;
      const shown = waitInLine(reading.turn.signal, async () => {
        if (state.own !== undefined) return showTurn(state, state.own, reading);
        const opening = await open(conversation, reading);
        const own = await beginSession(state, reading, opening.kept, opening.beginning);
        onBegun(own.session, opening, reading);
        tellBegun();
        return { ...(await showTurn(state, own, reading)), opening };
      });
      shown.then(tellBegun, tellBegun);
      return shown;
    },
    shrink: (reading, shown, refusal) =>
      waitInLine(reading.turn.signal, () => shrinkTurn(state, reading, shown, refusal)).finally(restInLine),
    leave() {
      isBusy = false;
      restInLine();
      // A summary that is drafted meanwhile is written down once it is there, if nobody else went on by then.
      void state.own?.session.settled().then(restInLine, () => {});
    },
    async share(count) {
      await begun;
      const { session, ids } = state.own ?? { session: undefined, ids: [] };
      const shared = ids.slice(0, count);
      return session === undefined || shared.length === 0 ? undefined : { type: 'fork', session, ids: shared };
    },
    close() {
      // A summary that is being drafted would come too late to be kept.
      line = line.then(() => state.own?.session.settled({ signal: AbortSignal.abort() })).catch(() => {});
      line = line.then(() => state.kept?.journal.close()).catch(() => {});
      return line.then(() => {});
    },
  };
  return conversation;
}
