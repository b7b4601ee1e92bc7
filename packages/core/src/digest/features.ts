import type { Line, LineSource, Lines } from './lines.ts';
import { weights } from './weights.ts';
import { By, phrasesOf, splitWords } from './words.ts';

/** What a line is measured by, in the order of the weights. Each is a number that a person can read off the transcript. */
export const featureNames = [
  'bias',
  'said',
  'wrote',
  'ran',
  'called',
  'read',
  'printed',
  'found',
  'charsSince',
  'shareBefore',
  'times',
  'messages',
  'phraseSeen',
  'wordsBeside',
  'wordsOfModel',
  'wordsOfUser',
  'declares',
  'imports',
  'heading',
  'error',
  'assigns',
  'length',
  'indent',
  'fileEdits',
  'fileBeside',
  'digits',
  'comment',
  'fewPhrases',
  'shared',
  'shownAgain',
  'fileAge',
  'wordsOfTodo',
] as const;

/** What else decides about a line: what stands beside the digest, and what is to be done. */
export interface Around {
  readonly lines: Lines;
  /** How many messages were read. */
  readonly messages: number;
  readonly beside: string;
  /** Words of both, and phrases, by their numbers. */
  readonly besideWords: ReadonlySet<number>;
  readonly besidePhrases: ReadonlySet<number>;
  readonly todoWords: ReadonlySet<number>;
}

/** Shorter words are everybody's. */
const LONG_WORD = 4;

export function newAround(lines: Lines, messages: number, beside: string, todo: string): Around {
  const find = (text: string): readonly number[] => splitWords(text).map((one) => lines.words.find(one) ?? -1);
  const long = (numbers: readonly number[]): ReadonlySet<number> =>
    new Set(numbers.filter((one) => one >= 0 && (lines.words.texts[one] as string).length >= LONG_WORD));
  const words = find(beside);
  return {
    lines,
    messages,
    beside,
    besideWords: long(words),
    besidePhrases: new Set(phrasesOf(words)),
    todoWords: long(find(todo)),
  };
}

const sources: readonly LineSource[] = ['said', 'wrote', 'ran', 'called', 'read', 'printed', 'found'];
const declares =
  /^(?:export |public |private |static |async |pub |def |class |function |func |fn |interface |type |const \w+ = (?:async )?\(|struct |impl |CREATE TABLE|@\w+)/;
const imports = /^(?:import|from|#include|use |require)/;
const heading = /^#{1,6} |^[-*] \*\*/;
const error = /error|fail|panic|exception|traceback|cannot|undefined/i;
const assigns = /[^=!<>]=[^=]|: /;
const comment = /^(?:\/\/|#|\*|--|\/\*|"""|<!--)/;

/** The features of a line, written into `out`. */
export function readFeatures(line: Line, around: Around, out: Float64Array): void {
  const { text, source, subject, phrases } = line;
  const { words, chars } = around.lines;
  let all = 0;
  let beside = 0;
  let ofModel = 0;
  let ofUser = 0;
  let ofTodo = 0;
  for (const one of line.words) {
    if ((words.texts[one] as string).length < LONG_WORD) continue;
    const weight = 1 / Math.log2(2 + (words.parts[one] as number));
    const by = words.by[one] as number;
    all += weight;
    if (around.besideWords.has(one)) beside += weight;
    if (by & By.model) ofModel += weight;
    if (by & By.user) ofUser += weight;
    if (around.todoWords.has(one)) ofTodo += weight;
  }
  const share = (part: number): number => (all === 0 ? 0 : part / all);
  const isModel = source === 'said' || source === 'wrote' || source === 'ran' || source === 'called';
  let seen = 1;
  for (const phrase of phrases) seen = Math.max(seen, around.lines.seen(phrase));
  let i = 0;
  out[i++] = 1;
  for (const one of sources) out[i++] = Number(source === one);
  out[i++] = Math.log1p(chars - line.place);
  out[i++] = line.place / Math.max(1, chars);
  out[i++] = Math.log(line.count);
  out[i++] = Math.log(line.messages);
  out[i++] = Math.log1p(seen);
  out[i++] = share(beside);
  out[i++] = isModel ? 0.5 : share(ofModel);
  out[i++] = share(ofUser);
  out[i++] = Number(declares.test(text));
  out[i++] = Number(imports.test(text));
  out[i++] = Number(heading.test(text));
  out[i++] = Number(error.test(text));
  out[i++] = Number(assigns.test(text));
  out[i++] = Math.log(text.length);
  out[i++] = Math.min(1, line.indent / 12);
  out[i++] = Math.log1p(subject.edits);
  out[i++] = Number(subject.isFile && around.beside !== '' && around.beside.includes(nameIn(subject.name)));
  out[i++] = Number(/\d\d/.test(text));
  out[i++] = Number(comment.test(text));
  out[i++] = Number(phrases.length < 3);
  out[i++] = Number(line.isShared);
  out[i++] = Number(subject.isFile && subject.at > line.at);
  out[i++] = subject.isFile ? Math.log1p(Math.max(0, around.messages - subject.at)) : 0;
  out[i++] = share(ofTodo);
}

const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const row = new Float64Array(featureNames.length);

/** How much of what a line says is likely written again, by its length: learned from recordings. */
export function worthOf(line: Line, around: Around): number {
  readFeatures(line, around, row);
  let sum = 0;
  for (let i = 0; i < row.length; i++) sum += (row[i] as number) * (weights[i] ?? 0);
  return Math.exp(Math.min(20, sum)) * line.text.length;
}
