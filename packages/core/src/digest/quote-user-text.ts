import { excerptText } from '../ledger/edit.ts';
import { headAndTail } from '../ledger/excerpt.ts';
import type { UserText } from '../message/user-text.ts';
import { cutMark, olderTextNotice, userTextTitle } from '../notices.ts';
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
 * What users wrote, quoted with the message that it comes from: the newest as far as there is room, in order. Undefined where
 * there is nothing to quote, or no room for any of it.
 */
export function quoteUserText(
  texts: readonly UserText[],
  room: number,
  cost: (text: string) => number,
  canRecall: boolean,
): string | undefined {
  const [first] = texts;
  if (first === undefined) return undefined;
  const write = (shown: readonly string[]): string => {
    const older = texts.length - shown.length;
    const notice = older === 0 ? [] : [olderTextNotice(older, joinLines(first.message.id), canRecall)];
    return [userTextTitle, ...notice, ...shown.toReversed()].join('\n');
  };
  const shown: string[] = [];
  for (const { message, text } of texts.toReversed()) {
    const entry = `${joinLines(message.id)}:\n${quoteLines(shorten(text, message.id, canRecall))}`;
    // The newest is cut where it does not fit whole.
    const least = shown.length === 0 ? (cutToCost(entry, room - cost(write([''])), cost) ?? '') : '';
    if (cost(write([...shown, entry])) <= room) shown.push(entry);
    else if (least.includes('> ') && cost(write([least])) <= room) return write([least]);
    else break;
  }
  return shown.length === 0 ? undefined : write(shown);
}

/** Of a longer text head and tail are quoted. */
function shorten(text: string, id: string, canRecall: boolean): string {
  if (text.length <= LONG_CHARS) return text;
  const mark = (cut: number): string => cutMark(cut, id, canRecall);
  return excerptText(headAndTail(text, LONG_CHARS / 2, LONG_CHARS / 4, mark), text);
}
