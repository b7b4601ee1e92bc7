import type { Message } from '@palimpsest/core';
import { listSources, readMessage, type Source } from './message-text.ts';

/** Writes what stands for the past in at most this many characters; the tail is what the model sees beside it. */
export type TextMaker = (past: readonly Message[], tail: readonly Message[], chars: number) => string;

/** The digest of any version of the engine, as far as a text-maker needs it. */
export type DigestFunction = (
  messages: readonly Message[],
  options: { readonly maxChars: number; readonly beside?: string },
) => { readonly sections: readonly { readonly name: string; readonly text: string }[] };

export interface DigestTextOptions {
  /** The digest accepts `beside`: text that the model sees anyway. */
  readonly takesBeside?: boolean;
  /** Counts the section of the user's words too. */
  readonly withUser?: boolean;
}

const MAX_TRIES = 8;
/** Sections with the user's own words, by their names in all versions of the digest. */
const USER_SECTIONS: ReadonlySet<string> = new Set(['user', 'request', 'constraints', 'words']);
const MIN_DIGEST_CHARS = 64;
/** A text of this share of the wanted size is large enough. */
const CLOSE = 0.985;

/** The digest without the user's words, asked for in sizes until the rest is just below the wanted one. */
export const newDigestText =
  (digest: DigestFunction, { takesBeside = false, withUser = false }: DigestTextOptions = {}): TextMaker =>
  (past, tail, chars) => {
    const extra = takesBeside ? { beside: tail.map(readMessage).join('\n') } : {};
    const write = (maxChars: number): string =>
      digest(past, { maxChars: Math.max(MIN_DIGEST_CHARS, Math.round(maxChars)), ...extra })
        .sections.filter(({ name }) => withUser || !USER_SECTIONS.has(name))
        .map(({ text }) => text)
        .join('');
    let best = '';
    let over = '';
    for (let tries = 0, asked = chars; tries < MAX_TRIES; tries++) {
      const text = write(asked);
      if (text.length <= chars) {
        // More room that makes no longer text: it holds all it has.
        if (tries > 0 && text.length <= best.length) break;
        best = text;
      } else if (over === '' || text.length < over.length) over = text;
      if (best.length >= CLOSE * chars) break;
      asked *= ((1 + CLOSE) * chars) / 2 / Math.max(text.length, chars / 4);
    }
    return best === '' ? over.slice(0, chars) : best;
  };

const listCounted = (messages: readonly Message[], withUser: boolean): readonly Source[] =>
  listSources(messages).filter(({ author }) => withUser || author !== 'user');

/** The end of the past as it was. */
export const newNewestText =
  (withUser = false): TextMaker =>
  (past, _, chars) =>
    listCounted(past, withUser)
      .map(({ text }) => text)
      .join('\n')
      .slice(-chars);

const LINE_CHARS = { min: 12, max: 200 };
const NUMBER_BEFORE_LINE = /^\s*\d+[→\t:]\s?/;

/** Three words in a row, with every number alike. */
function listTrigrams(line: string): readonly string[] {
  const words =
    line
      .toLowerCase()
      .replace(/\d+/g, '0')
      .match(/[a-z_]+|0|[\u3400-\u9fff]/g) ?? [];
  return words.map((word, i) => `${word} ${words[i + 1] ?? ''} ${words[i + 2] ?? ''}`);
}

/** Of each source its rarest line, newest source first, then of each its second rarest, and so on. */
export const newRarestLines =
  (withUser = false): TextMaker =>
  (past, _, chars) => {
    const found = new Map<string, { readonly source: number; readonly trigrams: readonly string[] }>();
    for (const [source, { text }] of listCounted(past, withUser).entries())
      for (const raw of text.split('\n')) {
        const line = raw.replace(NUMBER_BEFORE_LINE, '').trim().slice(0, LINE_CHARS.max);
        if (line.length >= LINE_CHARS.min) found.set(line, { source, trigrams: listTrigrams(line) });
      }
    const counts = new Map<string, number>();
    for (const { trigrams } of found.values())
      for (const one of new Set(trigrams)) counts.set(one, (counts.get(one) ?? 0) + 1);
    const bySource = new Map<number, { readonly line: string; readonly rarity: number }[]>();
    for (const [line, { source, trigrams }] of found) {
      const rarity =
        trigrams.length < 3 ? 0 : trigrams.reduce((sum, one) => sum + 1 / (counts.get(one) ?? 1), 0) / trigrams.length;
      const lines = bySource.get(source) ?? [];
      bySource.set(source, [...lines, { line, rarity }]);
    }
    const newestFirst = [...bySource]
      .sort(([one], [other]) => other - one)
      .map(([source, lines]) => ({ source, lines: lines.sort((one, other) => other.rarity - one.rarity) }));
    const rounds = Math.max(0, ...newestFirst.map(({ lines }) => lines.length));
    const taken: { readonly source: number; readonly line: string }[] = [];
    let size = 0;
    for (let round = 0; round < rounds && size < chars; round++)
      for (const { source, lines } of newestFirst) {
        const line = lines[round]?.line;
        if (line === undefined || size + line.length + 1 > chars) continue;
        size += line.length + 1;
        taken.push({ source, line });
      }
    return taken
      .sort((one, other) => one.source - other.source)
      .map(({ line }) => line)
      .join('\n');
  };
