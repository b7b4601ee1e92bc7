import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { pick, rollBelow } from '../random.ts';

/** The place an explorer works in. Paths are relative, with `/`. */
export interface Folder {
  paths(): readonly string[];
  /** Undefined where there is no such file. */
  read(path: string): string | undefined;
  write(path: string, text: string): void;
}

const IGNORED = new Set(['node_modules', 'dist', '.git']);
const MOST_FILES = 2_000;
const LARGEST_BYTES = 1_000_000;

/** A folder on disk. What is edited in it is really edited. */
export function diskFolder(dir: string): Folder {
  const root = resolve(dir);
  const resolveInside = (path: string): string => {
    const full = resolve(root, path);
    if (full !== root && !full.startsWith(root + sep)) throw new RangeError(`"${path}" lies outside of the folder`);
    return full;
  };
  const walk = (at: string, found: string[]): string[] => {
    const entries = readdirSync(at, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      if (found.length >= MOST_FILES) break;
      const full = join(at, entry.name);
      if (entry.isDirectory()) {
        if (!IGNORED.has(entry.name)) walk(full, found);
      } else if (entry.isFile()) found.push(relative(root, full).split(sep).join('/'));
    }
    return found;
  };
  return {
    paths: () => walk(root, []),
    read(path) {
      try {
        const bytes = readFileSync(resolveInside(path));
        return bytes.length > LARGEST_BYTES || bytes.includes(0) ? undefined : bytes.toString('utf8');
      } catch (error) {
        if (error instanceof RangeError) throw error;
        return undefined;
      }
    },
    write: (path, text) => writeFileSync(resolveInside(path), text),
  };
}

const AREAS = ['api', 'billing', 'core', 'jobs', 'mail', 'parser', 'search', 'store'];
const NOUNS = ['account', 'batch', 'cursor', 'invoice', 'ledger', 'order', 'queue', 'record', 'session', 'token'];
const VERBS = ['apply', 'collect', 'dispatch', 'fetch', 'merge', 'open', 'parse', 'render', 'resolve', 'settle'];
const NOTES = ['the caller checks the range', 'keeps the order of arrival', 'see the retry rule', 'never empty here'];

/** A small code base in memory, the same for the same seed. */
export function madeUpFolder(seed: number): Folder {
  const files = new Map<string, string>();
  for (const area of AREAS) {
    for (let i = 0; i < 6; i++) {
      const name = `${pick(VERBS, seed, area, i, 'verb')}-${pick(NOUNS, seed, area, i, 'noun')}`;
      files.set(`src/${area}/${name}.ts`, madeUpCode(seed, area, i));
    }
    files.set(`test/${area}.test.ts`, madeUpCode(seed, area, 99));
    files.set(`docs/${area}.md`, `# ${area}\n\n${NOTES.map((note) => `- ${note}`).join('\n')}\n`);
  }
  return {
    paths: () => [...files.keys()].sort(),
    read: (path) => files.get(path),
    write: (path, text) => void files.set(path, text),
  };
}

function madeUpCode(seed: number, area: string, file: number): string {
  const lines = [`// ${area}: part ${file}`, ''];
  const functions = 4 + rollBelow(8, seed, area, file, 'size');
  for (let f = 0; f < functions; f++) {
    const key = [seed, area, file, f] as const;
    const noun = pick(NOUNS, ...key, 'noun');
    const name = `${pick(VERBS, ...key, 'verb')}${noun[0]!.toUpperCase()}${noun.slice(1)}`;
    lines.push(
      `/** ${pick(NOTES, ...key, 'note')} */`,
      `export function ${name}${f}(input: readonly string[]): number {`,
    );
    const steps = 3 + rollBelow(6, ...key, 'steps');
    for (let s = 0; s < steps; s++)
      lines.push(`  const ${pick(NOUNS, ...key, s, 'a')}${s} = input.length * ${rollBelow(900, ...key, s, 'b') + 3};`);
    lines.push(`  return input.length + ${rollBelow(5_000, ...key, 'result')};`, '}', '');
  }
  return lines.join('\n');
}
