import { CAPITAL, DIGIT, EARLY, FAMILY, FIRST, kindOf, LATE, SCRIPT, SYMBOL } from './character-kinds.ts';
import { HIRAGANA_PAIRS } from './frequent-characters.ts';
import { CAPITAL_PAIRS, LETTER_PAIRS, LETTER_RUNS } from './pair-costs.ts';
import { kindAt, type Scan, settle, TOKEN, unpack } from './scan.ts';

/** A word that opens with a letter outside a to z, by the letter's kind from 26 on. */
const ACCENTED_START = [32, 20, 18, 59] as const;
/** A letter that repeats the one before it, in a script other than Latin: such runs are not in the vocabulary. */
const REPEATED = 24;
const APOSTROPHE = 39;
const TYPED_APOSTROPHE = 0x2019;

const letterPairs = unpack(LETTER_PAIRS, 32);
const capitalPairs = unpack(CAPITAL_PAIRS, 32);
const letterRuns = unpack(LETTER_RUNS, CAPITAL);

/** The first pair of a word counts half: nearly every two letters are a token. */
const pairCost = (left: number, right: number): number => {
  const pair = ((left & 31) << 5) | (right & 31);
  return (left & right) >= CAPITAL && (left & 31) < 26 && (right & 31) < 26 ? capitalPairs[pair]! : letterPairs[pair]!;
};

const KANA = 0x3040;
const kanaPairs = new Uint8Array(0x60 * 0x60);
for (let at = 0; at < HIRAGANA_PAIRS.length; at += 2) {
  kanaPairs[(HIRAGANA_PAIRS.charCodeAt(at) - KANA) * 0x60 + HIRAGANA_PAIRS.charCodeAt(at + 1) - KANA] = 1;
}
const isKana = (unit: number): boolean => unit >= KANA && unit < KANA + 0x60;
const isKnownPair = (left: number, right: number): boolean =>
  isKana(left) && isKana(right) && kanaPairs[(left - KANA) * 0x60 + right - KANA] === 1;

/** Letters of any script up to the first character that is none. */
export function words(scan: Scan): void {
  const { text } = scan;
  let { at } = scan;
  let cost = scan.prefix;
  let last = -1;
  let length = 0;
  let repeats = 0;
  let family = -1;
  let lastUnit = 0;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    const kind = unit < 0xd800 ? kindOf(unit, 0) : kindAt(text, at);
    if (kind < DIGIT) {
      const letter = kind & 31;
      if (last < 0 || (kind >= CAPITAL && last < CAPITAL)) {
        cost += TOKEN + (letter < 26 ? 0 : ACCENTED_START[letter - 26]!);
        length = 1;
      } else {
        length++;
        repeats = kind === last ? repeats + 1 : 0;
        cost +=
          repeats > 1 && letter < 26
            ? letterRuns[kind]!
            : length === 2
              ? pairCost(last, kind) / 2
              : pairCost(last, kind);
        // Few tokens are longer than eight letters, hardly any longer than twelve.
        if (length > 8 && length <= 20) cost += length > 12 ? 10 : 3;
      }
      last = kind;
      family = -1;
      at++;
    } else if (kind >= SCRIPT && kind < SYMBOL) {
      const row = kind - SCRIPT;
      if (FAMILY[row] !== family) {
        family = FAMILY[row]!;
        length = 1;
        cost += FIRST[row]!;
      } else {
        length++;
        if (unit === lastUnit && unit < 0xd800) cost += REPEATED;
        else if (isKnownPair(lastUnit, unit)) cost += 1;
        else cost += length <= 4 ? EARLY[row]! : LATE[row]!;
      }
      last = -1;
      lastUnit = unit;
      at += unit >= 0xd800 && unit < 0xdc00 ? 2 : 1;
    } else {
      const suffix = last >= 0 && (unit === APOSTROPHE || unit === TYPED_APOSTROPHE) ? contraction(text, at) : 0;
      if (suffix > 0 && unit === TYPED_APOSTROPHE) cost += TOKEN;
      at += suffix;
      break;
    }
  }
  scan.at = at;
  scan.cost += cost;
  settle(scan, false);
}

/** The length of 's, 't, 'll and the like, which stay with their word. */
function contraction(text: string, at: number): number {
  const one = String.fromCharCode(text.charCodeAt(at + 1) | 32);
  const two = String.fromCharCode(text.charCodeAt(at + 2) | 32);
  const size = 'sdmt'.includes(one) ? 2 : (one === 'l' && two === 'l') || ('vr'.includes(one) && two === 'e') ? 3 : 0;
  const after = text.charCodeAt(at + size) | 32;
  return after >= 97 && after <= 122 ? 0 : size;
}
