import type { ItemPlace } from '../ledger/summary-item.ts';
import { type Message, partText } from '../message/message.ts';
import { normalizeText } from './normalize-text.ts';
import { scanNames } from './scan-names.ts';

/** Finds where statements come from. */
export interface PlaceFinder {
  /** The message that holds the words which were given with a statement; else the one that holds most of its names. */
  findPlaces(quote: string | undefined, statement: string): readonly ItemPlace[];
  /** The newest place at which a name of a statement came up again; undefined where none did. */
  findUse(statement: string): number | undefined;
}

/** Shorter quotes stand anywhere. */
const LEAST_QUOTE = 8;
/** Scripts without blanks say in three characters what others say in eight. */
const LEAST_DENSE_QUOTE = 3;

/** What a summary is about, and what is looked for in it. */
export interface PlaceSearch {
  readonly source: readonly Message[];
  /** The place of its first message in the transcript; 0 by default. */
  readonly first?: number;
  /** From this index on its messages are news, of which names are looked for; what is older was looked at before. 0 by default. */
  readonly since?: number;
  /** What will be asked for: no other names are noted, and quotes are looked for only where there are any. */
  readonly statements: readonly string[];
  readonly hasQuotes: boolean;
}

/** Looks through what a summary is about. */
export function newPlaceFinder(search: PlaceSearch): PlaceFinder {
  const { source, first = 0, since = 0, statements, hasQuotes } = search;
  const news = source.slice(since);
  const uses = indexNames(news, new Set(statements.flatMap((statement) => [...namesIn(statement)])));
  const normalizedNews = hasQuotes ? normalizeAll(news) : [];
  return {
    findPlaces(quote, statement) {
      const message = findQuote(quote ?? '', source.slice(0, since), news, normalizedNews);
      if (message !== undefined) return [{ message: message.id, by: 'quote' }];
      const named = news[findMostNames(namesIn(statement), uses) ?? -1];
      return named === undefined ? [] : [{ message: named.id, by: 'names' }];
    },
    findUse(statement) {
      const places = [...namesIn(statement)].flatMap((name) => uses.get(name)?.at(-1) ?? []);
      return places.length === 0 ? undefined : first + since + Math.max(...places);
    },
  };
}

function normalizeAll(messages: readonly Message[]): readonly string[] {
  return messages.map((message) => normalizeText(textOf(message)));
}

const textOf = ({ parts }: Message): string => parts.map(partText).join('\n');

function findQuote(
  quote: string,
  older: readonly Message[],
  news: readonly Message[],
  normalizedNews: readonly string[],
): Message | undefined {
  const words = quote.replace(/^(?:…|\.{3})|(?:…|\.{3})$/g, '').trim();
  const isDense = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(words);
  if (words.length < (isDense ? LEAST_DENSE_QUOTE : LEAST_QUOTE)) return undefined;
  const wanted = normalizeText(words);
  const at = normalizedNews.findLastIndex((text) => text.includes(wanted));
  return at < 0 ? older.findLast((message) => textOf(message).includes(words)) : news[at];
}

/** By these names: the indexes of the messages that say them, in order. */
function indexNames(messages: readonly Message[], names: ReadonlySet<string>): ReadonlyMap<string, readonly number[]> {
  const index = new Map<string, number[]>();
  for (const [i, message] of names.size === 0 ? [] : messages.entries()) {
    scanNames(textOf(message), (identifier) => {
      const name = identifier.toLowerCase();
      if (!names.has(name)) return;
      const places = index.get(name);
      if (places === undefined) index.set(name, [i]);
      else if (places.at(-1) !== i) places.push(i);
    });
  }
  return index;
}

function namesIn(statement: string): ReadonlySet<string> {
  const names = new Set<string>();
  scanNames(statement, (identifier) => names.add(identifier.toLowerCase()));
  return names;
}

/** The index that holds most of the names, and at least half of them; the newest of several. */
function findMostNames(names: ReadonlySet<string>, uses: ReadonlyMap<string, readonly number[]>): number | undefined {
  const counts = new Map<number, number>();
  for (const name of names) for (const at of uses.get(name) ?? []) counts.set(at, (counts.get(at) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  if (most === 0 || most * 2 < names.size) return undefined;
  return Math.max(...[...counts].filter(([, count]) => count === most).map(([at]) => at));
}
