import type { Message } from '@palimpsest/core';
import { readMessage } from './message-text.ts';
import { listNames, listPairs } from './names.ts';
import { listPhrases } from './phrases.ts';

/** The future that is looked at. */
const FUTURE_CHARS = 240_000;
/** An answer with fewer needed phrases says nothing, nor does a cut with fewer such answers, or with fewer pairs or names. */
const MIN_PHRASES = 2;
const MIN_ANSWERS = 3;
const MIN_NAMES = 5;

/** What the agent used after a cut, that stood in the past, and that nothing since the cut had shown it. */
export interface Reuse {
  /** For each answer that needed some. */
  readonly phrases: readonly (readonly string[])[];
  readonly pairs: readonly string[];
  readonly names: readonly string[];
  /** Every name that the agent used: pairs are made of these. */
  readonly used: ReadonlySet<string>;
}

export interface CutSession {
  readonly past: readonly Message[];
  /** What the model still sees as it was. */
  readonly tail: readonly Message[];
  readonly future: readonly Message[];
}

export function findReuse({ past, tail, future }: CutSession, isBoilerplate: (phrase: string) => boolean): Reuse {
  const ahead: { readonly isAnswer: boolean; readonly text: string }[] = [];
  let chars = 0;
  for (const message of future) {
    const text = readMessage(message);
    ahead.push({ isAnswer: message.role === 'assistant', text });
    chars += text.length;
    if (chars > FUTURE_CHARS) break;
  }
  const used = new Set(ahead.flatMap(({ isAnswer, text }) => (isAnswer ? [...listNames(text)] : [])));
  const find = (list: (text: string) => ReadonlySet<string>, isWanted = (_: string) => true) => {
    const listAll = (messages: readonly Message[]): Set<string> =>
      new Set(messages.flatMap((message) => [...list(readMessage(message))]));
    const known = listAll(past);
    const shown = listAll(tail);
    return ahead.flatMap(({ isAnswer, text }) => {
      const all = [...list(text)];
      const needed = isAnswer ? all.filter((one) => known.has(one) && !shown.has(one) && isWanted(one)) : [];
      for (const one of all) shown.add(one);
      return needed.length === 0 ? [] : [needed];
    });
  };
  return {
    phrases: find(listPhrases, (phrase) => !isBoilerplate(phrase)).filter(({ length }) => length >= MIN_PHRASES),
    pairs: [...new Set(find((text) => listPairs(text, used)).flat())],
    names: [...new Set(find(listNames).flat())],
    used,
  };
}

export const REUSE_MEASURES = ['phrases', 'relations', 'names'] as const;
export type ReuseMeasure = (typeof REUSE_MEASURES)[number];

const shareOf = (needed: readonly string[], held: ReadonlySet<string>): number =>
  needed.filter((one) => held.has(one)).length / needed.length;

/** The share of what was needed that a text holds; what was needed too rarely to say anything is left out. */
export function scoreReuse(reuse: Reuse, text: string): Readonly<Partial<Record<ReuseMeasure, number>>> {
  const { phrases, pairs, names, used } = reuse;
  const held = listPhrases(text);
  const shares = phrases.map((needed) => shareOf(needed, held));
  return {
    ...(phrases.length < MIN_ANSWERS ? {} : { phrases: shares.reduce((sum, one) => sum + one, 0) / shares.length }),
    ...(pairs.length < MIN_NAMES ? {} : { relations: shareOf(pairs, listPairs(text, used)) }),
    ...(names.length < MIN_NAMES ? {} : { names: shareOf(names, listNames(text)) }),
  };
}
