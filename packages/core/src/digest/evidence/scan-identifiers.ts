/** What a working agent calls things by: exact strings that no paraphrase can stand for. */
export type IdentifierKind = 'path' | 'name' | 'flag' | 'number' | 'hash' | 'url' | 'variable';

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

const token = new RegExp(
  [url, flag, uuid, path, dotted, kebab, word, number].map((part) => part.source).join('|'),
  'g',
);

/** Longer tokens are data (base64, minified code), not something one would type again. */
const longest = 160;

/** Told of an identifier, its kind, and where it begins. */
export type VisitIdentifier = (identifier: string, kind: IdentifierKind, index: number) => void;

/** Calls `visit` for every identifier in the text, in order, as often as it occurs. */
export function scanIdentifiers(text: string, visit: VisitIdentifier): void {
  token.lastIndex = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    if (isPlainWord(match[0])) continue;
    const found = trimNoise(match[0]);
    const kind = found.length > longest ? undefined : identifierKind(found);
    if (kind === undefined || (kind === 'number' && isLineNumber(text, match.index, token.lastIndex))) continue;
    visit(found, kind, match.index);
  }
}

/** Letters only, and no capital but the first: what most tokens are, and no identifier. */
function isPlainWord(word: string): boolean {
  for (let at = word.length - 1; at > 0; at--) {
    const code = word.charCodeAt(at);
    if (code < 97 || code > 122) return false;
  }
  const first = word.charCodeAt(0) | 32;
  return first >= 97 && first <= 122;
}

const tailNoise = /[.:,;+\-$]+$/;
const trimNoise = (found: string): string => (tailNoise.test(found) ? found.replace(tailNoise, '') : found);

const afterLineNumber = new Set([':', '|', '→', '\t', '│']);

/** `  120→` and `120:` at the start of a line count the lines of a listing. */
function isLineNumber(text: string, start: number, end: number): boolean {
  let next = end;
  while (text[next] === ' ' && next < end + 3) next++;
  if (!afterLineNumber.has(text[next] ?? '')) return false;
  let before = start - 1;
  while (before >= 0 && text[before] === ' ' && before > start - 12) before--;
  return before < 0 || text[before] === '\n';
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** What a token is, or nothing where it is an ordinary word. */
export function identifierKind(found: string): IdentifierKind | undefined {
  if (found.length < 3) return undefined;
  if (found.startsWith('--')) return found.length > 3 ? 'flag' : undefined;
  if (found.includes('/')) return pathKind(found);
  if (isDigit(found.charCodeAt(0))) return numberKind(found);
  if (/^[0-9a-f]{7,40}$/.test(found) && /\d/.test(found)) return 'hash';
  if (/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(found)) return 'variable';
  if (found.length < 4) return undefined;
  if (found.includes('-')) return 'name';
  return /[a-z\d][A-Z]|_.*[A-Za-z]|[A-Za-z].*_|[.:>]|\d|^[A-Z]{4,}$/.test(found) ? 'name' : undefined;
}

function pathKind(found: string): IdentifierKind | undefined {
  if (found.includes('://')) return 'url';
  // "and/or", "2/3" and a lone "/" are prose.
  return found.length >= 4 && /[A-Za-z]/.test(found) ? 'path' : undefined;
}

function numberKind(found: string): IdentifierKind | undefined {
  if (/^[\d.:]+$/.test(found)) return 'number';
  if (/^[0-9a-f-]{7,40}$/.test(found)) return 'hash';
  return /^\d+(?:\.\d+)+-[a-z]/.test(found) || /^0x/.test(found) ? 'number' : found.length >= 4 ? 'name' : undefined;
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
