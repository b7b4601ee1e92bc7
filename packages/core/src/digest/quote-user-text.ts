import { excerptText } from '../ledger/edit.ts';
import { headAndTail } from '../ledger/excerpt.ts';
import type { UserText } from '../message/user-text.ts';
import { cutMark, leftOutTextNotice, userTextTitle } from '../notices.ts';
import { cutToCost } from './choose/cut-to-cost.ts';
import { joinLines } from './choose/item.ts';

/** A longer text was pasted. */
const LONG_CHARS = 2_000;

/** A quoted line is one line and begins nothing: no heading, no list, no tag. */
const quoteLines = (text: string): string =>
  text
    .trim()
    .split(/\r\n|[\n\r\u2028\u2029\u0085\v\f]/)
    .map((line) => `> ${line}`)
    .join('\n');

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
  const write = (): string => {
    const [out] = texts.filter((one) => !shown.has(one));
    const notice =
      out === undefined ? [] : [leftOutTextNotice(texts.length - shown.size, joinLines(out.message.id), canRecall)];
    return [userTextTitle, ...notice, ...texts.flatMap((one) => shown.get(one) ?? [])].join('\n');
  };
  for (const one of inNeed) {
    if (one === undefined) continue;
    const { message, text } = one;
    const entry = `${joinLines(message.id)}:\n${quoteLines(shorten(text, message.id, canRecall))}`;
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
