import type { CallPart, MessageId, Origin } from '../message/message.ts';
import { toolKind, toolTargets } from '../message/tool-kinds.ts';
import type { Filter } from './find-hits.ts';
import { showPart } from './part-lines.ts';
import { PASSAGE_CHARS, type Ranked, rankPassages } from './rank-passages.ts';
import type { Source } from './search-index.ts';
import { type Found, type Indexed, listStretches, showPassage, type Transcript } from './show-passage.ts';

/** What is searched, and how much of what was found is wanted. All may be left away. */
export interface SearchOptions {
  /** The most passages: 20 by default. */
  readonly limit?: number;
  /** How many of the best to pass over: for the next page. */
  readonly offset?: number;
  /** Only what a tool did with this file or said of it; the end of its path is enough. Without words: the newest reading of it first. */
  readonly file?: string;
  /** Only calls of this tool and what it answered, whatever the case of its letters. */
  readonly tool?: string;
  /** Only what was said by the user, by the model, by tools. */
  readonly origin?: Origin;
  /** Only what was said at this time or later, in milliseconds since 1970. */
  readonly since?: number;
  /** Only what was said before this time. */
  readonly until?: number;
  /** Messages to leave out, such as the one that asks. */
  readonly except?: readonly MessageId[];
}

/**
 * What of some transcripts answers a query, best first; without words what the options leave, newest first, of one transcript after
 * the other. What several of them have is told once.
 */
export function findPassages(given: readonly Indexed[], query: string, options: SearchOptions): readonly Found[] {
  const { limit = 20, offset = 0 } = options;
  const transcripts = given.map(
    (one): Transcript => ({ ...one, fragments: one.index.fragments, allows: readFilter(one, options) }),
  );
  const hasFilter = options.file !== undefined || options.tool !== undefined || options.origin !== undefined;
  const isBlank = query.trim() === '';
  const found = isBlank ? (hasFilter ? transcripts.flatMap(listNewest) : []) : rankPassages(transcripts, query);
  const ranked = found.length > 0 || isBlank ? found : listAllLiteral(transcripts, query);
  const told = transcripts.length > 1 ? takeOnce(ranked, offset + limit) : ranked;
  return told.slice(offset, offset + limit).map((one) => showPassage(query, one));
}

/** The first so many of those that differ. */
function takeOnce(ranked: readonly Ranked<Transcript>[], most: number): readonly Ranked<Transcript>[] {
  const taken = new Map<string, Ranked<Transcript>>();
  for (const one of ranked) {
    if (taken.size >= most) break;
    const stretches = listStretches(one);
    const key = JSON.stringify(stretches.map(({ message, text }) => [message, text]));
    if (!taken.has(key)) taken.set(key, one);
  }
  return [...taken.values()];
}

function readFilter({ index, messages }: Indexed, { file, tool, origin, since, until, except }: SearchOptions): Filter {
  const all = [file, tool, origin, since, until].every((one) => one === undefined) && (except ?? []).length === 0;
  if (all) return () => true;
  const left = new Set(except);
  const called = tool?.toLowerCase();
  const seen = new Map<Source, boolean>();
  const allowsSource = ({ place, call }: Source): boolean => {
    const message = messages[place];
    if (message === undefined || left.has(message.id)) return false;
    if (origin !== undefined && message.origin !== origin) return false;
    if (since !== undefined && (message.at ?? Number.NEGATIVE_INFINITY) < since) return false;
    if (until !== undefined && (message.at ?? Number.POSITIVE_INFINITY) >= until) return false;
    if (called !== undefined && call?.tool.toLowerCase() !== called) return false;
    return file === undefined || (call !== undefined && isAbout(call, file));
  };
  return (fragment) => {
    const { source } = index.fragment(fragment);
    const known = seen.get(source) ?? allowsSource(source);
    seen.set(source, known);
    return known;
  };
}

/** The file itself where the call names files; where it names none (a shell), what it was asked to do. */
function isAbout({ tool, input, ...call }: CallPart, file: string): boolean {
  const wanted = file.replaceAll('\\', '/').replace(/^\.?\//, '');
  const targets = toolTargets(tool, input);
  if (targets.length === 0) return namesFile(showPart({ tool, input, ...call }), wanted);
  return targets.some((path) => path === file || path === wanted || path.endsWith(`/${wanted}`));
}

/** As a name of its own: `price.ts` is not named by `old-price.ts`, and it is by `src/price.ts`. */
function namesFile(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!/[\w.-]/.test(text.charAt(at - 1)) && !/[\w-]/.test(text.charAt(at + name.length))) return true;
  return false;
}

/** Whole files first, as they were last read or written; then the rest, each from its beginning. */
function listNewest(transcript: Transcript): readonly Ranked<Transcript>[] {
  const { index, fragments, allows } = transcript;
  const bySource = new Map<Source, Ranked<Transcript>[]>();
  let chars = 0;
  for (let at = 0; at < fragments; at++) {
    if (!allows(at)) continue;
    const { source } = index.fragment(at);
    const known = bySource.get(source) ?? [];
    bySource.set(source, known);
    const last = known.at(-1);
    const length = index.lengthOf(at) + 1;
    if (last !== undefined && last.to === at && chars + length <= PASSAGE_CHARS + 1) {
      known[known.length - 1] = { ...last, to: at + 1 };
      chars += length;
    } else {
      known.push({ in: transcript, from: at, to: at + 1, best: at, score: 0 });
      chars = length;
    }
  }
  const newest = [...bySource].reverse();
  return [
    ...newest.filter(([source]) => showsFile(source)),
    ...newest.filter(([source]) => !showsFile(source)),
  ].flatMap(([, passages]) => passages);
}

function listAllLiteral(transcripts: readonly Transcript[], query: string): readonly Ranked<Transcript>[] {
  const found: (readonly Ranked<Transcript>[])[] = [];
  for (const transcript of transcripts) {
    found.push(listLiteral(transcript, query));
  }
  return found.flat();
}

/** What holds the query to the letter, though not as words: a part of a name, or signs. Newest first. */
function listLiteral(transcript: Transcript, query: string): readonly Ranked<Transcript>[] {
  const { index, messages, fragments, allows } = transcript;
  const wanted = query.trim().toLowerCase();
  const found: Ranked<Transcript>[] = [];
  let [source, text]: [Source | undefined, string] = [undefined, ''];
  for (let at = fragments - 1; at >= 0; at--) {
    if (!allows(at)) continue;
    const fragment = index.fragment(at);
    if (fragment.source !== source) {
      source = fragment.source;
      const part = messages[source.place]?.parts[source.part];
      text = part === undefined ? '' : showPart(part).toLowerCase();
    }
    if (text.slice(fragment.from, fragment.to).includes(wanted))
      found.push({ in: transcript, from: at, to: at + 1, best: at, score: 0 });
  }
  return found;
}

function showsFile({ call, answers }: Source): boolean {
  const kind = call === undefined ? 'other' : toolKind(call.tool, call.input);
  return kind === 'read' ? answers : kind === 'write' && !answers;
}
