import { type Json, type Message, type Part, partText, type ToolKind, toolKind, toolTargets } from '@palimpsest/core';

/**
 * What an agent needed after a cut, told by what it did: independent of how the digest finds and ranks identifiers, and
 * the same for every candidate.
 */
export interface Needed {
  /** Used by the agent after the cut, seen by it before: paths, names, numbers, flags. */
  readonly identifiers: ReadonlySet<string>;
  /** Of those, the ones it used before any tool result showed them again. */
  readonly fromMemory: ReadonlySet<string>;
  /** Touched by its calls on both sides. */
  readonly files: ReadonlySet<string>;
  /** Run on both sides, but for spacing. */
  readonly commands: ReadonlySet<string>;
}

const token =
  /https?:\/\/[^\s"'`<>()]+|--[a-z][\w-]+|[~.]{0,2}\/?(?:[\w@.+-]{1,100}\/)+[\w@.+-]+|[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*|\d+(?:\.\d+)*/g;

function isIdentifier(word: string): boolean {
  if (/^https?:/.test(word)) return true;
  if (word.startsWith('--')) return word.length > 3;
  if (word.includes('/')) return /[A-Za-z]/.test(word) && word.length >= 4;
  if (/^\d/.test(word)) return word.length >= 3;
  return word.length >= 4 && /[a-z][A-Z]|_|\.[A-Za-z]|\d|^[A-Z]{2,}$/.test(word) && !/^_+$/.test(word);
}

function identifiersIn(text: string, into: Set<string>): Set<string> {
  for (const [match] of text.matchAll(token)) {
    const word = match.replace(/[.\-+]+$/, '');
    if (isIdentifier(word)) into.add(word);
  }
  return into;
}

/** The words in a call's input, without the JSON around them. */
function inputText(input: Json): string {
  if (typeof input === 'string') return input;
  if (typeof input === 'number') return String(input);
  if (typeof input !== 'object' || input === null) return '';
  return Object.values(input as { readonly [key: string]: Json })
    .map(inputText)
    .join('\n');
}

export const shownText = (part: Part): string => (part.type === 'call' ? inputText(part.input) : partText(part));

const eachCall = (messages: readonly Message[], visit: (kind: ToolKind, tool: string, input: Json) => void): void => {
  for (const message of messages)
    for (const part of message.parts)
      if (part.type === 'call') visit(toolKind(part.tool, part.input), part.tool, part.input);
};

function filesOf(messages: readonly Message[]): ReadonlySet<string> {
  const files = new Set<string>();
  eachCall(messages, (_, tool, input) => {
    for (const path of toolTargets(tool, input)) files.add(path);
  });
  return files;
}

const oneSpace = (text: string): string => text.replace(/\s+/g, ' ').trim();

function commandsOf(messages: readonly Message[]): ReadonlySet<string> {
  const commands = new Set<string>();
  eachCall(messages, (kind, _, input) => {
    const { command, cmd } = (typeof input === 'object' && input !== null ? input : {}) as Record<string, Json>;
    const line = command ?? cmd;
    if (kind === 'shell' && typeof line === 'string' && line.trim() !== '') commands.add(oneSpace(line));
  });
  return commands;
}

const both = (one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...one].filter((item) => other.has(item)));

export function neededAfter(before: readonly Message[], after: readonly Message[]): Needed {
  const seen = new Set<string>();
  for (const message of before) for (const part of message.parts) identifiersIn(shownText(part), seen);
  const identifiers = new Set<string>();
  const fromMemory = new Set<string>();
  const shownAgain = new Set<string>();
  for (const message of after) {
    for (const part of message.parts) {
      if (message.role === 'user') identifiersIn(shownText(part), shownAgain);
      else if (part.type === 'text' || part.type === 'call') {
        for (const word of identifiersIn(shownText(part), new Set())) {
          if (!seen.has(word)) continue;
          if (!identifiers.has(word) && !shownAgain.has(word)) fromMemory.add(word);
          identifiers.add(word);
        }
      }
    }
  }
  return {
    identifiers,
    fromMemory,
    files: both(filesOf(after), filesOf(before)),
    commands: both(commandsOf(after), commandsOf(before)),
  };
}

export type Measure = keyof Needed;

/** Which share of what was needed a text holds, word for word; nothing where nothing was needed. A file counts by its name. */
export function shareHeld(text: string, needed: Needed): Readonly<Record<Measure, number | undefined>> {
  const spaced = oneSpace(text);
  const share = (set: ReadonlySet<string>, holds: (item: string) => boolean): number | undefined =>
    set.size === 0 ? undefined : [...set].filter(holds).length / set.size;
  return {
    identifiers: share(needed.identifiers, (word) => text.includes(word)),
    fromMemory: share(needed.fromMemory, (word) => text.includes(word)),
    files: share(needed.files, (path) => text.includes(path.slice(path.lastIndexOf('/') + 1))),
    commands: share(needed.commands, (command) => spaced.includes(command)),
  };
}
