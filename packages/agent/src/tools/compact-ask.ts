import type { Asked, Message } from '@palimpsest/core';
import { AgentError } from '../agent-error.ts';
import { findSaid } from './find-said.ts';

/** How a compaction is asked for; all may be left away. */
export interface CompactAsk {
  /** What the summary should mind. */
  readonly instructions?: string | undefined;
  /** `all`: everything gives way to the summary. `up-to`: the old part. `from`: the recent part; the beginning stays. */
  readonly form?: 'all' | 'up-to' | 'from' | undefined;
  /** Where the part ends or begins: a message's id, or words of the user's. Needed with `up-to` and `from`. */
  readonly at?: string | undefined;
}

const SYNTAX = 'say /compact all, /compact from WORDS, /compact up to WORDS, or /compact: INSTRUCTIONS';

/** What stands behind `/compact`: `all`, `from WORDS`, `up to WORDS`, each with `: INSTRUCTIONS`; else instructions. */
export function readCompactAsk(argument: string): CompactAsk {
  const match = /^(?:(all)|(from|up[ -]to)\s+([^:]+?))?\s*(?::\s*([\s\S]*))?$/i.exec(argument.trim());
  if (match === null || (match[1] ?? match[2] ?? match[4]) === undefined)
    return argument.trim() === '' ? {} : { instructions: argument.trim() };
  const [, all, part, at, words] = match;
  const form = all !== undefined ? 'all' : part === undefined ? undefined : /^from$/i.test(part) ? 'from' : 'up-to';
  return {
    ...(form === undefined ? {} : { form }),
    ...(at === undefined ? {} : { at }),
    ...(words === undefined || words.trim() === '' ? {} : { instructions: words.trim() }),
  };
}

/** The same in the words of core; throws where it names no message. */
export function resolveCompactAsk({ instructions, form, at }: CompactAsk, transcript: readonly Message[]): Asked {
  const minded = instructions === undefined || instructions.trim() === '' ? {} : { instructions };
  if (form === undefined || form === 'all') return { ...minded, ...(form === undefined ? {} : { form }) };
  const found = at === undefined || at.trim() === '' ? undefined : findSaid(transcript, at);
  if (found !== undefined) return { ...minded, form, at: found.id };
  const what =
    at === undefined ? `"${form}" needs a message` : `no message has the id, and none of the user's the words “${at}”`;
  throw new AgentError('bad-option', `${what}: ${SYNTAX}.`);
}
