import { type CallPart, callsOf, type Message, type Part } from '../message/message.ts';
import { toBareName, toolTargets } from '../message/tool-kinds.ts';
import { alignCut } from '../text.ts';
import { newGrowingArray } from './growing-array.ts';
import { showPart } from './part-lines.ts';
import { COUNT_BITS, readTerms, WHOLE } from './read-terms.ts';

/** What a part of a message is: where it stands, and the call that it makes or answers. */
export interface Source {
  readonly place: number;
  readonly part: number;
  readonly call?: CallPart;
  /** It is the answer to that call, and not the call itself. */
  readonly answers: boolean;
}

/** A fragment: neighbouring lines of one part, the least that is found. Passages are made of neighbouring fragments. */
export interface Fragment {
  readonly source: Source;
  readonly from: number;
  readonly to: number;
}

/**
 * The terms of a transcript, fragment by fragment, in the order in which it was said. It holds numbers and no texts: four bytes for
 * each different term of a fragment, which is half a byte to one and a half for a character of the text. What is appended is read once.
 */
export interface SearchIndex {
  /** How many messages were read. */
  readonly messages: number;
  readonly fragments: number;
  readonly bytes: number;
  add(message: Message): void;
  fragment(at: number): Fragment;
  /** Characters of a fragment. */
  lengthOf(at: number): number;
  /** How many terms it has, each as often as it stands there. */
  termsOf(at: number): number;
  /** Whether a turn of the user's begins with it: no passage goes across. */
  beginsTurn(at: number): boolean;
  /** Calls back with every term of a fragment and its count. */
  eachTerm(at: number, see: (term: number, count: number) => void): void;
}

const FRAGMENT_CHARS = 300;
const MOST_COUNTED = (1 << COUNT_BITS) - 1;

/** What recall itself asked and showed would be found again and again. */
const isRecall = ({ tool }: CallPart): boolean => /^(?:palimpsest)?recall$/.test(toBareName(tool));

export function newSearchIndex(): SearchIndex {
  const terms = newGrowingArray();
  /** Of each fragment: its source, its ends, where its terms begin, and how many there are counted. */
  const rows = newGrowingArray();
  const sources: Source[] = [];
  const calls = new Map<string, CallPart>();
  const turns = new Set<number>();
  let messages = 0;
  const row = (at: number, column: number): number => rows.values[at * ROW + column] ?? 0;

  const addFragment = (text: string, from: number, to: number, about: readonly number[]): void => {
    const found: number[] = [...about];
    readTerms(text, from, to, (term) => found.push(term));
    for (const value of [sources.length - 1, from, to, terms.length, found.length - about.length]) rows.push(value);
    pushCounted(found, terms.push);
  };
  const addPart = (message: Message, place: number, part: Part, at: number): void => {
    if (part.type === 'call') calls.set(part.callId, part);
    const call = part.type === 'call' ? part : part.type === 'result' ? calls.get(part.callId) : undefined;
    if (call !== undefined && isRecall(call)) return;
    sources.push({ place, part: at, answers: part.type === 'result', ...(call === undefined ? {} : { call }) });
    const text = showPart(part);
    const about = part.type === 'result' && call !== undefined ? readFileTerms(call) : [];
    const before = rows.length;
    for (const [from, to] of cutLines(text)) addFragment(text, from, to, about);
    if (message.origin === 'human' && at === 0 && rows.length > before) turns.add(before / ROW);
  };

  return {
    get messages() {
      return messages;
    },
    get fragments() {
      return rows.length / ROW;
    },
    get bytes() {
      return terms.bytes + rows.bytes + sources.length * SOURCE_BYTES;
    },
    add(message) {
      const place = messages++;
      const made = callsOf(message);
      // What a model says around nothing but a recall is its question.
      const isAsking = made.length > 0 && made.every(isRecall);
      for (const [at, part] of message.parts.entries())
        if (!isAsking || part.type === 'call') addPart(message, place, part, at);
    },
    fragment: (at) => ({ source: sources[row(at, 0)] ?? NO_SOURCE, from: row(at, 1), to: row(at, 2) }),
    lengthOf: (at) => row(at, 2) - row(at, 1),
    termsOf: (at) => row(at, 4),
    beginsTurn: (at) => turns.has(at),
    eachTerm(at, see) {
      const end = (at + 1) * ROW < rows.length ? row(at + 1, 3) : terms.length;
      const { values } = terms;
      for (let i = row(at, 3); i < end; i++) {
        const value = values[i] ?? 0;
        see((value & ~MOST_COUNTED) >>> 0, value & MOST_COUNTED);
      }
    },
  };
}

const ROW = 5;
const NO_SOURCE: Source = { place: 0, part: 0, answers: false };
/** An object of three fields, as the engine keeps it. */
const SOURCE_BYTES = 48;

/** Each term once, with its count in the lowest bits. */
function pushCounted(terms: readonly number[], push: (value: number) => void): void {
  // By number, and much faster than a list is sorted.
  const found = Uint32Array.from(terms).sort();
  for (let i = 0; i < found.length; ) {
    const term = found[i] ?? 0;
    let end = i + 1;
    while (found[end] === term) end++;
    push((term | Math.min(MOST_COUNTED, end - i)) >>> 0);
    i = end;
  }
}

/** The last names of the files that a call is about: its result is about them from the first line to the last. */
function readFileTerms(call: CallPart): readonly number[] {
  const found: number[] = [];
  for (const path of toolTargets(call.tool, call.input)) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    readTerms(name, 0, name.length, (term) => {
      if (term >= WHOLE) found.push(term);
    });
  }
  return found;
}

/** Neighbouring lines together, so many characters at most; only a line that is longer by itself is cut. Nothing is left out. */
function* cutLines(text: string): Generator<readonly [from: number, to: number]> {
  let from = 0;
  let to = 0;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    if (end - from > FRAGMENT_CHARS && to > from) {
      yield [from, to];
      from = start;
    }
    while (end - from > FRAGMENT_CHARS) {
      const cut = alignCut(text, from + FRAGMENT_CHARS);
      yield [from, cut];
      from = cut;
    }
    to = end;
    start = end + 1;
  }
  if (to > from) yield [from, to];
}
