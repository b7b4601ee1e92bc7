import { type Message, toolTargets } from '@palimpsest/core';
import { memoize } from '../memoize.ts';
import { listPaths } from './listed-paths.ts';
import { collapseSpace, readCommands } from './read-commands.ts';
import { isIdentifier, placeTokens, readTokens, splitToken } from './read-tokens.ts';
import { showMessage, showPart } from './shown-text.ts';

export const NAME_KINDS = ['identifiers', 'files', 'commands'] as const;
export type NameKind = (typeof NAME_KINDS)[number];

/** What the model used in one message, as numbers of words; each once. */
export type Uses = Readonly<Record<NameKind, readonly number[]>>;

/** The words of a session, numbered, so that views can be compared word by word at the cost of what changed in them. */
export interface WordBook {
  /** Everything a message shows. The same message object is read once. */
  readShown(message: Message): readonly number[];
  /** What the model used in it: identifiers in its text and calls, files its calls touch (by name), commands it runs. */
  readUsed(message: Message): Uses;
  /** The identifiers of its own that the model used in calls: what it acted on. */
  readActed(message: Message): readonly number[];
  /** The words of a text in their order, with the places of their tokens; each as often as it stands there. */
  placeWords(text: string): readonly PlacedWord[];
  /** The word of a number; a command without its mark. */
  wordOf(number: number): string;
}

export interface PlacedWord {
  readonly number: number;
  readonly at: number;
  /** It stands by itself, and not as a part of a longer one. */
  readonly isWhole: boolean;
}

const NO_USES: Uses = { identifiers: [], files: [], commands: [] };
/** Keeps a command line apart from a name that is spelt the same. */
const COMMAND_MARK = '$ ';

/** Commands are looked for in texts too, which costs: only in those that the session runs again. */
export function newWordBook(messages: readonly Message[]): WordBook {
  const numbers = new Map<string, number>();
  const words: string[] = [];
  const again = findCommandsRunAgain(messages);

  const numberOf = (word: string): number => {
    const known = numbers.get(word);
    if (known !== undefined) return known;
    numbers.set(word, words.length);
    return words.push(word) - 1;
  };
  const numberOfCommand = (line: string): number => numberOf(COMMAND_MARK + line);

  const readShown = (message: Message): readonly number[] => {
    const found = new Set<number>();
    const shown = showMessage(message);
    for (const token of readTokens(shown)) for (const word of splitToken(token)) found.add(numberOf(word));
    for (const path of listPaths(shown)) found.add(numberOf(path));
    for (const line of readCommands(message)) found.add(numberOfCommand(line));
    const prose = collapseSpace(message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n'));
    if (prose !== '') for (const line of again) if (prose.includes(line)) found.add(numberOfCommand(line));
    return [...found];
  };

  const readUsed = (message: Message): Uses => {
    if (message.role !== 'assistant') return NO_USES;
    const identifiers = new Set<number>();
    const files = new Set<number>();
    for (const part of message.parts) {
      if (part.type !== 'text' && part.type !== 'call') continue;
      for (const token of readTokens(showPart(part))) if (isIdentifier(token)) identifiers.add(numberOf(token));
      if (part.type !== 'call') continue;
      for (const path of toolTargets(part.tool, part.input)) {
        const name = path.slice(path.lastIndexOf('/') + 1);
        if (isWord(name)) files.add(numberOf(name));
      }
    }
    return {
      identifiers: [...identifiers],
      files: [...files],
      commands: [...new Set(readCommands(message))].map(numberOfCommand),
    };
  };

  const readActed = (message: Message): readonly number[] => {
    const acted = new Set<number>();
    if (message.role === 'assistant')
      for (const part of message.parts)
        if (part.type === 'call')
          for (const token of readTokens(showPart(part))) if (isIdentifier(token)) acted.add(numberOf(token));
    return [...acted];
  };

  const placeWords = (text: string): readonly PlacedWord[] => {
    const placed: PlacedWord[] = [];
    for (const { token, at } of placeTokens(text))
      for (const word of splitToken(token)) placed.push({ number: numberOf(word), at, isWhole: word === token });
    return placed;
  };

  return {
    readActed,
    placeWords,
    readShown: memoize(readShown),
    readUsed: memoize(readUsed),
    wordOf(number) {
      const word = words[number] ?? '';
      return word.startsWith(COMMAND_MARK) ? word.slice(COMMAND_MARK.length) : word;
    },
  };
}

/** A name with blanks or brackets in it cannot be found word by word; it is left out of the measure. */
function isWord(name: string): boolean {
  const [first, more] = readTokens(name);
  return first === name && more === undefined;
}

function findCommandsRunAgain(messages: readonly Message[]): ReadonlySet<string> {
  const once = new Set<string>();
  const again = new Set<string>();
  for (const message of messages) for (const line of readCommands(message)) (once.has(line) ? again : once).add(line);
  return again;
}
