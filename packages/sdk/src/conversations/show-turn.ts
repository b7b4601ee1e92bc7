import type { NativeEdit, View, ViewOptions } from '@palimpsest/core';
import { isSameJson } from '@palimpsest/core/json';
import type { Live } from '@palimpsest/wire';
import { budgetOf, type ConversationState, findOverhead, type OpenSession } from './conversation-state.ts';
import type { Fitted, Refusal, Turn } from './keep-options.ts';
import { measureRoom } from './lower-output.ts';
import type { Reading } from './reading.ts';

export interface Shown<Body> {
  readonly own: OpenSession;
  readonly fitted: Fitted<Body>;
  /** How often the view had been made smaller by then. */
  readonly shrunk: number;
}

/** Appends what is new in a turn and makes its body. */
export async function showTurn<Body>(
  state: ConversationState,
  own: OpenSession,
  reading: Reading<Body>,
): Promise<Shown<Body>> {
  appendTurn(own, reading);
  state.live = liveOf(reading.turn, state.live?.native);
  return encodeView(state, own, reading, await makeView(state, own, reading));
}

/** A smaller body for the newest turn; the one at hand where a twin of the request was refused before. */
export async function shrinkTurn<Body>(
  state: ConversationState,
  reading: Reading<Body>,
  { own, shrunk }: Shown<Body>,
  { maximum, actual }: Refusal,
): Promise<Shown<Body>> {
  const options = viewOptionsFor(state, reading);
  if (shrunk < state.shrunk) return encodeView(state, own, reading, await own.session.view(options));
  if (maximum !== undefined && maximum < own.terms.window) own.terms = { ...own.terms, window: maximum };
  const refusal = {
    ...(maximum === undefined ? {} : { maximum }),
    ...(actual === undefined ? {} : { actual }),
  };
  const view = await own.session.overflowed(refusal, options);
  state.shrunk++;
  return encodeView(state, own, reading, view);
}

function appendTurn(own: OpenSession, { turn, decoded, messages }: Reading<unknown>): void {
  const { session } = own;
  const isFirst = own.count === 0;
  const isNew = own.count < messages.length;
  if (turn.reported !== undefined && !isFirst && isNew && Object.keys(turn.reported).length > 0)
    session.observe(turn.reported);
  for (const message of messages.slice(own.count)) {
    session.append(message);
    own.count++;
  }
  const compacted = decoded.boundary === undefined ? undefined : decoded.messages[decoded.boundary];
  // What the server compacted lives on in that one block alone.
  if (isFirst && compacted !== undefined) session.pin(compacted.id);
}

/** A view under the terms of this turn, which may be those of another model. */
async function makeView(state: ConversationState, own: OpenSession, reading: Reading<unknown>): Promise<View> {
  const { session, terms: before } = own;
  const { decoded, terms } = reading;
  const asksForMore = (terms.maxOutput ?? 0) > (before.maxOutput ?? 0);
  if (terms.window === before.window && !asksForMore && isSameJson(terms.rules, before.rules))
    return session.view({ ...viewOptionsFor(state, reading), ...findOverhead(state, decoded) });
  own.terms = terms;
  return session.switchTo({ ...budgetOf(terms), ...viewOptionsFor(state, reading) });
}

function encodeView<Body>(
  state: ConversationState,
  own: OpenSession,
  { turn }: Reading<Body>,
  view: View,
): Shown<Body> {
  const { messages, native } = view;
  state.live = liveOf(turn, native);
  const encoded = turn.format.encode(messages, turn.body, { nativeEdits: native, cacheBreakpoints: true });
  return { own, fitted: { ...encoded, outputRoom: measureRoom(view, own.terms.window) }, shrunk: state.shrunk };
}

const viewOptionsFor = ({ clock }: ConversationState, { turn: { signal } }: Reading<unknown>): ViewOptions => ({
  now: clock.now(),
  ...(signal === undefined ? {} : { signal }),
});

const liveOf = <Body>(turn: Turn<Body>, native: readonly NativeEdit[] = []): Live => ({
  wire: turn.format.name,
  model: turn.model,
  body: turn.body,
  headers: turn.headers ?? {},
  native,
});
