/**
 * Hides keys, tokens and passwords in text that leaves: exported pages, logs, handoffs, requests to another provider. A name is not a
 * secret, even if it begins with `sk-` or follows `token:`. Only a value that looks random is hidden, or one of a known format.
 */
const MARKER = '[redacted]';

/**
 * Random text changes between lower case, upper case, digits and symbols every two or three characters; words, numbers and names made
 * of them do not. Only the longest piece between separators counts, because a name of many short words has short pieces.
 */
function looksRandom(value: string): boolean {
  if (uuid.test(value)) return true;
  let piece = '';
  for (const next of value.split(/[-_.:/=$]+/)) if (next.length > piece.length) piece = next;
  const runs = piece.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^A-Za-z\d]+/g)?.length ?? 0;
  return piece.length >= 8 && runs >= 5 && piece.length <= runs * 3 && !camelCase.test(piece);
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const camelCase = /^[a-z]*(?:[A-Z][a-z]+)*$/;

/** What stands for a password in examples: `$PASSWORD`, `<password>`, `***`, `xxxx`, `password`. */
const placeholder = /^(?:[$<{[(*%].*|x{3,}|(?:my|your)?[-_]?(?:pass(?:word|wd)?|pwd|secret|token|changeme))$/i;

/** This machine, its network, and the names reserved for examples. */
const localHost =
  /^(?:|127\.[\d.]+|0\.0\.0\.0|host\.docker\.internal|(?:.+\.)?(?:local|localhost|test|invalid|example(?:\.\w+)?))$/i;

function isPassword(value: string, head: string, host = ''): boolean {
  if (placeholder.test(value) || head.endsWith(`/${value}:`)) return false;
  return looksRandom(value) || !localHost.test(host);
}

/** How keys begin, as their vendors document it. */
const vendors = [
  ...['sk-(?:proj|ant|or|svcacct|admin)-', 'sk-(?=[A-Za-z\\d]{32})', '[ps]k-lf-', '[prs]k_(?:live|test)_', 'whsec_'],
  ...['gh[opsru]_', 'github_pat_', 'glpat-', 'npm_', 'pypi-', 'gsk_', 'xai-', 'r8_', 'pplx-', 'nvapi-', 'AIza'],
  ...['ya29\\.', 'xox[abceoprs]-', 'xapp-', 'lin_api_', 'do[opr]_v1_', 'shp(?:at|ca|pa|ss)_', 'SG\\.', 'dckr_pat_'],
  ...['sbp_', 'hvs\\.', 'glsa_'],
].join('|');

const names =
  'pass(?:word|wd|phrase)|[_-]pass|secret(?:[_-]?key(?:[_-]?base)?)?|token|(?:api|access|private|signing|encryption)[_-]?key|credentials?|authorization|cookie';

const quote = '\\\\?["\'`]?';

interface Rule {
  /** The first group stays, the second is the secret; a third is its host. */
  readonly find: RegExp;
  readonly isSecret?: (value: string, head: string, host?: string) => boolean;
}

const rules: readonly Rule[] = [
  {
    find: /()(-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----(?:(?:[^-]|-(?!----)){0,20000}-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|(?:(?:\s|\\[nr])*[\w+/=]{16,})+))/g,
    isSecret: (block) => /[A-Za-z\d+/]{20}/.test(block),
  },
  { find: /()(\beyJ[\w-]{10,500}\.eyJ[\w-]{8,8000}\.[\w-]{40,})/g },
  { find: /()(\b(?:AKIA|ASIA)(?=[A-Z]*\d)(?!\w*EXAMPLE)[A-Z\d]{16}\b)/g },
  { find: /()(\bhf_(?=\w*[A-Z]{2})[A-Za-z\d]{34}\b)/g },
  { find: /()(\b(?:sk-ant-[a-z]+\d\d-|github_pat_|AIza(?=[\w-]{35}))[\w-]{16,})/g },
  { find: new RegExp(`()(\\b(?:${vendors})[\\w.-]{16,})`, 'g'), isSecret: looksRandom },
  {
    find: /([a-z][a-z\d+.-]{1,20}:\/\/[^\s/:@"'`]{0,100}:)([^\s/@"'`]{1,200})(?=@([\w.-]*))/g,
    isSecret: isPassword,
  },
  {
    // People make these up: in an environment or in JSON, a word with a digit is a password.
    find: /(\b[A-Z\d_]*PASS(?:WORD|WD|PHRASE)?=["']?|pass(?:word|wd|phrase)\\?["']\s{0,8}:\s{0,8}\\?["'])([^\s"'`,;&(){}[\]<>\\]{8,})/g,
    isSecret: (value) => /\d/.test(value) && /[A-Za-z]/.test(value) && !placeholder.test(value),
  },
  {
    find: /(\b(?:bearer|authorization\\?["']?\s{0,8}[:=]\s{0,8}\\?["']?(?:basic|token))\s{1,8})([\w+/.~-]{12,}=*)/gi,
    isSecret: looksRandom,
  },
  {
    // `NAME=value`, `"name": "value"`, `name is value`, `--name value`.
    find: new RegExp(
      `((?:(?:${names})${quote}\\s{0,8}(?:[:=]=?>?|\\bis\\s)\\s{0,8}|(?<![\\w-])--?(?:[\\w-]{0,20}-)?(?:${names}) )${quote})([^\\s"'\`,;&(){}[\\]<>\\\\]{8,})`,
      'gi',
    ),
    isSecret: looksRandom,
  },
];

/** One cheap look rules out most texts. It finds at least what the rules find. */
const suspicion = new RegExp(
  `${names}|${vendors}|PRIVATE KEY|AKIA|ASIA|hf_|eyJ|bearer|://[^\\s/:@"'\`]{0,100}:[^\\s/@"'\`]{1,200}@`,
  'i',
);

/** The text without its secrets: keys, tokens, private keys, passwords in addresses and assignments. */
export function redact(text: string): string {
  if (!suspicion.test(text)) return text;
  let clean = text;
  for (const { find, isSecret } of rules)
    clean = clean.replace(find, (match: string, head: string, value: string, host?: string) =>
      isSecret?.(value, head, host) === false ? match : `${head}${MARKER}`,
    );
  return clean;
}

const secretName = new RegExp(`(?:${names})$`, 'i');

/** Whether a field's name says that its value is a secret. */
export const isSecretName = (name: string): boolean => secretName.test(name);
