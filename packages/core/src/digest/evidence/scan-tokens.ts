const url = /[a-z][a-z+]{1,9}:\/\/[^\s"'`<>()[\]{}\\|]+/;
const flag = /--[A-Za-z][\w-]+/;
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
const letters = 'A-Za-z\\u00c0-\\u024f';
/** Bounded steps, and never from within a run: a screen full of dashes must not cost the square of its length. */
const step = `[\\w@.+$${letters}-]`;
const path = new RegExp(`(?<!${step})(?:~|\\.{1,2}|[A-Za-z]:)?/?(?:${step}{1,100}/)+[\\w@.+${letters}-]*`);
const dotted = /(?<![\w$-])[A-Za-z_$@][\w$-]{0,80}(?:(?:\.|::|->)[\w$-]+)+/;
const kebab = /[a-z][a-z0-9]*(?:-[a-z0-9]+)+/;
const word = /[A-Za-z_$][\w$]*/;
const number = /\d\w*(?:\.\d+)*(?:-[a-z]+\.?\d*)?/;

/** What a token is. The scanner below finds the same ones, most of them without it. */
export const tokenPattern = new RegExp(
  [url, flag, uuid, path, dotted, kebab, word, number].map((part) => part.source).join('|'),
  'y',
);

/** What a UTF-16 unit is to a token: nothing, a part of a word, or something that may join two words. */
const Unit = { gap: 0, lower: 1, upper: 2, digit: 4, under: 8, dollar: 16, joint: 32 } as const;
const inWord = Unit.lower | Unit.upper | Unit.digit | Unit.under | Unit.dollar;
const startsWord = Unit.lower | Unit.upper;

const DOT = 46;
const SLASH = 47;
const DASH = 45;
const COLON = 58;
const MORE = 62;
const AT = 64;
const TILDE = 126;
const FIRST_ACCENT = 0xc0;
const LAST_ACCENT = 0x24f;

function unitOf(code: number): number {
  if (code >= FIRST_ACCENT) return Unit.joint;
  const char = String.fromCharCode(code);
  if (/[a-z]/.test(char)) return Unit.lower;
  if (/[A-Z]/.test(char)) return Unit.upper;
  if (/\d/.test(char)) return Unit.digit;
  if (char === '_') return Unit.under;
  if (char === '$') return Unit.dollar;
  return /[-./:@+~]/.test(char) ? Unit.joint : Unit.gap;
}

/** Behind the last accent there are gaps only, which need not be asked for one by one: every process begins with this. */
const units = new Uint8Array(0x1_0000);
units.set(Uint8Array.from({ length: LAST_ACCENT + 1 }, (_, code) => unitOf(code)));

/** Behind the end of a text there is a gap. */
const unitAt = (text: string, at: number): number => (at < text.length ? (units[text.charCodeAt(at)] as number) : 0);

/** Where a scan of a text stands: at a token, without the signs at its end, its hash, and where it ends with them. */
export interface TokenScan {
  readonly text: string;
  start: number;
  end: number;
  hash: number;
  behind: number;
}

/**
 * What stands for a line's end, a tab or another sign in a text that was quoted once more: `.\nAdded`. In a path that is parted by
 * backslashes a name may begin so as well, mostly with a small letter behind it. Of a text that opens with one, `"\nAdded`, it is taken for
 * a part of the name, as the measure takes it.
 */
const escapes =
  /(?<![\w.:\\])\\b|(?<![\w.:"\\])(?:\\[nrtfv])+|(?<=[.:])(?:\\[nrt])+(?=[A-Z])|(?:\\[nrt]){2,}|\\(?:x1b|u001b|033|e)\[[\d;]*m|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}/g;

/** A scan that stands before the first token. To it an escape is as many blanks. */
export const startScan = (text: string): TokenScan => ({
  text: text.includes('\\') ? text.replace(escapes, (found) => ' '.repeat(found.length)) : text,
  start: 0,
  end: 0,
  hash: 0,
  behind: 0,
});

/** A number that equal tokens have in common. */
export function hashToken(text: string, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at++) hash = addUnit(hash, text.charCodeAt(at));
  return hash;
}

/** The hash of one unit more: below 2 ** 30. */
export const addUnit = (hash: number, code: number): number => Math.imul(hash ^ code, 0x0100_0193) & 0x3fff_ffff;

/**
 * Goes on to the next token of the text, past those that are no identifier whatever stands around them: of two characters, or of
 * letters with no capital but the first. A word behind which nothing can join it is read by itself; the pattern, which is slow, reads the
 * others. Answers whether there was one.
 */
export function nextToken(scan: TokenScan): boolean {
  const { text } = scan;
  const { length } = text;
  for (let at = scan.behind; at < length; ) {
    let code = text.charCodeAt(at);
    const first = units[code] as number;
    if (first === Unit.gap || (first === Unit.joint && !mayStart(text, at))) {
      at++;
      continue;
    }
    if (first !== Unit.joint) {
      let end = at + 1;
      let hash = addUnit(0, code);
      let others = 0;
      let unit: number = Unit.gap;
      for (; end < length; end++) {
        code = text.charCodeAt(end);
        unit = units[code] as number;
        if ((unit & inWord) === 0) break;
        hash = addUnit(hash, code);
        others |= unit;
      }
      if ((others & Unit.dollar) === 0 && (end === length || unit === Unit.gap || isEnd(text, at, end))) {
        if (mayBeIdentifier(first, others, end - at)) {
          scan.start = at;
          scan.end = end;
          scan.hash = hash;
          scan.behind = end;
          return true;
        }
        at = end;
        continue;
      }
    }
    if (matchToken(scan, at)) return true;
    at = scan.behind;
  }
  return false;
}

/** Reads the token that begins here by the pattern, if one does and it may be an identifier; `behind` is where to go on. */
function matchToken(scan: TokenScan, at: number): boolean {
  const { text } = scan;
  tokenPattern.lastIndex = at;
  const isFound = tokenPattern.test(text);
  scan.behind = isFound ? tokenPattern.lastIndex : at + 1;
  if (!isFound) return false;
  let end = scan.behind;
  while (end > at && isTailNoise(text.charCodeAt(end - 1))) end--;
  if (end - at <= 2 || isPlainWord(text, at, end)) return false;
  scan.start = at;
  scan.end = end;
  scan.hash = hashToken(text, at, end);
  return true;
}

/** Whether a unit is no part of a token that it ends: one of `.:,;+-$`. */
const isTailNoise = (code: number): boolean =>
  (code >= 43 && code <= 46) || code === COLON || code === 59 || code === 36;

/** Whether a word may be one, by its first unit and all others: of letters with no capital but the first it is none, and hardly one of three. */
function mayBeIdentifier(first: number, others: number, length: number): boolean {
  if (length < 3) return false;
  if (first === Unit.digit) return true;
  return length === 3 ? (others & Unit.under) !== 0 : (others & ~Unit.lower) !== 0 || (first & startsWord) === 0;
}

/** Whether no token goes on behind a word that ends here. */
function isEnd(text: string, start: number, end: number): boolean {
  if (unitAt(text, end) !== Unit.joint) return true;
  const code = text.charCodeAt(end);
  const next = unitAt(text, end + 1);
  const nextCode = text.charCodeAt(end + 1);
  switch (code) {
    case DOT:
      return next === Unit.gap;
    case DASH:
      return next === Unit.gap && nextCode !== MORE;
    case COLON:
      return nextCode !== SLASH && nextCode !== COLON && end - start > 1;
    default:
      return code === TILDE;
  }
}

/** Whether a token may begin with a sign. */
function mayStart(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const next = unitAt(text, at + 1);
  if (code === COLON || next === Unit.gap) return false;
  if (!isStep(text, at - 1) || code === AT) return true;
  // Within a run of steps no path begins.
  return code === DASH && text.charCodeAt(at + 1) === DASH && (unitAt(text, at + 2) & startsWord) !== 0;
}

/** Whether a unit may stand between two slashes. */
function isStep(text: string, at: number): boolean {
  const unit = at < 0 ? Unit.gap : unitAt(text, at);
  if (unit !== Unit.joint) return unit !== Unit.gap;
  const code = text.charCodeAt(at);
  return code !== SLASH && code !== COLON && code !== TILDE;
}

/** Letters only, and no capital but the first: what most tokens are, and no identifier. */
function isPlainWord(text: string, start: number, end: number): boolean {
  for (let at = end - 1; at > start; at--) if (unitAt(text, at) !== Unit.lower) return false;
  return (unitAt(text, start) & startsWord) !== 0;
}
