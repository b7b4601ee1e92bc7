// The house rules that a compiler does not know. Run by `npm test`; prints every breach and exits 1.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Which packages a package may import. Apps (agent, gateway, inspector, cli, bench) never import each other. */
const MAY_IMPORT = {
  core: [],
  terminal: ['core'],
  tokens: ['core'],
  wire: ['core'],
  store: ['core'],
  formats: ['core'],
  sim: ['core', 'wire'],
  agent: ['core', 'wire', 'store', 'formats', 'tokens', 'terminal'],
  gateway: ['core', 'wire', 'store', 'formats', 'tokens'],
  inspector: ['core', 'wire', 'store', 'formats', 'tokens'],
  cli: ['core', 'wire', 'store', 'formats', 'tokens', 'sim', 'terminal', 'agent'],
  bench: ['core', 'wire', 'store', 'formats', 'tokens', 'sim'],
};
const LONGEST_FILE = 400;
/** What core may not touch: clock, files, network, randomness, timers, the process. */
const WORLD = [
  [/\bDate\.now\(|new Date\(\s*\)|performance\.now\(/, 'the clock'],
  [/Math\.random\(|crypto\.|randomUUID/, 'randomness'],
  [/\bfetch\(|\bXMLHttpRequest\b|\bWebSocket\(/, 'the network'],
  [/\bsetTimeout\(|\bsetInterval\(|\bsetImmediate\(/, 'timers'],
  [/\bprocess\.|\bglobalThis\.process|\brequire\(/, 'the process'],
];

const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '--', 'packages', 'examples', 'scripts'],
  { encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !/\/(fixtures|goldens)\//.test(file));

const breaches = [];
const IMPORT =
  /^\s*(?:import|export)\s[^'"]*?from\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;
const imports = (source) => [...source.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3]);

for (const file of files) {
  let source;
  try {
    source = readFileSync(file, 'utf8');
  } catch {
    continue;
  }
  const lines = source.split('\n').length;
  if (lines > LONGEST_FILE) breaches.push(`${file}: ${lines} lines, at most ${LONGEST_FILE}`);
  const [, name, inside] = /^packages\/([^/]+)\/(src|test)\//.exec(file) ?? [];
  if (name === undefined) continue;
  if (MAY_IMPORT[name] === undefined)
    breaches.push(`${file}: package "${name}" has no place in scripts/check-shape.mjs`);
  if (inside !== 'src') continue;
  for (const target of imports(source)) {
    const [, other] = /^@palimpsest\/([^/]+)/.exec(target) ?? [];
    if (other !== undefined && other !== name && !MAY_IMPORT[name]?.includes(other))
      breaches.push(`${file}: ${name} may not import ${other}`);
    if (name === 'core' && !target.startsWith('.'))
      breaches.push(`${file}: core imports "${target}"; it imports nothing`);
    if (target.startsWith('../../')) {
      const up = target.match(/\.\.\//g).length;
      const depth = file.split('/').length - 3;
      if (up >= depth) breaches.push(`${file}: "${target}" reaches out of the package`);
    }
  }
  if (name !== 'core') continue;
  const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  for (const [pattern, what] of WORLD) if (pattern.test(code)) breaches.push(`${file}: core touches ${what}`);
}

if (breaches.length > 0) {
  console.error(
    `shape: ${breaches.length} breach${breaches.length === 1 ? '' : 'es'}\n${breaches.map((one) => `  ${one}`).join('\n')}`,
  );
  process.exit(1);
}
console.log(`shape: ${files.length} files in order`);
