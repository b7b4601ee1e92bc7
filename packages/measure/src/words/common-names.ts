/**
 * Names that say nothing of a session: a model knows them without having seen them there, so a view that holds them holds
 * nothing. Bare numbers of less than five digits are counts, lines and sizes; whether one of them stands somewhere is chance.
 */

const FLAGS = new Set(
  (
    '--all --amend --cached --color --config --continue --delete --depth --diff --dry-run --exclude --exit-code --file --filter --fix --force --format ' +
    '--global --grep --hard --head --help --ignore-case --include --init --json --limit --line-number --list --local --max-count --message --name --name-only ' +
    '--name-status --no-cache --no-color --no-edit --no-pager --no-verify --number --oneline --output --package --parents --path --port --pretty --prune ' +
    '--quiet --recursive --remote --reverse --save --save-dev --set-upstream --short --show-toplevel --silent --since --sort --staged --stat --state ' +
    '--stdin --tail --tags --timeout --title --type --update --upgrade --user --verbose --version --watch --workspace --write --yes'
  ).split(' '),
);

/** Modules and objects of standard libraries: with one of them in front, a dotted name is theirs. */
const ROOTS = new Set(
  (
    'Array Boolean Buffer Date Error Intl JSON Map Math Number Object Promise Proxy Reflect RegExp Set String Symbol console document globalThis process window ' +
    'argparse ast asyncio base64 bytes collections contextlib copy csv dataclasses datetime functools hashlib inspect io itertools json logging math os pathlib ' +
    'pickle random re shutil string struct subprocess sys tempfile textwrap threading time traceback typing unittest uuid ' +
    'atomic bufio bytes context errors exec filepath flag fmt http httptest ioutil log rand regexp runtime sort strconv strings sync testing url utf8 ' +
    'std core alloc System java javax self this args e.g i.e'
  ).split(' '),
);

const NAMES = new Set(
  (
    'addEventListener appendChild beforeEach afterEach beforeAll afterAll charAt charCodeAt className clearInterval clearTimeout createElement encodeURIComponent ' +
    'defaultdict endsWith findIndex flatMap forEach fromEntries getElementById hasOwnProperty indexOf innerHTML instanceof isArray isinstance lastIndexOf ' +
    'localStorage matchAll NaN padEnd padStart parseFloat parseInt preventDefault querySelector readFile readFileSync removeEventListener replaceAll ' +
    'setInterval setTimeout setUp startsWith stopPropagation tearDown textContent toBe toContain toEqual toFixed toHaveLength toISOString toLowerCase toString ' +
    'toThrow toUpperCase trimEnd trimStart typeof useCallback useEffect useMemo useRef useState writeFile writeFileSync staticmethod classmethod ' +
    'AssertionError AttributeError BaseException FileNotFoundError ImportError IndexError KeyError NotImplementedError OSError RangeError ReferenceError ' +
    'RuntimeError StopIteration SyntaxError TypeError UnicodeDecodeError ValueError NoneType NotImplemented ArrayList HashMap IOException ' +
    'InterruptedException NullPointerException StringBuilder stdClass Uint8Array ReadonlyArray ReadonlyMap ReadonlySet Readonly ' +
    'HTTP HTTPS JSON YAML HTML TODO FIXME NOTE README TRUE FALSE NULL NONE POST UTF8 utf8 utf-8 UTF-8 UUID SHA256 sha256 sha1 base64 int32 int64 uint8 uint32 ' +
    'uint64 float32 float64 ISO8601 x86_64 arm64 amd64 DEBUG INFO WARN ERROR EOF PYEOF localhost stdin stdout stderr ' +
    '/dev/null /dev/stdin /dev/stdout /dev/stderr /tmp /tmp/ /bin/sh /bin/bash /usr/bin/env /usr/bin /usr/local /usr/local/bin node_modules and/or'
  ).split(' '),
);

/** What stands behind the dot of a file's name. */
const EXTENSION =
  /\.(?:[cm]?[jt]sx?|go|py|rs|rb|java|kt|md|json|ya?ml|toml|txt|sh|c|h|cc|cpp|hpp|cs|css|html|sql|lock|csv)$/;

const countDigits = (word: string): number => word.replace(/\D/g, '').length;

export function isCommonName(word: string): boolean {
  // A version has two dots or more.
  if (/^\d+(?:\.\d+)?$/.test(word)) return countDigits(word) < 5;
  if (FLAGS.has(word) || NAMES.has(word) || /^__\w+__$/.test(word)) return true;
  const dot = word.indexOf('.');
  return dot > 0 && ROOTS.has(word.slice(0, dot)) && !EXTENSION.test(word) && !/\d/.test(word);
}
