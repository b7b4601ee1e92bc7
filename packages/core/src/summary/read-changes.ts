import { splitStatements } from '../view/split-statements.ts';

/** What an answer says of the statements of a summary. */
export type ItemChange =
  | { readonly type: 'add'; readonly section: string; readonly text: string; readonly quote?: string }
  | {
      readonly type: 'change';
      readonly number: number;
      readonly section: string;
      readonly text: string;
      readonly quote?: string;
    }
  | { readonly type: 'retire'; readonly number: number; readonly quote?: string };

/** Behind a statement: words of the message that it comes from. */
export const FROM = /\s*[|(]?\s*\bfrom:\s*["“„«'‘](.+?)["”»'’]?\)?\s*$/is;
const CHANGE = /^\**(?:change|update|replace)\**\s+\[?s(\d+)\]?\**\s*(?:[:—–-]|to\b)\s*/i;
const NUMBERED = /^\[s(\d+)\]:?\s*/;
const RETIRE = /^\**(?:retire|remove|drop)\**\s+((?:\[?s\d+\]?(?:\s*(?:,|and)\s*)?)+)\**(?=$|[\s.:;,(—–-])/i;
const ADD = /^\**add\**:\s*/i;
const NO_CHANGES = /^\W*(?:no changes?|nothing (?:has )?changed|unchanged|none)\W*$/i;
/** A paragraph of more than this is taken in pieces of whole lines: nobody changes or retires it as a whole. */
const LONG_CHARS = 600;
/** What lines of a piece have together at most: a number for each line would cost more than it tells. */
const PIECE_CHARS = 300;

/**
 * The changes that an answer asks for, in its order. Whoever writes a whole text instead adds each of its statements; a
 * statement that is repeated with its number is a change of it, perhaps to the same.
 */
export function readChanges(body: string): readonly ItemChange[] {
  return splitStatements(body).flatMap(({ section, text }) =>
    NO_CHANGES.test(text) ? [] : splitLong(text).flatMap((one) => readStatement(section, one)),
  );
}

function readStatement(section: string, statement: string): readonly ItemChange[] {
  const quote = FROM.exec(statement)?.[1]?.trim();
  const text = (quote === undefined ? statement : statement.replace(FROM, '')).trim();
  const from = quote === undefined ? {} : { quote };
  const retired = RETIRE.exec(text)?.[1];
  if (retired !== undefined)
    return [...retired.matchAll(/s(\d+)/gi)].map(([, number]) => ({ type: 'retire', number: Number(number), ...from }));
  const changed = CHANGE.exec(text) ?? NUMBERED.exec(text);
  if (changed !== null) {
    const rest = text.slice(changed[0].length).replace(NUMBERED, '').trim();
    return rest === '' ? [] : [{ type: 'change', number: Number(changed[1]), section, text: rest, ...from }];
  }
  const added = text.replace(ADD, '').trim();
  return added === '' ? [] : [{ type: 'add', section, text: added, ...from }];
}

const splitLong = (text: string): readonly string[] =>
  text.length <= LONG_CHARS || /^\s*(?:```|~~~)/m.test(text) ? [text] : joinLines(text.split('\n'));

/** Neighbouring lines together, as far as they go. */
function joinLines(lines: readonly string[]): readonly string[] {
  const pieces: string[] = [];
  for (const line of lines.map((one) => one.trim())) {
    const last = pieces.at(-1) ?? '';
    if (line === '') continue;
    const standsAlone = last === '' || last.length + line.length >= PIECE_CHARS || isChange(last) || isChange(line);
    if (standsAlone) pieces.push(line);
    else pieces[pieces.length - 1] = `${last}\n${line}`;
  }
  return pieces;
}

/** A line that names a statement, or proves one, stands by itself. */
const isChange = (line: string): boolean => [CHANGE, NUMBERED, RETIRE, ADD, FROM].some((form) => form.test(line));
