import { nextToken, startScan } from './scan-tokens.ts';

/** What a working agent calls things by: exact strings that no paraphrase can stand for. */
export type IdentifierKind = 'path' | 'name' | 'flag' | 'number' | 'hash' | 'url' | 'variable';

/** Longer tokens are data (base64, minified code), not something one would type again. */
const longest = 160;

/** Told of an identifier, its kind, and where it begins. */
export type VisitIdentifier = (identifier: string, kind: IdentifierKind, index: number) => void;

/** Calls `visit` for every identifier in the text, in order, as often as it occurs. */
export function scanIdentifiers(text: string, visit: VisitIdentifier): void {
  for (const scan = startScan(text); nextToken(scan); ) {
    const found = text.slice(scan.start, scan.end);
    const kind = identifierKind(found);
    if (kind === undefined || (mayCountLines(text, scan.start, kind) && isLineNumber(text, scan.start, scan.behind)))
      continue;
    visit(found, kind, scan.start);
  }
}

const BLANK = 32;
const CAPITAL_L = 76;
const afterLineNumber = Array.from(':|→\t│', (sign) => sign.charCodeAt(0));
const lettered = /L\d+[:-]/y;

/** Whether an identifier may be the number of a line: most are neither numbers nor begin with an L. */
export const mayCountLines = (text: string, start: number, kind: IdentifierKind): boolean =>
  kind === 'number' || text.charCodeAt(start) === CAPITAL_L;

/** `  120→`, `120:` and `L120-` at the start of a line count the lines of a listing. */
export function isLineNumber(text: string, start: number, end: number): boolean {
  if (text.charCodeAt(start) === CAPITAL_L) {
    lettered.lastIndex = start;
    if (!lettered.test(text)) return false;
  } else {
    let next = end;
    while (text.charCodeAt(next) === BLANK && next < end + 3) next++;
    if (!afterLineNumber.includes(text.charCodeAt(next))) return false;
  }
  let before = start - 1;
  while (before >= 0 && text.charCodeAt(before) === BLANK && before > start - 12) before--;
  return before < 0 || text[before] === '\n';
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

const digit = /\d/;
const letter = /[A-Za-z]/;
const hash = /^[0-9a-f]{7,40}$/;
const hashOrUuid = /^[0-9a-f-]{7,40}$/;
const plainNumber = /^[\d.:]+$/;
const version = /^\d+(?:\.\d+)+-[a-z]/;
const variable = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
const name = /[a-z\d][A-Z]|_.*[A-Za-z]|[A-Za-z].*_|[.:>]|\d|^[A-Z]{4,}$/;

/** What a token is, or nothing where it is an ordinary word. */
export function identifierKind(found: string): IdentifierKind | undefined {
  if (found.length < 3 || found.length > longest) return undefined;
  if (found.startsWith('--')) return found.length > 3 ? 'flag' : undefined;
  if (found.includes('/')) return pathKind(found);
  if (isDigit(found.charCodeAt(0))) return numberKind(found);
  if (hash.test(found) && digit.test(found)) return 'hash';
  if (variable.test(found)) return 'variable';
  if (found.length < 4) return undefined;
  if (found.includes('-')) return 'name';
  return name.test(found) ? 'name' : undefined;
}

function pathKind(found: string): IdentifierKind | undefined {
  if (found.includes('://')) return 'url';
  // "and/or", "2/3" and a lone "/" are prose.
  return found.length >= 4 && letter.test(found) ? 'path' : undefined;
}

function numberKind(found: string): IdentifierKind | undefined {
  if (plainNumber.test(found)) return 'number';
  if (hashOrUuid.test(found)) return 'hash';
  return version.test(found) || found.startsWith('0x') ? 'number' : found.length >= 4 ? 'name' : undefined;
}

/** A longer identifier says shorter ones too: whoever reads `src/a/b.ts` has read `src/a`, `a/b.ts` and `b.ts`. */
export function visitParts(identifier: string, visit: (part: string) => void): void {
  for (let at = 1; at < identifier.length - 1; at++) {
    const code = identifier.charCodeAt(at);
    // `/` and `.`
    if (code !== 47 && code !== 46) continue;
    visit(identifier.slice(at + 1));
    visit(identifier.slice(0, at));
    if (code === 47) visit(identifier.slice(0, at + 1));
  }
}
