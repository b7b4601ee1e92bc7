import { scanIdentifiers } from '../digest/evidence/scan-identifiers.ts';
import type { ItemPlace } from '../ledger/summary-item.ts';
import { type Message, partText } from '../message/message.ts';
import { normalizeText } from './normalize-text.ts';

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

/**
 * Looks through what a summary is about. `first` is the place of its first message in the transcript; from the index `since`
 * on the messages are news, of which names are looked for; what is older was looked at before.
 */
export function newPlaceFinder(source: readonly Message[], first: number, since: number): PlaceFinder {
  const news = source.slice(since);
  let texts: readonly string[] | undefined;
  let uses: ReadonlyMap<string, readonly number[]> | undefined;
  const normalizedNews = (): readonly string[] => (texts ??= news.map((message) => normalizeText(textOf(message))));
  const usesOfNames = (): ReadonlyMap<string, readonly number[]> => (uses ??= indexNames(news));
  return {
    findPlaces(quote, statement) {
      const message = findQuote(quote ?? '', source.slice(0, since), news, normalizedNews);
      if (message !== undefined) return [{ message: message.id, by: 'quote' }];
      const named = news[findMostNames(namesIn(statement), usesOfNames()) ?? -1];
      return named === undefined ? [] : [{ message: named.id, by: 'names' }];
    },
    findUse(statement) {
      const places = [...namesIn(statement)].flatMap((name) => usesOfNames().get(name)?.at(-1) ?? []);
      return places.length === 0 ? undefined : first + since + Math.max(...places);
    },
  };
}

const textOf = ({ parts }: Message): string => parts.map(partText).join('\n');

function findQuote(
  quote: string,
  older: readonly Message[],
  news: readonly Message[],
  normalizedNews: () => readonly string[],
): Message | undefined {
  const words = quote.replace(/^(?:…|\.{3})|(?:…|\.{3})$/g, '').trim();
  const isDense = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(words);
  if (words.length < (isDense ? LEAST_DENSE_QUOTE : LEAST_QUOTE)) return undefined;
  const wanted = normalizeText(words);
  const at = normalizedNews().findLastIndex((text) => text.includes(wanted));
  return at < 0 ? older.findLast((message) => textOf(message).includes(words)) : news[at];
}

/** By the names of all messages: the indexes of those that say them, in order. */
function indexNames(messages: readonly Message[]): ReadonlyMap<string, readonly number[]> {
  const index = new Map<string, number[]>();
  for (const [i, message] of messages.entries())
    scanIdentifiers(textOf(message), (identifier) => {
      const name = identifier.toLowerCase();
      const places = index.get(name);
      if (places === undefined) index.set(name, [i]);
      else if (places.at(-1) !== i) places.push(i);
    });
  return index;
}

function namesIn(statement: string): ReadonlySet<string> {
  const names = new Set<string>();
  scanIdentifiers(statement, (identifier) => names.add(identifier.toLowerCase()));
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
