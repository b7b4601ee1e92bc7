import type { Message } from '@palimpsest/core';
import type { SessionRecord } from '@palimpsest/formats';
import { memoize } from '../memoize.ts';
import { listEditLines } from '../needs/edit-lines.ts';
import { EVERY_CALLS, findNeedsAhead } from '../needs/needs-ahead.ts';
import { listWrittenText, type Said } from '../words/said.ts';
import { showMessage } from '../words/shown-text.ts';
import type { Uses, WordBook } from '../words/word-book.ts';

/** What the view of one call is asked for. */
export interface Asked {
  /** Names that the next answers use; only at every so many calls, as what the user said. */
  readonly names?: Uses;
  /** What users and clients wrote before the first answer (`rules`) and behind it (`words`), by the places in `Questions.said`. */
  readonly rules: readonly number[];
  readonly words: readonly number[];
  /** Lines that the answer's edits replace, where they had been shown before. */
  readonly editLines: readonly string[];
}

/** What every view of a recording is asked for, whoever made it. */
export interface Questions {
  readonly said: readonly Said[];
  /** By number of the call, from 0. */
  readonly calls: readonly Asked[];
}

export function listQuestions(record: SessionRecord, book: WordBook): Questions {
  const needs = findNeedsAhead(record, book);
  const { head, typed } = listWrittenText(record.messages);
  const said = [...typed, ...head];
  const listBefore = (from: number, to: number, at: number): readonly number[] =>
    Array.from({ length: to - from }, (_, i) => from + i).filter((place) => (said[place]?.at ?? at) < at);
  const isShownBefore = newLineFinder(record.messages);
  const calls: Asked[] = [];
  for (const [at, message] of record.messages.entries()) {
    if (message.role !== 'assistant') continue;
    const names = needs.get(calls.length);
    const isSampled = calls.length % EVERY_CALLS === 0;
    calls.push({
      ...(names === undefined ? {} : { names }),
      words: isSampled ? listBefore(0, typed.length, at) : [],
      rules: isSampled ? listBefore(typed.length, said.length, at) : [],
      editLines: [...new Set(listEditLines(message))].filter((line) => isShownBefore(line, at)),
    });
  }
  return { said, calls };
}

/** Lines are mostly found near the end: an agent reads before it edits. */
function newLineFinder(messages: readonly Message[]): (line: string, before: number) => boolean {
  const show = memoize(showMessage);
  return (line, before) => {
    for (let at = before - 1; at >= 0; at--) {
      const message = messages[at];
      if (message !== undefined && show(message).includes(line)) return true;
    }
    return false;
  };
}
