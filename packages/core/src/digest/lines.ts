import { cutHead } from '../text.ts';
import { By, newWords, PHRASE_WORDS, phrasesOf, type Words } from './words.ts';

/** Where a line stood: in the model's words, in what a call wrote, ran or named, in what a tool answered. */
export type LineSource = 'said' | 'wrote' | 'ran' | 'called' | 'read' | 'printed' | 'found' | 'answered';

/** What a line stood in: a file, a command, a tool. Prose stands in none. */
export interface Subject {
  readonly name: string;
  readonly isFile: boolean;
  readonly lines: Set<Line>;
  edits: number;
  /** How often it was shown, and when last. */
  shown: number;
  at: number;
}

/** A line or a sentence of the transcript, as it stood last. */
export interface Line {
  readonly text: string;
  readonly words: readonly number[];
  /** Its phrases, by their numbers. */
  readonly phrases: readonly number[];
  /** Whether blanks stood before it. */
  readonly indent: number;
  source: LineSource;
  subject: Subject;
  /** The ordinal of its message, and where in the characters of the transcript it begins. */
  at: number;
  place: number;
  /** Its number in a file, where a reader printed it; 0 where not known. */
  number: number;
  count: number;
  messages: number;
  /** It stood in words or calls and in results. */
  isShared: boolean;
  /** The message that has changed what it says. */
  changedAt?: number;
}

/** Where a text comes from. */
export interface Origin {
  readonly source: LineSource;
  readonly subject: Subject;
  readonly at: number;
  /** The number of its first line in the file. */
  readonly firstLine?: number;
}

/** Shorter ones say nothing; longer ones are shown by their head. */
const LEAST_CHARS = 8;
const LEAST_WORDS = 2;
const MOST_CHARS = 200;
/** Lines are forgotten at fixed places, so that it does not matter in how many steps a transcript is read. */
const PRUNE_OVER = 6_000;
const PRUNE_TO = 4_000;

const numbered = /^\s*(\d+)(?:→|\t|│|\|| ?: ) ?/;
const located = /^((?:[\w.@+-]*\/)*[\w@+-][\w.@+-]*\.\w{1,8})[:-](\d+)[:-]/;

/** All lines that are not retired, and the words and phrases they are made of. */
export interface Lines {
  readonly words: Words;
  readonly all: ReadonlyMap<string, Line>;
  readonly chars: number;
  subject(name: string, isFile: boolean): Subject;
  findSubject(name: string): Subject | undefined;
  readonly subjects: ReadonlyMap<string, Subject>;
  /** Takes the lines of a text in, and answers them. */
  read(text: string, origin: Origin): readonly Line[];
  /** Counts the words of a text that is shown elsewhere. */
  note(text: string, by?: number): void;
  drop(line: Line): void;
  /** In how many messages a phrase stood in a new line. */
  seen(phrase: number): number;
}

const isModel = (source: LineSource): boolean =>
  source === 'said' || source === 'wrote' || source === 'ran' || source === 'called';

