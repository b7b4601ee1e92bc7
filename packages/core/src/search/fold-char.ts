/** What one UTF-16 unit is to a search: nothing, part of a word, or a word by itself and with its neighbour. */
export const Kind = { unread: 0, gap: 1, lower: 2, upper: 3, digit: 4, dense: 5, mark: 6 } as const;

const UNITS = 0x1_0000;
const kinds = new Uint8Array(UNITS);
const folded = new Uint16Array(UNITS);

/** Written without spaces between words, or with endings that hide them: read by pairs of characters. */
const DENSE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** The kind of a unit; each is looked up once. */
export function kindOf(unit: number): number {
  const known = kinds[unit] ?? 0;
  return known === Kind.unread ? learnUnit(unit) : known;
}

/** Lower case, without accents and width: `É`, `é` and `ｅ` are read as `e`. */
export const foldUnit = (unit: number): number => folded[unit] ?? unit;

function learnUnit(unit: number): number {
  const kind = findKind(unit);
  kinds[unit] = kind;
  folded[unit] = findFolded(unit);
  return kind;
}

function findKind(unit: number): number {
  // Halves of pairs: rare scripts and pictures, each of which is looked for by itself.
  if (unit >= 0xd800 && unit <= 0xdfff) return Kind.dense;
  const char = String.fromCharCode(unit);
  if (/[\p{M}]/u.test(char)) return DENSE.test(char) ? Kind.dense : Kind.mark;
  if (/\p{N}/u.test(char)) return Kind.digit;
  if (DENSE.test(char)) return Kind.dense;
  if (/\p{Lu}/u.test(char)) return Kind.upper;
  return /\p{L}/u.test(char) ? Kind.lower : Kind.gap;
}

function findFolded(unit: number): number {
  if (unit >= 0xd800 && unit <= 0xdfff) return unit;
  const plain = String.fromCharCode(unit).normalize('NFKD');
  const isBare = plain.length === 1 || /^.\p{M}+$/u.test(plain);
  const lower = (isBare ? plain.slice(0, 1) : String.fromCharCode(unit)).toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : unit;
}
