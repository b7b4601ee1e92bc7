import { type Message, type ProvenSummary, partText, proveSummary, redact, type SummaryItem } from '@palimpsest/core';
import type { Recording } from '@palimpsest/formats';
import type { KeptSummary } from './follow-session.ts';
import type { ProvenStatement, SummaryText } from './inspection.ts';
import { proveWords } from './prove-words.ts';
import { showMarks } from './read-text.ts';

/** Without secrets, and without what makes a text look like another. */
const show = (text: string): string => showMarks(redact(text));

type PlaceOf = (id: string) => number | undefined;

const placeStatements = (items: ProvenSummary['items'], placeOf: PlaceOf): readonly ProvenStatement[] =>
  items.map(({ section, text, by, places }) => ({
    section: show(section),
    text: show(text),
    by,
    places: places.flatMap(({ message, by: how }) => {
      const at = placeOf(message);
      return at === undefined ? [] : [{ at, by: how }];
    }),
  }));

/** A summary of ours, as its fold keeps it. Where code wrote it, its lines are proven by their names. */
export function readOwnSummary(
  { mark, message }: KeptSummary,
  source: readonly Message[],
  placeOf: PlaceOf,
  said: readonly Message[] = source,
): SummaryText {
  const text = message.parts.map(partText).join('\n');
  const { items, flagged = [], retired = [], aged = [], failure, narrative } = mark;
  const proven = items === undefined ? proveText(narrative, text, source) : { items, flagged };
  return {
    text: show(text),
    statements: placeStatements(proveWords(proven.items, said), placeOf),
    flagged: items === undefined && narrative !== undefined ? proven.flagged : flagged,
    retired: retired.map(({ item }) => show(item.text)),
    aged: aged.map((item) => show(item.text)),
    ...(failure === undefined ? {} : { failure: failure.why }),
  };
}

const proveText = (narrative: string | undefined, text: string, source: readonly Message[]): ProvenSummary =>
  narrative === undefined ? proveDigest(text, source) : proveSummary(narrative, source);

/** Marks of the engine's own: they say that something was cut, and claim nothing. */
const CUT_MARK = /^\[… \d+ characters cut(?:; recall \S+| \(\S+\)) …\]$/;
/** The head of a list, and the sentence above what a digest quotes. */
const LABEL = /^(?:[a-z]+:|Quoted from the conversation: .*)$/;

/**
 * The statements of a text that code wrote: a line each. What the user said may have many lines, such as a log; what is
 * quoted of a file stands below its name, in lines that are indented or begin with `> `. Both are one statement, known by its first line.
 */
function groupLines(lines: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  let isUsers = false;
  let isOpen = false;
  for (const line of lines) {
    if (line.trim() === '' || LABEL.test(line)) continue;
    if (CUT_MARK.test(line.trim())) {
      if (isOpen) groups.at(-1)?.push(line);
      continue;
    }
    const isHead = line.startsWith('## ');
    if (isHead) isUsers = /\(user\)\s*$/.test(line);
    const goesOn = isUsers ? !/^(?:- |At first: )/.test(line) : /^(?:\s|> )/.test(line);
    if (isOpen && !isHead && goesOn) groups.at(-1)?.push(line);
    else groups.push([line]);
    isOpen = !isHead;
  }
  return groups;
}

/** What users wrote and no message shows any more: `m12:`, and their lines behind `> `. Each text is a statement, and its message the proof. */
const QUOTED_SECTION = 'User (quoted)';
const QUOTED_USER = new RegExp(`^## ${QUOTED_SECTION.replace(/[()]/g, '\\$&')}\\n(?:(?!## ).*(?:\\n|$))*`, 'm');

function readQuotedUser(text: string, source: readonly Message[]): ProvenSummary['items'] {
  const ids = new Set(source.map(({ id }) => id));
  const entries = [...text.matchAll(/^(.+):\n((?:> .*(?:\n|$))+)/gm)];
  return entries.flatMap(([, id = '', lines = ''], number) => {
    const said = lines.replace(/^> /gm, '').trim();
    const places = ids.has(id) ? [{ message: id, by: 'quote' as const }] : [];
    return said === '' ? [] : [{ number, section: QUOTED_SECTION, text: said, places, by: 'model' as const, used: 0 }];
  });
}

/** What code wrote is proven statement by statement. Many name their place themselves; the frame around them claims nothing. */
function proveDigest(whole: string, source: readonly Message[]): ProvenSummary {
  const [quoted = ''] = QUOTED_USER.exec(whole) ?? [];
  const proven = proveLines(whole.replace(quoted, ''), source);
  return { ...proven, items: [...readQuotedUser(quoted, source), ...proven.items] };
}