/** `worth`: what a line is worth where not all can be kept. */
export function newLines(worth: (line: Line, lines: Lines) => number): Lines {
  const words = newWords();
  const all = new Map<string, Line>();
  const subjects = new Map<string, Subject>();
  let phraseCounts = new Map<number, number>();
  const phraseAt = new Map<number, number>();
  let part = 0;
  let chars = 0;

  function move(line: Line, { source, subject, at }: Origin, place: number, number: number): void {
    line.count++;
    if (line.at !== at) line.messages++;
    line.isShared ||= isModel(line.source) !== isModel(source);
    line.subject.lines.delete(line);
    subject.lines.add(line);
    delete line.changedAt;
    Object.assign(line, {
      subject,
      at,
      place,
      number,
      source: isModel(line.source) && !isModel(source) ? line.source : source,
    });
    all.delete(line.text);
    all.set(line.text, line);
  }

  function add(text: string, indent: number, origin: Origin, place: number, number: number): Line {
    const { source, subject, at } = origin;
    const known = all.get(text);
    if (known !== undefined) {
      move(known, origin, place, number);
      return known;
    }
    const found = words.read(text, part, isModel(source) ? By.model : 0);
    const phrases = phrasesOf(found);
    for (const phrase of phrases)
      if (phraseAt.get(phrase) !== at) {
        phraseAt.set(phrase, at);
        phraseCounts.set(phrase, (phraseCounts.get(phrase) ?? 0) + 1);
      }
    const line: Line = {
      text,
      words: found,
      phrases,
      indent,
      source,
      subject,
      at,
      place,
      number,
      count: 1,
      messages: 1,
      isShared: false,
    };
    // The same words again and again say nothing.
    if (found.length < LEAST_WORDS || (phrases.length === 0 && found.length >= PHRASE_WORDS)) return line;
    all.set(text, line);
    subject.lines.add(line);
    return line;
  }

  function prune(): void {
    const ranked = [...all.values()].map((line) => [worth(line, lines), line] as const).sort(([a], [b]) => b - a);
    for (const [, line] of ranked.slice(PRUNE_TO)) lines.drop(line);
    const kept = new Map<number, number>();
    for (const { phrases } of all.values()) for (const one of phrases) kept.set(one, phraseCounts.get(one) ?? 1);
    phraseCounts = kept;
  }

  const lines: Lines = {
    words,
    all,
    get chars() {
      return chars;
    },
    subject(name, isFile) {
      let subject = subjects.get(name);
      if (subject === undefined) {
        subject = { name, isFile, lines: new Set(), edits: 0, shown: 0, at: 0 };
        subjects.set(name, subject);
      }
      return subject;
    },
    findSubject: (name) => subjects.get(name),
    subjects,
    read(text, origin) {
      part++;
      const made: Line[] = [];
      phraseAt.clear();
      let start = chars;
      let n = origin.firstLine ?? 0;
      for (const raw of text.split('\n')) {
        const [head = '', file, at] =
          (origin.source === 'found' || origin.source === 'printed' ? located.exec(raw) : null) ?? [];
        const [counted = '', shown] = head === '' && !isModel(origin.source) ? (numbered.exec(raw) ?? []) : [];
        const clean = raw.slice(head.length + counted.length);
        const number = Number(at ?? shown ?? Math.max(n, 0));
        const from = file === undefined ? origin : { ...origin, subject: lines.subject(file, true) };
        const whole = clean.trim();
        const indent = clean.length - clean.trimStart().length;
        for (const piece of origin.source === 'said' ? splitProse(whole) : [cutHead(whole, MOST_CHARS)])
          if (piece.length >= LEAST_CHARS) made.push(add(piece, indent, from, start, number));
        if (n > 0) n++;
        start += raw.length + 1;
      }
      chars = start;
      if (all.size > PRUNE_OVER) prune();
      return made;
    },
    note(text, by) {
      words.read(text, ++part, by);
      chars += text.length + 1;
    },
    drop(line) {
      all.delete(line.text);
      line.subject.lines.delete(line);
    },
    seen: (phrase) => phraseCounts.get(phrase) ?? 1,
  };
  return lines;
}

/** A long paragraph by its sentences, as many together as a line holds. */
function splitProse(text: string): readonly string[] {
  if (text.length <= MOST_CHARS) return [text];
  const pieces: string[] = [];
  for (const sentence of splitSentences(text)) {
    const last = pieces.at(-1);
    if (last !== undefined && last.length + sentence.length < MOST_CHARS)
      pieces[pieces.length - 1] = `${last} ${sentence}`;
    else pieces.push(cutHead(sentence, MOST_CHARS));
  }
  return pieces;
}

export const splitSentences = (text: string): readonly string[] =>
  text.split(/(?<=[.!?…]["')\]]?)\s+(?=\S)|(?<=[。！？；])/u);
