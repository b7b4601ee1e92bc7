import type { Message, MessageId, NativeEdit, View, ViewOptions } from '@palimpsest/core';
import { isSameJson } from '@palimpsest/core/json';
import type { EncodeOptions } from '@palimpsest/wire';
import { budgetOf, type ConversationState, findOverhead, layersOf, type OpenSession } from './conversation-state.ts';
import type { Fitted, Refusal } from './keep-options.ts';
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
  const cameElsewhere = isGoneOnWith(own, reading);
  appendTurn(own, reading);
  // Whether another process has the session by now is found out before a walk is made for nothing.
  if (cameElsewhere) await own.session.saved();
  noteLive(state, reading, state.live?.native);
  const view = await makeView(state, own, reading);
  return encodeView(state, own, reading, view);
}

/** Whether a turn came and went that is not known here: of two answers that are new, the first was given to somebody else. */
function isGoneOnWith({ ids }: OpenSession, { messages }: Reading<unknown>): boolean {
  const answers = messages.slice(ids.length).filter(({ role }) => role === 'assistant');
  return ids.length > 0 && answers.length > 1;
}

/** A smaller body for the newest turn; the one at hand where a twin of the request was refused before. */
export async function shrinkTurn<Body>(
  state: ConversationState,
  reading: Reading<Body>,
  { own, shrunk }: Shown<Body>,
  { maximum, actual }: Refusal,
): Promise<Shown<Body>> {
  const options = viewOptionsFor(state, reading);
  if (shrunk < state.shrunk)
    return encodeView(state, own, reading, { ...(await own.session.view(options)), ...state.hidden });
  if (maximum !== undefined && maximum < own.terms.window) own.terms = { ...own.terms, window: maximum };
  const refusal = {
    ...(maximum === undefined ? {} : { maximum }),
    ...(actual === undefined ? {} : { actual }),
  };
  const view = await own.session.overflowed(refusal, options);
  state.shrunk++;
  state.hidden = view.receipt === undefined ? {} : { receipt: view.receipt };
  return encodeView(state, own, reading, view);
}

/** What is in by an abort is in; the next request goes on behind it. */
function appendTurn(own: OpenSession, { turn, decoded, messages }: Reading<unknown>): void {
  const { session } = own;
  const isFirst = own.ids.length === 0;
  const isNew = own.ids.length < messages.length;
  if (turn.reported !== undefined && !isFirst && isNew && Object.keys(turn.reported).length > 0)
    session.observe(turn.reported);
  for (const message of messages.slice(own.ids.length)) {
    own.ids.push(session.append(message));
  }
  const compacted = decoded.boundary === undefined ? undefined : decoded.messages[decoded.boundary];
  // What the server compacted lives on in that one block alone.
  if (!own.hasBoundary && compacted !== undefined) session.pin(compacted.id);
  own.hasBoundary = true;
}

/** A view under the terms of this turn, which may be those of another model. */
async function makeView(state: ConversationState, own: OpenSession, reading: Reading<unknown>): Promise<View> {
  const { session, terms: before } = own;
  const { terms } = reading;
  const asksForMore = (terms.maxOutput ?? 0) > (before.maxOutput ?? 0);
  const isOther = (terms.preset ?? before.preset) !== before.preset;
  const isPricedAlike = terms.prices === undefined || isSameJson(terms.prices, before.prices);
  if (
    terms.model === before.model &&
    terms.window === before.window &&
    !asksForMore &&
    !isOther &&
    isPricedAlike &&
    isSameJson(terms.rules, before.rules)
  )
    return session.view({ ...viewOptionsFor(state, reading), ...findOverhead(state, reading) });
  own.terms = { ...terms, preset: terms.preset ?? before.preset, prices: terms.prices ?? before.prices };
  return session.switchTo({
    ...budgetOf(terms),
    ...(isOther ? layersOf(terms) : {}),
    ...viewOptionsFor(state, reading),
    ...findOverhead(state, reading),
  });
}

async function encodeView<Body>(
  state: ConversationState,
  own: OpenSession,
  reading: Reading<Body>,
  view: View,
): Promise<Shown<Body>> {
  const { turn } = reading;
  const { messages, native, tokens, receipt } = view;
  noteLive(state, reading, native);
  const named = nameAsTold(own, reading, messages);
  const options: EncodeOptions = {
    nativeEdits: native,
    cacheBreakpoints: turn.breakpoints ?? true,
    ids: reading.decoded.messages.map(({ id }) => id),
  };
  const encoded = turn.format.encode(named, turn.body, options);
  const outputRoom = measureRoom(view, own.terms.window);
  const fitted = { ...encoded, outputRoom, tokens, ...(receipt === undefined ? {} : { receipt }) };
  return { own, fitted, shrunk: state.shrunk };
}

/** What the client tells otherwise than it did has another name in its body, by which the wire finds what stands there. */
function nameAsTold(
  own: OpenSession,
  { messages: told }: Reading<unknown>,
  view: readonly Message[],
): readonly Message[] {
  const names = new Map<MessageId, MessageId>();
  for (const [i, { id }] of told.entries()) {
    const known = own.ids[i];
    if (known !== undefined && known !== id) names.set(known, id);
  }
  if (names.size === 0) return view;
  return view.map((message) => ({ ...message, id: names.get(message.id) ?? message.id }));
}

const viewOptionsFor = ({ clock }: ConversationState, { turn: { signal } }: Reading<unknown>): ViewOptions => ({
  now: clock.now(),
  ...(signal === undefined ? {} : { signal }),
});

/** The newest request, for who writes summaries behind it; where nobody does, its body is not held. */
function noteLive(
  state: ConversationState,
  { turn, terms }: Reading<unknown>,
  native: readonly NativeEdit[] = [],
): void {
  if (state.options.ports?.summarizer === undefined) return;
  state.live = {
    wire: turn.format.name,
    model: turn.model,
    body: turn.body,
    headers: turn.headers ?? {},
    native,
    window: terms.window,
    credentials: turn.credentials,
  };
}
