import type { Message, MessageId, Origin, Part } from '@palimpsest/core';
import { type Fields, isSameJson } from '@palimpsest/core/json';
import { asFieldsOrNone } from '../fields.ts';
import type { RecordedUsage } from './recording.ts';

/**
 * What the other agent's format has no place for, beside the line that says the rest (field `palimpsest`; the agents
 * ignore it). With it, what we write is read back exactly.
 */
export interface Remainder {
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
  readonly reported?: Omit<RecordedUsage, 'after'>;
  /** How many lines make up the message, this one included. */
  readonly lines?: number;
  /** True for a message of the view that is not part of the transcript. */
  readonly inserted?: boolean;
}

export const readRemainder = (record: Fields): Remainder | undefined =>
  asFieldsOrNone(record.palimpsest) as Remainder | undefined;

function renameCalls(parts: readonly Part[], callIds: readonly string[]): readonly Part[] {
  let next = 0;
  return parts.map((part) =>
    part.type === 'call' || part.type === 'result' ? { ...part, callId: callIds[next++] ?? part.callId } : part,
  );
}

/** The message that was written, from the one that the plain line says. */
export function restoreMessage(plain: Message, remainder: Remainder | undefined): Message {
  if (remainder === undefined) return plain;
  const { id = plain.id, origin = plain.origin } = remainder;
  let parts = remainder.callIds === undefined ? plain.parts : renameCalls(plain.parts, remainder.callIds);
  const held = parts;
  if (remainder.parts !== undefined)
    parts = remainder.parts.flatMap((part) => (typeof part === 'number' ? (held[part] ?? []) : part));
  const time = remainder.at === undefined ? plain.at : remainder.at;
  return {
    id,
    role: plain.role,
    origin,
    parts,
    ...(time === undefined || time === null ? {} : { at: time }),
    ...(remainder.standsFor === undefined ? {} : { standsFor: remainder.standsFor }),
  };
}

const listCallIds = (parts: readonly Part[]): readonly string[] =>
  parts.flatMap((part) => (part.type === 'call' || part.type === 'result' ? part.callId : []));

/** What has to ride along so that `restore` makes `wanted` of `plain`. `from` says which wanted part each plain one is. */
export function findRemainder(plain: Message, wanted: Message, from: readonly number[]): Remainder {
  const remainder: { -readonly [K in keyof Remainder]: Remainder[K] } = {};
  if (plain.id !== wanted.id) remainder.id = wanted.id;
  if (plain.origin !== wanted.origin) remainder.origin = wanted.origin;
  if (plain.at !== wanted.at) remainder.at = wanted.at ?? null;
  if (wanted.standsFor !== undefined) remainder.standsFor = wanted.standsFor;
  const callIds = listCallIds(from.map((index) => wanted.parts[index]!));
  if (!isSameJson(callIds, listCallIds(plain.parts)) && callIds.length === listCallIds(plain.parts).length)
    remainder.callIds = callIds;
  const held = remainder.callIds === undefined ? plain.parts : renameCalls(plain.parts, remainder.callIds);
  const parts = wanted.parts.map((part, index) => {
    const place = from.indexOf(index);
    return place >= 0 && isSameJson(held[place], part) ? place : part;
  });
  if (parts.length !== held.length || parts.some((part, index) => part !== index)) remainder.parts = parts;
  return remainder;
}
