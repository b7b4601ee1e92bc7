/**
 * Secrets leave no trace in what is made from a conversation: a digest may go to another provider, into a store, onto a
 * screen. Better a harmless string hidden than a key shown, but never a path, a hash or a placeholder like `$TOKEN`.
 */
const marker = '[redacted]';

/** Values that name a secret instead of being one: `$TOKEN`, `${{ secrets.X }}`, `<your-key>`, `process.env.KEY`, `***`. */
const reference =
  /^(?:[$<%{[*.]|process\.|os\.|env\.|secrets?\.|xxx|your|null\b|none\b|true\b|false\b|undefined\b|string\b|\.\.\.)/i;

interface Rule {
  readonly find: RegExp;
  /** What stands in its place; without it, the marker for all of it. */
  readonly put?: (match: string, ...groups: string[]) => string;
}

const keepHead = (match: string, head: string, value: string): string =>
  reference.test(value) ? match : `${head}${marker}`;

const names =
  'pass(?:word|wd|phrase)|[_-]pass|secret|token|api[_-]?key|apikey|access[_-]?key|private[_-]?key|auth[_-]?token|credentials?';

/** Keys that vendors mark by a prefix. */
const keys: readonly Rule[] = [
  { find: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g },
  { find: /\b(?:sk|pk|rk)[-_](?:ant-|proj-|live_|test_|or-)?[A-Za-z0-9_-]{16,}/g },
  {
    find: /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{20,})/g,
  },
  {
    find: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}|\bxox[abprs]-[\w-]{10,}|\blin_api_\w{20,}/g,
  },
  { find: /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/g },
];

const addresses: readonly Rule[] = [
  { find: /([a-z][a-z+.-]{1,20}:\/\/[^\s/:@"'`]{0,100}:)([^\s/@"'`]{1,200})(?=@)/g, put: keepHead },
];

const headers: readonly Rule[] = [
  { find: /(\b(?:bearer|basic)\s{1,8})((?=[A-Za-z+/._~-]{0,40}\d)[A-Za-z0-9+/._~-]{12,}=*)/gi, put: keepHead },
  {
    find: /((?:authorization|x-api-key|cookie)["']?\s{0,8}[:=]\s{0,8}["']?)(?!bearer|basic)([^\s"',;]{8,})/gi,
    put: keepHead,
  },
];

/** `NAME=value`, `"name": "value"`, `--name value`. Prose ("the token is") and types ("token: string") stay. */
const assignments: readonly Rule[] = [
  {
    find: new RegExp(`((?:${names})["']?\\s{0,8}(?:=|:=|=>)\\s{0,8}["']?)([^\\s"'\`,;&)]{6,})`, 'gi'),
    put: keepCode,
  },
  { find: new RegExp(`((?:${names})["']\\s{0,8}:\\s{0,8}["'])([^"'\\n]{6,})`, 'gi'), put: keepHead },
  { find: new RegExp(`((?<![\\w-])--?(?:${names})[= ]["']?)([^\\s"'-][^\\s"']{5,})`, 'gi'), put: keepHead },
  { find: new RegExp(`(\\b(?:${names})\\s{0,8}(?:is|:)\\s{1,8}["'\`]?)([^\\s"'\`]{6,200})`, 'gi'), put: keepProse },
];

/** In order. Where `mark`, which is fast, finds nothing, none of the rules finds anything; what a rule puts in hides nothing from it. */
const groups: readonly { readonly mark?: RegExp; readonly rules: readonly Rule[] }[] = [
  { rules: keys },
  { mark: /:\/\/[^\s/:@]{0,100}:[^\s/@]{1,200}@/, rules: addresses },
  { rules: headers },
  { mark: new RegExp(`(?:${names})["']?\\s{0,8}(?:[:=]|is\\s)|-(?:${names})[= ]`, 'i'), rules: assignments },
];

/** An assignment in code (`token = readToken()`, `key=self.key`) is no secret; a literal is. */
function keepCode(match: string, head: string, value: string): string {
  if (reference.test(value) || /[(){}[\]<>]/.test(value)) return match;
  const literal = /["']$/.test(head) || /\d/.test(value) || /^[^.]*[!#%^&*+=/][^.]*$/.test(value);
  const dottedName = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/.test(value) && !/["']$/.test(head) && !/\d.*\d/.test(value);
  return literal && !dottedName ? `${head}${marker}` : match;
}

/** "The password is" may be followed by any word; by one of letters and digits mixed, it is one. */
function keepProse(match: string, head: string, value: string): string {
  return /\d/.test(value) && /[A-Za-z]/.test(value) ? keepCode(match, head, value) : match;
}

/** Where none of these begins, none of the rules can match. */
export const suspicion = new RegExp(
  `${names}|PRIVATE KEY|sk[-_]|[pr]k_|gh[pousr]_|github_pat|glpat|npm_|hf_|AKIA|ASIA|AIza|ya29|xox|lin_api|eyJ|:\\/\\/[^\\s/:@]{0,100}:[^\\s/@]{1,200}@|bearer|basic |authorization|cookie`,
  'iy',
);

/** The first three characters of each of them. */
const openings =
  'pas _pa -pa sec tok api acc pri aut cre sk- sk_ pk_ rk_ ghp gho ghu ghs ghr git glp npm hf_ aki asi aiz ya2 xox lin eyj :// bea bas coo'.split(
    ' ',
  );

/** Three characters, whatever their case, as a number of fifteen bits; other ones may have the same. */
const addOpening = (before: number, code: number): number => ((before << 5) | (code & 31)) & 0x7fff;

const isOpening = new Uint8Array(0x8000);
for (const opening of openings) {
  let number = 0;
  for (let at = 0; at < opening.length; at++) number = addOpening(number, opening.charCodeAt(at));
  isOpening[number] = 1;
}

/** One cheap look decides for most texts that none of the rules can match. */
export function isSuspicious(text: string): boolean {
  for (let at = 0, number = 0; at < text.length; at++) {
    number = addOpening(number, text.charCodeAt(at));
    if (isOpening[number] !== 1 || at < 2) continue;
    suspicion.lastIndex = at - 2;
    if (suspicion.test(text)) return true;
  }
  return false;
}

/** The text without its secrets: keys, tokens, private keys, passwords in addresses, arguments and assignments. */
export function redact(text: string): string {
  if (!isSuspicious(text)) return text;
  let clean = text;
  for (const { mark, rules } of groups) {
    if (mark?.test(clean) === false) continue;
    for (const { find, put } of rules)
      clean = put === undefined ? clean.replace(find, marker) : clean.replace(find, put);
  }
  return clean;
}

const secretName = new RegExp(`(?:${names})$`, 'i');

/** Whether a field's name says that its value is a secret. */
export const isSecretName = (name: string): boolean => secretName.test(name);
