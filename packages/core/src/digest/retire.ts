import type { Change } from '../message/read-changes.ts';
import { type Line, type Lines, type Subject, splitSentences } from './lines.ts';

/** What is no longer true is dropped, or marked where only words say so. A line that comes again is there again. */
export interface Retire {
  /** An edit takes out the lines that it removes, wherever the file was shown; a write all that it does not write again. */
  change(change: Change, at: number): void;
  /** What is read anew stands for what was read before: of all, or of the lines between the first and the last. */
  readAgain(subject: Subject, news: readonly Line[], isWhole: boolean): void;
  /** A file that is gone has no lines. */
  remove(subject: Subject): void;
  /** A command that went well stands for the same with more words: one test of all of them. */
  pass(subject: Subject): void;
  /** A line that says another value of the same thing, or takes a word back. */
  say(line: Line): void;
  /** A text that takes words back: what the model said with them before is marked. */
  takeBack(text: string, at: number): void;
}

/** A shorter part of a line stands in many. */
const LEAST_PART = 3;
/** Fewer numbered lines are an excerpt of a search, and no range. */
const LEAST_NUMBERED = 3;

export function newRetire(lines: Lines): Retire {
  /** The newest line that says the value of a thing; undefined where several of one message do. */
  const stated = new Map<
    string,
    { readonly line: Line; readonly sentence: string; readonly at: number; isSole: boolean }
  >();
  return {
    change({ path, removed, added, isWhole }, at) {
      const subject = lines.findSubject(path);
      const stays = new Set(trimmed(added));
      if (isWhole) for (const line of subject?.lines ?? []) if (line.at < at && !stays.has(line.text)) lines.drop(line);
      const gone = trimmed(removed).filter((text) => !stays.has(text));
      let first = 0;
      for (const line of findGone(gone, subject)) {
        first ||= line.number;
        lines.drop(line);
        // An edit within a line leaves the rest of it.
        const edited = line.text.replace(removed.trim(), () => added.trim());
        if (line.subject.isFile && !gone.includes(line.text) && !removed.trim().includes('\n') && edited !== line.text)
          lines.read(edited, { source: 'wrote', subject: line.subject, at, firstLine: line.number });
      }
      // What the edit left in place has moved.
      const moved = added.split('\n').length - removed.split('\n').length;
      if (subject !== undefined && first > 0 && moved !== 0)
        for (const line of subject.lines) if (line.number > first) line.number += moved;
    },
    readAgain(subject, news, isWhole) {
      const shown = new Set(news);
      let [first, last, count] = [Infinity, 0, 0];
      for (const line of news)
        if (line.subject === subject && line.number > 0) {
          first = Math.min(first, line.number);
          last = Math.max(last, line.number);
          count++;
        }
      for (const line of [...subject.lines])
        if (!shown.has(line) && (isWhole || (line.number >= first && line.number <= last && count > LEAST_NUMBERED)))
          lines.drop(line);
    },
    remove(subject) {
      for (const line of subject.lines) lines.drop(line);
    },
    pass({ name }) {
      for (const other of lines.subjects.values()) if (other.name.startsWith(`${name} `)) this.remove(other);
    },
    say(line) {
      for (const sentence of line.source === 'said' ? splitSentences(line.text) : [line.text]) {
        const key = keyOf(sentence, line);
        const before = key === undefined ? undefined : stated.get(key);
        if (key === undefined) continue;
        if (before?.at === line.at) {
          before.isSole &&= before.sentence === sentence;
          continue;
        }
        if (before?.isSole && before.sentence !== sentence && before.at < line.at) retract(before.line, line);
        stated.set(key, { line, sentence, at: line.at, isSole: true });
      }
      if (line.source === 'said') this.takeBack(line.text, line.at);
    },
    takeBack(text, at) {
      for (const word of takenBack(text))
        for (const line of lines.all.values())
          if (line.source === 'said' && line.at < at && line.text.includes(word) && !text.includes(line.text))
            line.changedAt = at;
    },
  };

  /** Lines that a change takes out, wholly or in part: of its file, or of what shows no file by itself. */
  function findGone(gone: readonly string[], subject: Subject | undefined): readonly Line[] {
    const found = new Set<Line>();
    for (const text of gone) {
      const line = lines.all.get(text);
      if (line !== undefined && (!line.subject.isFile || line.subject === subject)) found.add(line);
    }
    const [first = '', last = first] = [gone[0], gone.at(-1)];
    if (first.length > LEAST_PART)
      for (const line of subject?.lines ?? [])
        if (
          gone.length === 1
            ? line.text.includes(first)
            : line.text.endsWith(first) || (last.length > LEAST_PART && line.text.startsWith(last))
        )
          found.add(line);
    return [...found];
  }

  function retract(old: Line, by: Line): void {
    if (old.source !== 'said' && old.subject === by.subject) lines.drop(old);
    else old.changedAt = by.at;
  }
}

