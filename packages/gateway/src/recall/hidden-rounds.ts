import { createHash } from 'node:crypto';
import type { Message, Part, ResultPart } from '@palimpsest/core';
import type { ApiName } from '@palimpsest/wire';
import { TOOL_NAME } from './merge/merger.ts';

/** What the model said in one round, and what it was answered inside. */
export interface Round {
  readonly parts: readonly Part[];
  /** To our own tool's calls; those of the client's come with its next request. */
  readonly results: readonly ResultPart[];
}

/** The rounds of answers of which clients saw one message each. They go back into the requests that repeat it. */
export interface HiddenRounds {
  remember(tenant: string, key: string, rounds: readonly Round[]): void;
  find(tenant: string, key: string): readonly Round[] | undefined;
}

const MOST_CHARS = 64 * 2 ** 20;

export function createHiddenRounds(): HiddenRounds {
  const known = new Map<string, { readonly rounds: readonly Round[]; readonly chars: number }>();
  let chars = 0;
  return {
    remember(tenant, key, rounds) {
      const size = JSON.stringify(rounds).length;
      const own = `${tenant} ${key}`;
      chars += size - (known.get(own)?.chars ?? 0);
      known.delete(own);
      known.set(own, { rounds, chars: size });
      for (const [name, one] of known) {
        if (chars <= MOST_CHARS) return;
        known.delete(name);
        chars -= one.chars;
      }
    },
    find(tenant, key) {
      const name = `${tenant} ${key}`;
      const found = known.get(name);
      if (found === undefined) return undefined;
      // What is asked for stays longest.
      known.delete(name);
      known.set(name, found);
      return found.rounds;
    },
  };
}

export const isOwnCall = (part: Part): boolean => part.type === 'call' && part.tool === TOOL_NAME;

/** What a client saw of several rounds. */
export const showParts = (rounds: readonly Round[]): readonly Part[] =>
  rounds.flatMap(({ parts }) => parts.filter((part) => !isOwnCall(part)));

/**
 * What an answer is known by when a client repeats it: the ids of its calls and what it answers, since some models count their calls
 * from 0 in every conversation. Without calls, and where a vendor gives no ids, what it says and what it answers. Spaces and reminders
 * come and go.
 */
export function nameAnswer(api: ApiName, parts: readonly Part[], before: Message | undefined): string {
  const calls = parts.flatMap((part) => (part.type === 'call' ? [part] : []));
  if (calls.length > 0 && api !== 'gemini')
    return `calls ${calls.map(({ callId }) => callId).join(' ')} ${hash([describeBefore(api, before)])}`;
  const said = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const called = calls.map(({ tool, input }) => `${tool} ${JSON.stringify(input)}`);
  return `words ${hash([...said, ...called, '|', describeBefore(api, before)])}`;
}

function describeBefore(api: ApiName, before: Message | undefined): string {
  const parts = before?.parts ?? [];
  const ids = parts.flatMap((part) => (part.type === 'result' ? [part.callId] : []));
  if (ids.length > 0 && api !== 'gemini') return ids.join(' ');
  return parts
    .flatMap((part) => {
      if (part.type === 'text') return [part.text.replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '')];
      return part.type === 'result' ? [JSON.stringify(part.content)] : [];
    })
    .join('\n');
}

const hash = (texts: readonly string[]): string =>
  createHash('sha256').update(texts.join('').replace(/\s+/g, '')).digest('hex').slice(0, 32);
