import { createHash } from 'node:crypto';
import type { Message } from '@palimpsest/core';
import type { Owner } from './reading.ts';

const shorten = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** What the names of all stored conversations of a group begin with. */
export const groupName = ({ tenant, id }: Owner): string =>
  `${shorten(tenant)}-${id === undefined ? '0' : shorten(id)}-`;

/** What the names of all stored conversations of a tenant begin with, or those of one of its groups. */
export const ownerName = ({ tenant, id }: Owner): string =>
  id === undefined ? `${shorten(tenant)}-` : groupName({ tenant, id });

/**
 * What the names of all stored conversations of a group begin with that have the same first answer, and the same word to it.
 * Before that a conversation is anyone's: many begin with the same words, and nothing is stored yet.
 */
export function beginningName(
  owner: Owner,
  messages: readonly Pick<Message, 'role'>[],
  trace: readonly string[],
): string | undefined {
  const answer = messages.findIndex(({ role }) => role === 'assistant');
  return answer < 0 ? undefined : `${groupName(owner)}${shorten(trace[answer + 1] ?? trace[answer] ?? '')}-`;
}

/** Where something was decided before the first answer. */
export const unansweredName = (owner: Owner): string => `${groupName(owner)}0-`;

/** What one is called where a store cannot list what it has: there only the first of each beginning is found again. */
export const firstName = (prefix: string): string => `${prefix}1`;
