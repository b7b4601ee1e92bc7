import * as characters from './character-kinds.ts';
import { HIRAGANA_PAIRS } from './frequent-characters.ts';
import type { Scan } from './scan.ts';
import * as scanning from './scan.ts';

// Per character: local names, since loaders that rewrite imports make each use of an imported one a call.
const { EARLY, FAMILY, FIRST, LATE, SCRIPT, SYMBOL } = characters;
const { kindAt, settleScan } = scanning;

/** A letter that repeats the one before it: such runs are not in the vocabulary. */
const REPEATED = 48;
const KNOWN_PAIR = 2;

const KANA = 0x3040;
const KANA_COUNT = 0x60;
const kanaPairs = new Uint8Array(KANA_COUNT * KANA_COUNT);
for (let at = 0; at < HIRAGANA_PAIRS.length; at += 2) {
  kanaPairs[(HIRAGANA_PAIRS.charCodeAt(at) - KANA) * KANA_COUNT + HIRAGANA_PAIRS.charCodeAt(at + 1) - KANA] = 1;
}
const isKana = (unit: number): boolean => unit >= KANA && unit < KANA + KANA_COUNT;
const isKnownPair = (left: number, right: number): boolean =>
  isKana(left) && isKana(right) && kanaPairs[(left - KANA) * KANA_COUNT + right - KANA] === 1;

/** Letters of scripts other than Latin, up to the first character that is none. */
export function priceScriptWords(scan: Scan): void {
  const { text } = scan;
  let at = scan.at;
  let cost = scan.prefix;
  let family = -1;
  let length = 0;
  let last = 0;
  while (at < text.length) {
    const kind = kindAt(text, at);
    if (kind < SCRIPT || kind >= SYMBOL) break;
    const unit = text.charCodeAt(at);
    const paired = unit >= 0xd800 && unit < 0xdc00;
    const row = kind - SCRIPT;
    if (FAMILY[row] !== family) {
      family = FAMILY[row]!;
      length = 1;
      cost += FIRST[row]!;
    } else {
      length++;
      if (unit === last && !paired) cost += REPEATED;
      else if (isKnownPair(last, unit)) cost += KNOWN_PAIR;
      else cost += length <= 4 ? EARLY[row]! : LATE[row]!;
    }
    last = unit;
    at += paired ? 2 : 1;
  }
  scan.at = at;
  scan.cost += cost;
  settleScan(scan, false);
}
