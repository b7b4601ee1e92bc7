import { type Message, toolTargets } from '@palimpsest/core';
import { onceEach } from '../memoize.ts';
import { commandsOf, oneSpace } from './read-commands.ts';
import { isIdentifier, partsOf, shownText, shownTexts, tokensOf } from './read-tokens.ts';

export const CLASSES = ['identifiers', 'files', 'commands'] as const;
export type Class = (typeof CLASSES)[number];

/** What the model used in one message, as numbers of words; each once. */
export type Uses = Readonly<Record<Class, readonly number[]>>;

/** The words of a session, numbered, so that views can be compared word by word at the cost of what changed in them. */
export interface WordBook {
  /** Everything a message shows. The same message object is read once. */
  shown(message: Message): readonly number[];
  /** What the model used in it: identifiers in its text and calls, files its calls touch (by name), commands it runs. */
  used(message: Message): Uses;
  word(number: number): string;
}

const nothing: Uses = { identifiers: [], files: [], commands: [] };

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Commands are looked for in texts too, which costs: only in those that the session runs again. */
export function newWordBook(messages: readonly Message[]): WordBook {
  const numbers = new Map<string, number>();
  const words: string[] = [];
  const again = commandsRunAgain(messages);

  const numberOf = (word: string): number => {
    const known = numbers.get(word);
    if (known !== undefined) return known;
    numbers.set(word, words.length);
    return words.push(word) - 1;
  };
  const command = (line: string): number => numberOf(`$ ${line}`);

  const readAll = (message: Message): readonly number[] => {
    const found = new Set<number>();
    for (const token of tokensOf(shownTexts(message))) for (const word of partsOf(token)) found.add(numberOf(word));
    for (const line of commandsOf(message)) found.add(command(line));
    const prose = oneSpace(message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n'));
    if (prose !== '') for (const line of again) if (prose.includes(line)) found.add(command(line));
    return [...found];
  };

  const usesIn = (message: Message): Uses => {
    if (message.role !== 'assistant') return nothing;
    const identifiers = new Set<number>();
    const files = new Set<number>();
    for (const part of message.parts) {
      if (part.type !== 'text' && part.type !== 'call') continue;
      for (const token of tokensOf(shownText(part))) if (isIdentifier(token)) identifiers.add(numberOf(token));
      if (part.type !== 'call') continue;
      for (const path of toolTargets(part.tool, part.input))
        if (isWord(nameOf(path))) files.add(numberOf(nameOf(path)));
    }
    return {
      identifiers: [...identifiers],
      files: [...files],
      commands: [...new Set(commandsOf(message))].map(command),
    };
  };

  return {
    shown: onceEach(readAll),
    used: onceEach(usesIn),
    word: (number) => words[number]!,
  };
}

/** A name with blanks or brackets in it cannot be found word by word; it is left out of the measure. */
const isWord = (name: string): boolean => {
  const [first, more] = [...tokensOf(name)];
  return first === name && more === undefined;
};

function commandsRunAgain(messages: readonly Message[]): ReadonlySet<string> {
  const once = new Set<string>();
  const again = new Set<string>();
  for (const message of messages) for (const line of commandsOf(message)) (once.has(line) ? again : once).add(line);
  return again;
}
