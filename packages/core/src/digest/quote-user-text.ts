import { excerptText } from '../ledger/edit.ts';
import { headAndTail } from '../ledger/excerpt.ts';
import type { UserText } from '../message/user-text.ts';
import { cutMark, leftOutTextNotice, userTextTitle } from '../notices.ts';
import { cutToCost } from './cut-to-cost.ts';
import { newLines } from './lines.ts';
import { newRetire } from './retire.ts';

/** A longer text was pasted. */
const LONG_CHARS = 2_000;

/** What is quoted breaks no line, whatever stands in it. */
const joinLines = (text: string): string => text.replace(/[\r\n\v\f\u0085\u2028\u2029]+/g, ' ');

/** A quoted line is one line and begins nothing: no heading, no list, no tag. What a later text replaces is marked. */
const quoteLines = (text: string, replaced: ReadonlyMap<string, string>): string =>
  text
    .trim()
    .split(/\r\n|[\n\r\u2028\u2029\u0085\v\f]/)
    .map((line) => {
      const by = [...replaced].find(([piece]) => line.includes(piece))?.[1];
      return by === undefined ? `> ${line}` : `> ${line} (older: ${joinLines(by)} says otherwise)`;
    })
    .join('\n');

/** Lines of users that a later one of theirs replaces, with the message that does. */
function findReplaced(texts: readonly UserText[]): ReadonlyMap<string, string> {
  const lines = newLines(() => 0);
  const retire = newRetire(lines);
  for (const [at, { text }] of texts.entries())
    for (const line of lines.read(text, { source: 'said', subject: lines.subject('', false), at })) retire.say(line);
  return new Map(
    [...lines.all.values()].flatMap(({ text, changedAt }) =>
      changedAt === undefined ? [] : [[text, texts[changedAt]?.message.id ?? ''] as const],
    ),
  );
}

/**
 * What users wrote, quoted with the message that it comes from, in order, as far as there is room: the newest text first, then the
 * first one, then the others from the newest on, pastes last. Undefined where there is nothing to quote, or no room for any of it.
 */
export function quoteUserText(
  texts: readonly UserText[],
  room: number,
  cost: (text: string) => number,
  canRecall: boolean,
): string | undefined {
  const [first, ...others] = texts;
  if (first === undefined) return undefined;
  const newest = others.pop();
  const isPaste = ({ text }: UserText): boolean => text.length > LONG_CHARS;
  const older = others.reverse();
  const inNeed = [newest, first, ...older.filter((one) => !isPaste(one)), ...older.filter(isPaste)];
  const shown = new Map<UserText, string>();
  const replaced = findReplaced(texts);
  const write = (): string => {
    const [out] = texts.filter((one) => !shown.has(one));
    const notice =
      out === undefined ? [] : [leftOutTextNotice(texts.length - shown.size, joinLines(out.message.id), canRecall)];
    return [userTextTitle, ...notice, ...texts.flatMap((one) => shown.get(one) ?? [])].join('\n');
  };
  for (const one of inNeed) {
    if (one === undefined) continue;
    const { message, text } = one;
    const quoted = quoteLines(shorten(text, message.id, canRecall), replaced);
    const entry = `${joinLines(message.id)}:\n${quoted}`;
    // The newest is cut where it does not fit whole.
    const cut = shown.size === 0 ? cutToCost(entry, room - cost(write()), cost) : undefined;
    for (const form of cut === undefined || cut === entry || !cut.includes('> ') ? [entry] : [entry, cut]) {
      shown.set(one, form);
      if (cost(write()) <= room) break;
      shown.delete(one);
    }
  }
  return shown.size === 0 ? undefined : write();
}

/** Of a longer text head and tail are quoted. */
function shorten(text: string, id: string, canRecall: boolean): string {
  if (text.length <= LONG_CHARS) return text;
  const mark = (cut: number): string => cutMark(cut, id, canRecall);
  return excerptText(headAndTail(text, LONG_CHARS / 2, LONG_CHARS / 4, mark), text);
}
