// Writes docs/api from the sources' declarations and their comments.
//   npm run docs:api                    writes it
//   npm run docs:api -- --check         ends with code 1 where it is not up to date
//   npm run docs:api -- --undocumented  lists exported names without a comment
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { commentOf, declarationOf, printed } from './api/declaration.mjs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const FOLDER = join(ROOT, 'docs', 'api');
const PACKAGES = ['core', 'store', 'wire', 'sim', 'formats', 'tokens', 'agent'];
const SOURCE = 'palimpsest-source';

const manifestOf = (name) => JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8'));

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

const moduleName = (file) => /\/src\/(?:sdk\/)?(.+)\.ts$/.exec(file)[1];
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
      lines.push(fresh.map((one) => printed(one, checker)).join('\n\n'), '```');
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

const program = newProgram();
if (process.argv.includes('--undocumented')) {
  for (const name of PACKAGES)
    for (const { path, file } of entriesOf(name))
      for (const { from, names } of modulesOf(program, file))
        for (const { name: exported, comment } of names)
          if (comment === undefined) console.log(`${path}\t${exported}\t${relative(ROOT, from)}`);
  process.exit();
}

const pages = new Map([['README.md', indexPage()], ...PACKAGES.map((name) => [`${name}.md`, pageOf(program, name)])]);
if (process.argv.includes('--check')) {
  const there = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
  const stale = [...new Set([...there, ...pages.keys()])].filter(
    (page) => !there.includes(page) || readFileSync(join(FOLDER, page), 'utf8') !== pages.get(page),
  );
  if (stale.length > 0) {
    console.error(`docs/api is not up to date (${stale.join(', ')}): npm run docs:api`);
    process.exit(1);
  }
} else {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const [page, text] of pages) writeFileSync(join(FOLDER, page), text);
}