const trimmed = (text: string): readonly string[] =>
  text === ''
    ? []
    : text
        .split('\n')
        .map((line) => line.trim().slice(0, 200))
        .filter((line) => line.length > 0);

const setting =
  /^(?:[#/*-]+ )?(?:export |const |let |var |set )?["'`]?([A-Za-z_][\w .-]{1,60}?)["'`]?\s*(?::\s*\w+\s*)?(?:=|:)\s*\S/;
/** A name that one thing has, wherever it stands. */
const distinctive = /^(?=.{8,})(?:\w+[_.-]\w[\w.-]*|\w*[a-z\d][A-Z]\w*)$/;
/** What a sentence speaks of: all before its verb. */
const claim =
  /^(?:decision: |decided: |ok(?:ay)?, |so )?(.{3,60}?) (?:uses?|is|are|was|will be|runs on|goes to|lives in|equals|stays|becomes) (?!not\b)/i;
const change = /\b(?:moved?|switch(?:ed)?|changed?|migrated?|set|raised?|lowered|bump(?:ed)?) (.{3,60}?) to /i;
const pronoun = /\b(?:this|that|there|which|what|where|they|these|those|here|everything|nothing|something)\b/gi;
const article = /\b(?:the|an?|our|your|its)\b/g;

/** What a line says something of: the name before its value, or what a sentence speaks of. */
function keyOf(text: string, { subject, source }: Line): string | undefined {
  const name = setting.exec(text)?.[1];
  if (name !== undefined && distinctive.test(name)) return name;
  if (name !== undefined && source !== 'said') return /[({]/.test(name) ? undefined : `${subject.name}\n${name}`;
  const about = source === 'said' ? (change.exec(text) ?? claim.exec(text))?.[1] : undefined;
  if (about === undefined || !/[a-z]{4}|[\u3400-\u9fff]/i.test(about.replace(pronoun, ''))) return undefined;
  return `\n${about.toLowerCase().replace(article, ' ').replace(/\s+/g, ' ').trim()}`;
}

const back = [
  /\b(?:not|no longer|instead of|rather than|in place of|replac(?:es?|ed|ing)|dropp(?:ed|ing)|(?:moved?|switched|migrated|changed|renamed) (?:\w+ ){0,4}?from) [`"']?([\w./:@+-]{2,60}?)[`"']?(?=[\s,.;:)]|$)/gi,
  /不(?:是|用|再(?:用|是)?)([\w\u3400-\u9fff]{1,20}?)(?:[，,]|而(?:是|用))/g,
];

/** Words that a sentence says do not hold any more: "not X but Y", "from X to Y". */
function takenBack(text: string): readonly string[] {
  if (!/\b(?:but|to|with|by|now|use[ds]?|instead|rather|no longer|place)\b|而/i.test(text)) return [];
  return back
    .flatMap((one) => [...text.matchAll(one)].map((match) => match[1] ?? ''))
    .filter((word) => /[A-Z\d._/-]|^\w{5,}$|[\u3400-\u9fff]/.test(word));
}
