// Writes docs/api from the sources' declarations and their comments.
//   npm run docs:api                           writes it
//   node scripts/api-reference.mjs --check     ends with code 1 where it is not up to date, or an exported name has no comment
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { commentOf, declarationOf, printDeclaration } from './api/declaration.mjs';
import { MAY_IMPORT } from './shape/packages.mjs';
import { readManifests } from './shape/sources.mjs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const FOLDER = join(ROOT, 'docs', 'api');
const SOURCE = 'palimpsest-source';

const manifests = readManifests();
const manifestOf = (name) => manifests.get(name);
/** The published packages that can be imported, from the lowest to the highest. */
const PACKAGES = Object.keys(MAY_IMPORT).filter((name) => {
  const { private: isPrivate, exports } = manifestOf(name) ?? {};
  return isPrivate !== true && exports !== undefined;
});

/** What can be imported: `@palimpsest/wire/openai` and the file behind it. */
const entriesOf = (name) => {
  const manifest = manifestOf(name);
  return Object.entries(manifest.exports)
    .filter(([, target]) => target[SOURCE] !== undefined)
    .map(([path, target]) => ({
      path: manifest.name + path.slice(1),
      file: join(ROOT, 'packages', name, target[SOURCE]),
    }));
};

function newProgram() {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  return ts.createProgram(
    PACKAGES.flatMap((name) => entriesOf(name).map(({ file }) => file)),
    options,
  );
}

/** The names that an entry exports, by the file that declares them, each where it stands there. */
function modulesOf(program, file) {
  const checker = program.getTypeChecker();
  const entry = checker.getSymbolAtLocation(program.getSourceFile(file));
  const byFile = new Map();
  for (const exported of checker.getExportsOfModule(entry)) {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    const nodes = (symbol.declarations ?? []).map(declarationOf);
    if (nodes.length === 0) throw new Error(`${exported.name} of ${file} has no declaration`);
    const from = nodes[0].getSourceFile().fileName;
    const name = exported.name;
    byFile.set(from, [...(byFile.get(from) ?? []), { name, nodes, comment: nodes.map(commentOf).find(Boolean) }]);
  }
  return [...byFile]
    .map(([from, names]) => ({ from, names: names.sort((a, b) => a.nodes[0].pos - b.nodes[0].pos) }))
    .sort((a, b) => (moduleName(a.from) < moduleName(b.from) ? -1 : 1));
}

const moduleName = (file) => /\/src\/(.+)\.ts$/.exec(file)[1];
/** As GitHub makes it of a heading. */
const anchorOf = (file) => moduleName(file).replaceAll('/', '');

function pageOf(program, name) {
  const checker = program.getTypeChecker();
  const { name: title, description } = manifestOf(name);
  const lines = [`# ${title}`, '', description, '', 'Made from the sources by `npm run docs:api`.'];
  const shown = new Map();
  for (const { path, file } of entriesOf(name)) {
    const modules = modulesOf(program, file);
    lines.push('', `## \`${path}\``, '');
    for (const { from, names } of modules)
      lines.push(`- [${moduleName(from)}](#${anchorOf(from)}): ${names.map((one) => one.name).join(', ')}`);
    for (const { from, names } of modules) {
      const known = names.filter((one) => shown.has(one.nodes[0]));
      const fresh = names.filter((one) => !shown.has(one.nodes[0]));
      for (const one of fresh) shown.set(one.nodes[0], path);
      if (known.length > 0)
        lines.push(
          '',
          `Also ${known.map((one) => `\`${one.name}\``).join(', ')}, as in \`${shown.get(known[0].nodes[0])}\`.`,
        );
      if (fresh.length === 0) continue;
      lines.push('', `### [${moduleName(from)}](${relative(FOLDER, from)})`, '', '```ts');
      lines.push(fresh.map((one) => printDeclaration(one, checker)).join('\n\n'), '```');
    }
  }
  return `${lines.join('\n')}\n`;
}

const indexPage = () =>
  [
    '# API',
    '',
    'All that the packages export, with the comments of the sources. Made by `npm run docs:api`.',
    '',
    ...PACKAGES.map((name) => {
      const { name: title, description } = manifestOf(name);
      return `- [\`${title}\`](${name}.md): ${description}`;
    }),
    '',
  ].join('\n');

/** Exported names without a comment, as `@palimpsest/core: createSession (packages/core/src/session/session.ts)`. */
const findUndocumented = (program) =>
  PACKAGES.flatMap((name) =>
    entriesOf(name).flatMap(({ path, file }) =>
      modulesOf(program, file).flatMap(({ from, names }) =>
        names.flatMap((one) => (one.comment === undefined ? [`${path}: ${one.name} (${relative(ROOT, from)})`] : [])),
      ),
    ),
  );

function findStale(pages) {
  const there = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
  return [...new Set([...there, ...pages.keys()])].filter(
    (page) => !there.includes(page) || readFileSync(join(FOLDER, page), 'utf8') !== pages.get(page),
  );
}

const program = newProgram();
const pages = new Map([['README.md', indexPage()], ...PACKAGES.map((name) => [`${name}.md`, pageOf(program, name)])]);
if (process.argv.includes('--check')) {
  const stale = findStale(pages);
  const bare = findUndocumented(program);
  if (stale.length > 0) console.error(`docs/api is not up to date (${stale.join(', ')}): npm run docs:api`);
  if (bare.length > 0) console.error(`exported without a comment:\n${bare.map((one) => `  ${one}`).join('\n')}`);
  process.exitCode = stale.length + bare.length > 0 ? 1 : 0;
} else {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const [page, text] of pages) writeFileSync(join(FOLDER, page), text);
}
