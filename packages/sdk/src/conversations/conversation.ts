import type { Session, SessionOptions } from '@palimpsest/core';
import { untilAborted } from '@palimpsest/wire';
import { beginSession, newConversationState, type StoredConversation } from './conversation-state.ts';
import { runInsideView } from './inside-view.ts';
import type { Refusal } from './keep-options.ts';
import type { Messages, Reading } from './reading.ts';
import { type Shown, showTurn, shrinkTurn } from './show-turn.ts';

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

/** A session that begins with its first request, and its requests one after the other. */
export function newConversation(
  options: Omit<SessionOptions, 'window'>,
  open: (conversation: Conversation, messages: Messages) => Promise<StoredConversation | undefined>,
  onSession: (session: Session) => void,
): Conversation {
  const state = newConversationState(options);
  let line: Promise<unknown> = Promise.resolve();

  /** What is appended and what is shown belong together: a later request waits until this one has its view. */
  function waitInLine<Result>(signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> {
    const result = line.then(() => {
      signal?.throwIfAborted();
      return runInsideView(work);
    });
    line = result.catch(() => {});
    return untilAborted(result, signal);
  }

  const conversation: Conversation = {
    key: '',
    name: '',
    show: (reading) =>
      waitInLine(reading.turn.signal, async () => {
        if (state.own !== undefined) return showTurn(state, state.own, reading);
        const own = beginSession(state, reading, await open(conversation, reading.messages));
        onSession(own.session);
        return showTurn(state, own, reading);
      }),
    shrink: (reading, shown, refusal) =>
      waitInLine(reading.turn.signal, () => shrinkTurn(state, reading, shown, refusal)),
    close() {
      // A summary that is being drafted would come too late to be kept.
      line = line.then(() => state.own?.session.settled({ signal: AbortSignal.abort() })).catch(() => {});
      line = line.then(() => state.journal?.close()).catch(() => {});
    },
  };
  return conversation;
}
