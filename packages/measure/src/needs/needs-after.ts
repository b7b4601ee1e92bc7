import { digest, type Message } from '@palimpsest/core';
import { oneSpace } from '../words/read-commands.ts';
import { shownTexts } from '../words/read-tokens.ts';
import { CLASSES, type Class, type WordBook } from '../words/word-book.ts';

/** What the user said is needed whether or not the agent can be seen to use it. */
export type LossClass = Class | 'rules' | 'words';
export const LOSS_CLASSES: readonly LossClass[] = [...CLASSES, 'rules', 'words'];

/** What was needed after a compaction and had been in view before it. Most used first; the user's words in their order. */
export interface Needed {
  readonly used: Readonly<Record<Class, readonly number[]>>;
  readonly rules: readonly string[];
  readonly words: readonly string[];
}

export interface Loss {
  readonly needed: number;
  readonly lost: readonly string[];
}

export type Losses = Readonly<Record<LossClass, Loss>>;

/** More of one message is a document; its beginning tells whether it is there. */
const TELLING_CHARS = 300;

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

export function neededAfter(before: readonly Message[], after: readonly Message[], book: WordBook): Needed {
  const seen = new Set<number>();
  for (const message of before) for (const number of book.shown(message)) seen.add(number);
  const used = (name: Class): readonly number[] => {
    const times = new Map<number, number>();
    for (const message of after)
      for (const number of book.used(message)[name])
        if (seen.has(number)) times.set(number, (times.get(number) ?? 0) + 1);
    return [...times].sort(([, one], [, other]) => other - one).map(([number]) => number);
  };
  // Only the evidence is wanted; the smallest digest is the cheapest.
  const { constraints, words } = digest(before, { maxTokens: 16 }).evidence;
  return {
    used: { identifiers: used('identifiers'), files: used('files'), commands: used('commands') },
    rules: unique(constraints.filter((rule) => rule.direct).map((rule) => oneSpace(rule.text))),
    words: unique(words.map((said) => oneSpace(said.text).slice(0, TELLING_CHARS))),
  };
}

/** What of it a view does not hold. */
export function lossesIn(view: readonly Message[], { used, rules, words }: Needed, book: WordBook): Losses {
  const held = new Set<number>();
  for (const message of view) for (const number of book.shown(message)) held.add(number);
  const text = oneSpace(view.map(shownTexts).join('\n'));
  const ofClass = (name: Class): Loss => ({
    needed: used[name].length,
    lost: used[name].filter((number) => !held.has(number)).map((number) => book.word(number).replace(/^\$ /, '')),
  });
  const said = (texts: readonly string[]): Loss => ({
    needed: texts.length,
    lost: texts.filter((one) => !text.includes(one)),
  });
  return {
    identifiers: ofClass('identifiers'),
    files: ofClass('files'),
    commands: ofClass('commands'),
    rules: said(rules),
    words: said(words),
  };
}
