import type { CallPart, Message, MessageId } from '@palimpsest/core';
import { isSameJson } from '@palimpsest/core/json';
import { messageIds, type Unnamed } from './message-ids.ts';

/** A message as it was read, and the piece of the body it was read from. */
export interface Read<Source> extends Unnamed {
  readonly source: Source;
}

/** A message of the view beside the piece of the body it was read from, where it still says the same. */
export interface Piece<Source> {
  readonly message: Message;
  /** What the body has for the message of this id. */
  readonly read?: Read<Source>;
  /** The body says the very same, so its own words can be sent. */
  readonly exact: boolean;
}

/** A view laid over a body: what they share, and what is to be encoded anew. */
export interface Spliced<Source> {
  /** So many messages stand at the head of both view and body. */
  readonly shared: number;
  readonly rest: readonly Piece<Source>[];
}

/** Lays a view over the body it was made from. The shared head is found by what it says, the rest by id: by `ids` where they are known. */
export function splice<Source>(
  view: readonly Message[],
  reads: readonly Read<Source>[],
  ids?: readonly MessageId[],
): Spliced<Source> {
  let shared = 0;
  while (shared < view.length && shared < reads.length && isSame(view[shared]!, reads[shared]!)) shared++;
  return { shared, rest: pairPieces(view.slice(shared), reads, ids) };
}

/** Hands the last `count` messages of the shared head over to the rest, for a seam that must be closed. */
export function unshare<Source>(
  spliced: Spliced<Source>,
  count: number,
  view: readonly Message[],
  reads: readonly Read<Source>[],
): Spliced<Source> {
  const shared = spliced.shared - count;
  const moved = reads
    .slice(shared, spliced.shared)
    .map((read, i) => ({ message: view[shared + i]!, read, exact: true }));
  return { shared, rest: [...moved, ...spliced.rest] };
}

/** Results go directly behind their calls: words that the shared head ends with, and that stand before such, leave it too. */
export function closeSeam<Source>(
  spliced: Spliced<Source>,
  view: readonly Message[],
  reads: readonly Read<Source>[],
): Spliced<Source> {
  const isAnswer = (message: Message): boolean => message.parts.some((part) => part.type === 'result');
  const run = spliced.rest.findIndex(({ message }) => message.role === 'assistant');
  if (!spliced.rest.slice(0, run < 0 ? undefined : run).some(({ message }) => isAnswer(message))) return spliced;
  let start = spliced.shared;
  while (start > 0 && view[start - 1]!.role !== 'assistant') start--;
  const words = view
    .slice(start, spliced.shared)
    .findIndex((message) => message.parts.some((part) => part.type !== 'result'));
  return words < 0 ? spliced : unshare(spliced, spliced.shared - start - words, view, reads);
}

function pairPieces<Source>(
  view: readonly Message[],
  reads: readonly Read<Source>[],
  ids: readonly MessageId[] | undefined,
): readonly Piece<Source>[] {
  if (view.length === 0) return [];
  const names = ids?.length === reads.length ? ids : messageIds(reads);
  const byId = new Map(names.map((id, i) => [id, reads[i]!]));
  const pieces: Piece<Source>[] = [];
  for (const message of view) {
    const read = byId.get(message.id);
    pieces.push(read === undefined ? { message, exact: false } : { message, read, exact: isSame(message, read) });
  }
  return pieces;
}

const isSame = (a: Unnamed, b: Unnamed): boolean => a.role === b.role && isSameJson(a.parts, b.parts);

/** The calls of some messages by id; of several with one id the last, which is the one a result behind them answers. */
export function callsIn(messages: readonly Message[]): Map<string, CallPart> {
  const calls = new Map<string, CallPart>();
  for (const { parts } of messages) for (const part of parts) if (part.type === 'call') calls.set(part.callId, part);
  return calls;
}
