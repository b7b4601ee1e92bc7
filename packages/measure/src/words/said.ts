import type { Message } from '@palimpsest/core';
import { collapseSpace } from './read-commands.ts';

/** A sentence that a user or a client wrote, as it is compared: word for word, but for spacing. */
export interface Said {
  readonly text: string;
  /** The place of its message in the recording. */
  readonly at: number;
}

/** Less says nothing: "ok", a closing bracket. */
const LEAST_CHARS = 8;

/** The sentences and lines of a text. No list of words or tags decides what counts. */
function splitSentences(text: string): readonly string[] {
  const lines = text.split(/\n+/);
  const sentences = lines.flatMap((line) => line.split(/(?<=[.!?])\s+|(?<=[。！？])/));
  return sentences.map(collapseSpace).filter((one) => one.length >= LEAST_CHARS);
}

/** What stood in user messages before the first answer (rule files, environment, the first request), and what people typed behind it. */
export interface WrittenText {
  readonly head: readonly Said[];
  readonly typed: readonly Said[];
}

/** Each sentence once, in order. What clients wrote later comes again or is replaced by them: only what people typed counts there. */
export function listWrittenText(messages: readonly Message[]): WrittenText {
  const answer = messages.findIndex(({ role }) => role === 'assistant');
  const end = answer < 0 ? messages.length : answer;
  const head = new Map<string, Said>();
  const typed = new Map<string, Said>();
  for (const [at, { role, origin, parts }] of messages.entries()) {
    if (role !== 'user' || origin === 'tool' || origin === 'palimpsest') continue;
    if (at >= end && origin !== 'human') continue;
    const texts = parts.flatMap((part) => (part.type === 'text' ? splitSentences(part.text) : []));
    for (const text of texts) {
      if (head.has(text)) continue;
      if (at < end) head.set(text, { text, at });
      else if (!typed.has(text)) typed.set(text, { text, at });
    }
  }
  return { head: [...head.values()], typed: [...typed.values()] };
}

/** `shown`: texts without doubled spacing. */
export const isSaid = ({ text }: Said, shown: readonly string[]): boolean => shown.some((one) => one.includes(text));
