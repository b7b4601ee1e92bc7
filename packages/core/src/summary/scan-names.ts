/** What a working agent calls things by: exact strings that no paraphrase can stand for. */

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
  [url, flag, uuid, path, dotted, kebab, word, number].map(({ source }) => source).join('|'),
  'g',
);
/** An ordinary word is none of these. */
const telling = /^--|\/.*[A-Za-z]|[A-Za-z].*\/|[a-z\d][A-Z]|_.*[A-Za-z]|[A-Za-z].*_|[.:>]|\d|-|^[A-Z]{4,}$/;
const LONGEST = 160;

/** Calls `visit` for every identifier in the text, in order, as often as it occurs: paths, names, flags, hashes, numbers. */
export function scanNames(text: string, visit: (name: string) => void): void {
  for (const [found] of text.matchAll(token)) {
    const name = found.replace(/[.,:;/-]+$/, '');
    if (name.length >= 3 && name.length <= LONGEST && telling.test(name)) visit(name);
  }
}
