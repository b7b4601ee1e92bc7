import type { ConstraintStrength } from '../evidence/evidence.ts';
import { bareOrders, spaced, unspaced } from './constraint-words.ts';
import { type LetterPattern, newLetterPattern } from './letter-pattern.ts';
import { splitSentences } from './split-sentences.ts';

const joinLines = (words: string): string => words.replace(/\s*\n\s*/g, '');

const matchBordered = (pick: 'denials' | 'demands' | 'not'): LetterPattern =>
  newLetterPattern(
    `(?<![\\p{L}\\p{N}])(?:${Object.values(spaced)
      .flatMap((language) => language[pick] ?? [])
      .map(joinLines)
      .join('|')})(?![\\p{L}\\p{N}])`,
  );

const matchJoined = (pick: 'denials' | 'demands'): RegExp =>
  new RegExp(
    Object.values(unspaced)
      .map((language) => language[pick])
      .join('|'),
    'u',
  );

const denial = matchBordered('denials');
const demand = matchBordered('demands');
const harmless = matchBordered('not');
const order = newLetterPattern(bareOrders.join('|'));
const denialJoined = matchJoined('denials');
const demandJoined = matchJoined('demands');
const isJoinedScript = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/** Whether one sentence lays down a rule, and how strongly. A question lays down none. */
export function weighConstraint(sentence: string): ConstraintStrength | undefined {
  if (/[?？]\s*$/.test(sentence)) return undefined;
  const plain = harmless.dropAll(sentence);
  const isJoined = isJoinedScript.test(plain);
  if (denial.test(plain) || order.test(plain) || (isJoined && denialJoined.test(plain))) return 'denial';
  if (demand.test(plain) || (isJoined && demandJoined.test(plain))) return 'demand';
  return undefined;
}

/** A longer "sentence" is a pasted document; what it demands is not one rule. */
const longestRule = 400;

/** The sentences of the user's words that forbid, correct or demand something, verbatim, in order. */
export function findConstraints(
  words: string,
): readonly { readonly text: string; readonly strength: ConstraintStrength }[] {
  return splitSentences(words).flatMap((sentence) => {
    if (sentence.length > longestRule || sentence.length < 3) return [];
    const strength = weighConstraint(sentence);
    return strength === undefined ? [] : [{ text: sentence, strength }];
  });
}
