import type { Message, MessageId, Origin, Part, Usage } from '@palimpsest/core';
import { type Fields, fieldsOf, same } from '../fields.ts';

/**
 * What the other agent's format has no place for, beside the line that says the rest (field `palimpsest`; the agents
 * ignore it). With it, what we write is read back exactly.
 */
export interface Carried {
  readonly id?: MessageId;
  readonly origin?: Origin;
  /** null: the message has no time. */
  readonly at?: number | null;
  readonly standsFor?: NonNullable<Message['standsFor']>;
  /** The ids of calls and results, in order, where the format does not take them as they are. */
  readonly callIds?: readonly string[];
  /** The parts: a number is the part that the line itself holds at that place. */
  readonly parts?: readonly (number | Part)[];
  /** What the provider reported, where the format cannot say it exactly. */
  readonly reported?: { readonly usage: Usage; readonly window?: number };
  /** How many lines make up the message, this one included. */
  readonly lines?: number;
  /** True for a message of the view that is not part of the transcript. */
  readonly inserted?: boolean;
}

export const carriedIn = (record: Fields): Carried | undefined => fieldsOf(record.palimpsest) as Carried | undefined;

function renamed(parts: readonly Part[], callIds: readonly string[]): readonly Part[] {
  let next = 0;
  return parts.map((part) =>
    part.type === 'call' || part.type === 'result' ? { ...part, callId: callIds[next++] ?? part.callId } : part,
  );
}

/** The message that was written, from the one that the plain line says. */
export function restore(plain: Message, carried: Carried | undefined): Message {
  if (carried === undefined) return plain;
  const { id = plain.id, origin = plain.origin } = carried;
  let parts = carried.callIds === undefined ? plain.parts : renamed(plain.parts, carried.callIds);
  const held = parts;
  if (carried.parts !== undefined)
    parts = carried.parts.flatMap((part) => (typeof part === 'number' ? (held[part] ?? []) : part));
  const time = carried.at === undefined ? plain.at : carried.at;
  return {
    id,
    role: plain.role,
    origin,
    parts,
    ...(time === undefined || time === null ? {} : { at: time }),
    ...(carried.standsFor === undefined ? {} : { standsFor: carried.standsFor }),
  };
}

const callIdsOf = (parts: readonly Part[]): readonly string[] =>
  parts.flatMap((part) => (part.type === 'call' || part.type === 'result' ? part.callId : []));

/** What has to ride along so that `restore` makes `wanted` of `plain`. `from` says which wanted part each plain one is. */
export function carry(plain: Message, wanted: Message, from: readonly number[]): Carried {
  const carried: { -readonly [K in keyof Carried]: Carried[K] } = {};
  if (plain.id !== wanted.id) carried.id = wanted.id;
  if (plain.origin !== wanted.origin) carried.origin = wanted.origin;
  if (plain.at !== wanted.at) carried.at = wanted.at ?? null;
  if (wanted.standsFor !== undefined) carried.standsFor = wanted.standsFor;
  const callIds = callIdsOf(from.map((index) => wanted.parts[index]!));
  if (!same(callIds, callIdsOf(plain.parts)) && callIds.length === callIdsOf(plain.parts).length)
    carried.callIds = callIds;
  const held = carried.callIds === undefined ? plain.parts : renamed(plain.parts, carried.callIds);
  const parts = wanted.parts.map((part, index) => {
    const place = from.indexOf(index);
    return place >= 0 && same(held[place], part) ? place : part;
  });
  if (parts.length !== held.length || parts.some((part, index) => part !== index)) carried.parts = parts;
  return carried;
}
