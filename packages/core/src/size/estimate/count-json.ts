import type { Json } from '../../message/message.ts';

/** How many tokens a text takes. */
export type CountText = (text: string) => number;

type Leaf = string | number | boolean | null;

/** Calls `visit` with every key and every value that is no container; deep nesting does not deepen the stack. */
function visitLeaves(value: Json, visit: (leaf: Leaf, isKey: boolean) => void): { containers: number; commas: number } {
  const open: Json[] = [value];
  let containers = 0;
  let commas = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === null || typeof next !== 'object') {
      visit(next, false);
      continue;
    }
    containers++;
    const before = open.length;
    if (Array.isArray(next)) {
      for (const item of next as readonly Json[]) open.push(item ?? null);
    } else {
      const fields = next as { readonly [key: string]: Json };
      for (const key of Object.keys(fields)) {
        const field = fields[key];
        if (field === undefined) continue;
        visit(key, true);
        open.push(field);
      }
    }
    commas += Math.max(0, open.length - before - 1);
  }
  return { containers, commas };
}

/**
 * The tokens of a value written as JSON, without writing it: its texts, and one token for each pair of quotes, comma or colon,
 * for each pair of brackets and for each escape. Against the written JSON of 2,500 recorded calls: 0.89 to 1.13 in 98 of 100.
 */
export function countJson(value: Json, countText: CountText): number {
  let tokens = 0;
  const { containers } = visitLeaves(value, (leaf, isKey) => {
    if (typeof leaf !== 'string') tokens += countText(String(leaf)) + 1;
    else tokens += countText(leaf) + 1 + (isKey ? 0 : countEscapes(leaf));
  });
  return tokens + containers;
}

/** What a character becomes when JSON escapes it: as many tokens as \\n, \\" and \\\\ (one), or as \\u001b (three). */
function countEscapes(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length; at++) {
    const bytes = measureEscape(text, at);
    if (bytes > 0) tokens += bytes === 2 ? 1 : 3;
  }
  return tokens;
}

/** The length of the escape that JSON writes for the character at `at`, or 0 where it writes the character itself. */
function measureEscape(text: string, at: number): 0 | 2 | 6 {
  const unit = text.charCodeAt(at);
  if (unit === 34 || unit === 92) return 2;
  if (unit < 0x20) return unit >= 8 && unit <= 13 && unit !== 11 ? 2 : 6;
  if ((unit & 0xf800) !== 0xd800) return 0;
  const opens = (unit & 0xfc00) === 0xd800;
  return (text.charCodeAt(opens ? at + 1 : at - 1) & 0xfc00) === (opens ? 0xdc00 : 0xd800) ? 0 : 6;
}

/** The bytes of a value written as JSON in UTF-8. */
export function bytesOfJson(value: Json): number {
  let bytes = 0;
  const { containers, commas } = visitLeaves(value, (leaf, isKey) => {
    bytes += typeof leaf === 'string' ? bytesOfText(leaf) + 2 : String(leaf).length;
    if (isKey) bytes += 1;
  });
  return bytes + 2 * containers + commas;
}

/** The bytes of a text inside a JSON string in UTF-8, without its quotes. */
export function bytesOfText(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x20 && unit < 0x80 && unit !== 34 && unit !== 92) bytes += 1;
    else if (unit >= 0x80 && unit < 0x800) bytes += 2;
    // Each half of a pair stands for half of its four bytes.
    else bytes += measureEscape(text, at) || ((unit & 0xf800) === 0xd800 ? 2 : 3);
  }
  return bytes;
}

/** Every string value in a JSON value, keys not among them. */
export function visitStrings(value: Json, visit: (text: string) => void): void {
  visitLeaves(value, (leaf, isKey) => {
    if (!isKey && typeof leaf === 'string') visit(leaf);
  });
}