function proveLines(text: string, source: readonly Message[]): ProvenSummary {
  const groups = groupLines(text.slice(Math.max(0, text.search(/^## /m))).split('\n'));
  const wholes = new Map<string, string>();
  const bullets = groups.map(([first = '', ...more]) => {
    if (first.startsWith('## ')) return first;
    const line = first.replace(/^(?:[-*] )?(?:At first: )?/, '').trim();
    if (more.length > 0) wholes.set(line, [line, ...more].join('\n'));
    return `- ${line}`;
  });
  const { items, flagged } = proveSummary(bullets.join('\n'), source);
  let read: ReturnType<typeof readTexts> | undefined;
  const texts = () => (read ??= readTexts(source));
  return {
    flagged,
    items: items.map((item) => {
      const named = source[Number(/#(\d+)/.exec(item.text)?.[1] ?? 0) - 1];
      const whole = { ...item, text: wholes.get(item.text) ?? item.text };
      if (named !== undefined) return { ...whole, places: [{ message: named.id, by: 'quote' as const }] };
      if (item.places.some(({ by }) => by === 'quote')) return whole;
      const quoted = placeQuoted(item.text, texts());
      if (quoted.length > 0) return { ...whole, places: quoted };
      return item.places.length > 0 ? whole : { ...whole, places: placeListed(item.text, texts()) };
    }),
  };
}

const readTexts = (source: readonly Message[]): readonly { readonly id: string; readonly text: string }[] =>
  source.map(({ id, parts }) => ({ id, text: parts.map(partText).join('\n') }));

/** Shorter words stand anywhere. */
const LEAST_QUOTE = 16;

/** Where the longest part of a line stands as it is: a digest names a file in short before what was said of it. */
function placeQuoted(line: string, texts: ReturnType<typeof readTexts>): SummaryItem['places'] {
  const parts = line.split(/: |\s·\s|; |^\S+ /).map((part) => part.trim());
  const longest = parts.reduce((most, part) => (part.length > most.length ? part : most), '');
  const found = longest.length < LEAST_QUOTE ? undefined : texts.findLast(({ text }) => text.includes(longest));
  return found === undefined ? [] : [{ message: found.id, by: 'quote' }];
}

/** How a digest calls the newest words and calls, and how it tells what came of a command and how often. */
const NOTATION =
  /^(?:\$ |Last (?:said|call): (?:\w+ (?=.*\((?:ok|failed)))?|[\w-]+: )|\s*\((?:×\d+|ok|failed)[^)]*\)$|…$/g;
const MOST_PLACES = 3;

/**
 * The places of a line that lists what many messages said, such as files of one folder: the newest of each name; none where
 * one of the names is nowhere. A command or what was said last stands somewhere as it is.
 */
function placeListed(line: string, texts: ReturnType<typeof readTexts>): SummaryItem['places'] {
  const told = line.replace(NOTATION, '').trim();
  const findNewest = (words: string): string | undefined => texts.findLast(({ text }) => text.includes(words))?.id;
  const whole = told === '' ? undefined : findNewest(told);
  if (whole !== undefined) return [{ message: whole, by: 'quote' }];
  const folder = /^(\S+\/): /.exec(told)?.[1];
  const names = (folder === undefined ? told : told.slice(folder.length + 2)).split(/\s+/);
  const found = names.map((name) => findNewest(name.replace(/[*+]+$/, '')));
  const places = [...new Set(found)].flatMap((message) => message ?? []);
  return found.includes(undefined) ? [] : places.slice(-MOST_PLACES).map((message) => ({ message, by: 'names' }));
}

/** Prose has a statement in each sentence; lists and code stay as they are. */
const splitSentences = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((block) =>
      /^\s*(?:[-*•#|>]|\d+[.)]|```)/m.test(block)
        ? block
        : block
            .replace(/\s*\n\s*/g, ' ')
            .split(/(?<=(?<!\b(?:e\.g|i\.e|etc|vs|cf))[.!?])\s+/i)
            .map((sentence) => `- ${sentence}`)
            .join('\n'),
    )
    .join('\n\n');

/** A summary of another agent's: its lines are held against what it was written about. */
export function readAgentSummary(recording: Recording, index: number, placeOf: PlaceOf): SummaryText | undefined {
  const { summary, at } = recording.compactions[index] ?? {};
  if (summary === undefined) return undefined;
  const { items, flagged } = proveSummary(splitSentences(summary), recording.viewBefore(index));
  return {
    text: show(summary),
    statements: placeStatements(proveWords(items, recording.messages.slice(0, at)), placeOf),
    flagged: flagged.map(show),
    retired: [],
    aged: [],
  };
}
