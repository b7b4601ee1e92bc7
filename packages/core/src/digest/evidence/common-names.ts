/** What every model knows without having seen it here: flags that many tools share, names of standard libraries. */
const common = new Set(
  (
    '--all --amend --cached --color --config --continue --delete --depth --diff --dry-run --exclude --file --filter --fix --force --format --global --grep ' +
    '--hard --head --help --ignore-case --include --init --json --limit --list --local --max-count --message --name --name-only --name-status --no-cache ' +
    '--no-color --no-edit --no-pager --no-verify --oneline --output --package --parents --path --port --pretty --quiet --recursive --remote --reverse ' +
    '--save-dev --set-upstream --short --silent --since --sort --staged --stat --state --tail --tags --timeout --title --type --update --user --verbose ' +
    '--version --watch --workspace --write --yes /dev/null /dev/stdin /dev/stdout /dev/stderr /bin/sh /bin/bash /usr/bin/env /usr/bin /usr/local/bin ' +
    'node_modules and/or read/write true/false input/output ' +
    'addEventListener afterEach beforeEach charCodeAt clearTimeout createElement encodeURIComponent endsWith findIndex flatMap forEach fromEntries ' +
    'getElementById hasOwnProperty indexOf innerHTML isArray isinstance lastIndexOf matchAll padEnd padStart parseFloat parseInt preventDefault ' +
    'querySelector querySelectorAll replaceAll setInterval setTimeout startsWith textContent toBe toContain toEqual toISOString toLowerCase toString toThrow ' +
    'toUpperCase trimEnd useCallback useEffect useMemo useRef useState staticmethod classmethod AssertionError AttributeError FileNotFoundError ImportError ' +
    'IndexError KeyError NotImplementedError OSError RangeError ReferenceError RuntimeError StopIteration SyntaxError TypeError ValueError NoneType ' +
    'ArrayList HashMap IOException NullPointerException StringBuilder Uint8Array JSON HTTP HTTPS HTML YAML TODO FIXME NOTE README TRUE FALSE NULL NONE ' +
    'POST WARRANTIES LIABILITY WITHOUT utf8 utf-8 UTF-8 sha256 base64 int32 int64 uint8 uint32 uint64 float32 float64 x86_64 arm64 amd64 ' +
    'DEBUG INFO WARN ERROR e.g i.e in_progress'
  ).split(' '),
);

const libraries =
  /^(?:Array|Boolean|Buffer|Date|Error|Intl|JSON|Map|Math|Number|Object|Promise|Reflect|RegExp|Set|String|Symbol|console|document|globalThis|process|window|argparse|asyncio|collections|datetime|functools|hashlib|itertools|json|logging|math|os|pathlib|random|re|shutil|subprocess|sys|tempfile|time|typing|unittest|atomic|bufio|bytes|context|errors|exec|filepath|fmt|httptest|io|ioutil|log|regexp|runtime|sort|strconv|strings|sync|testing)\.[A-Za-z_.]+$/;
const fileName = /\.(?:[cm]?[jt]sx?|go|py|rs|rb|java|kt|md|json|ya?ml|toml|txt|sh|css|html|sql|csv)$/;

const dunder = /^__\w+__$/;

/** Whether everybody knows the name; a file that is called like a library is none. */
export const isCommonName = (name: string): boolean =>
  common.has(name) ||
  (name.startsWith('__') && dunder.test(name)) ||
  (name.includes('.') && libraries.test(name) && !fileName.test(name));
