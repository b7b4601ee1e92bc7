import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import ts from 'typescript';
import { ROOT } from './pack.mjs';
import { runWell } from './run.mjs';

/** Unpacks the tarballs as an installation would lay them out; what they depend on is linked from the clone. */
export async function layOut(packed, app) {
  for (const { manifest, tarball } of packed) {
    const home = join(app, 'node_modules', manifest.name);
    mkdirSync(home, { recursive: true });
    await runWell('tar', ['-xzf', tarball, '-C', home, '--strip-components=1']);
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) {
      if (name.startsWith('@palimpsest/')) continue;
      const link = join(home, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules', name), link);
    }
  }
  writeFileSync(join(app, 'package.json'), '{ "type": "module" }\n');
}

/** What publint says of them, errors, warnings and suggestions alike. */
export async function lint(packed, app) {
  const found = [];
  for (const { manifest } of packed) {
    const pkgDir = join(app, 'node_modules', manifest.name);
    const { messages, pkg } = await publint({ pkgDir, pack: false, strict: true });
    for (const message of messages) found.push(`${manifest.name}: ${formatMessage(message, pkg, { color: false })}`);
  }
  return found;
}

const IMPORTED =
  /^\s*(?:import|export)\s[^'"]*?from\s*["']([^"'.\s][^"'\s]*)["']|^\s*import\s*["']([^"'.\s]+)["']|\b(?:import|createRequire\([^)]*\))\(\s*["']([^"'.\s]+)["']\)/gm;

/** A type that a comment of bundled code names is not imported. */
const COMMENT_LINE = /^\s*\*.*$/gm;

/** Imports in what was built that the package does not declare, and what it declares and never imports. */
export function wrongDependencies(packed, app) {
  return packed.flatMap(({ manifest }) => {
    const { name, dependencies = {}, peerDependencies = {} } = manifest;
    const dist = join(app, 'node_modules', name, 'dist');
    const used = new Set(
      readdirSync(dist, { recursive: true })
        .filter((file) => /\.m?[jt]s$/.test(file))
        .flatMap((file) => [...readFileSync(join(dist, file), 'utf8').replace(COMMENT_LINE, '').matchAll(IMPORTED)])
        .map(([, one, other, third]) => one ?? other ?? third)
        .map((target) => (target.startsWith('@') ? target.split('/', 2).join('/') : target.split('/')[0]))
        .filter((target) => !isBuiltin(target) && target !== name),
    );
    const undeclared = [...used].filter((one) => !(one in dependencies) && !(one in peerDependencies));
    const unused = Object.keys(dependencies).filter((one) => !used.has(one));
    return [
      ...undeclared.map((one) => `${name} imports ${one}, which it does not declare`),
      ...unused.map((one) => `${name} depends on ${one}, which it does not import`),
    ];
  });
}

const { ModuleKind, ModuleResolutionKind } = ts;
const RESOLUTIONS = {
  node16: { module: ModuleKind.Node16, moduleResolution: ModuleResolutionKind.Node16 },
  nodenext: { module: ModuleKind.NodeNext, moduleResolution: ModuleResolutionKind.NodeNext },
  bundler: { module: ModuleKind.ESNext, moduleResolution: ModuleResolutionKind.Bundler },
};

/** The compiler over a file that imports every entry of every package, under each way to resolve them. */
export function typeProblems(packed, app) {
  const entries = packed.flatMap(({ manifest }) =>
    Object.entries(manifest.exports ?? {})
      .filter(([, target]) => target.types !== undefined)
      .map(([path]) => manifest.name + path.slice(1)),
  );
  const lines = entries.map((entry, i) => `import * as entry${i} from '${entry}';`);
  const file = join(app, 'uses-all.mts');
  writeFileSync(file, `${lines.join('\n')}\nexport const all = [${entries.map((_, i) => `entry${i}`)}];\n`);
  return Object.entries(RESOLUTIONS).flatMap(([name, how]) => {
    const options = {
      ...how,
      target: ts.ScriptTarget.ES2023,
      lib: ['lib.es2023.d.ts'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules/@types')],
    };
    const program = ts.createProgram([file], options);
    // Not those of others: how well their declarations are written is their affair.
    const ours = program.getSourceFiles().filter((one) => one.fileName.startsWith(app) || one.fileName === file);
    const found = [
      ...program.getOptionsDiagnostics(),
      ...ours.flatMap((one) => [...program.getSyntacticDiagnostics(one), ...program.getSemanticDiagnostics(one)]),
    ];
    const told = found.map(
      (one) => `${one.file?.fileName ?? ''} ${ts.flattenDiagnosticMessageText(one.messageText, ' ')}`,
    );
    if (ours.length <= entries.length) told.push(`only ${ours.length} files were found for ${entries.length} entries`);
    return told.map((one) => `${name}: ${one}`);
  });
}

/** Entries that are stated but not there. publint knows most of them; a command's file it does not run. */
export const missingCommands = (packed, app) =>
  packed.flatMap(({ manifest }) =>
    Object.values(manifest.bin ?? {})
      .filter((file) => !existsSync(join(app, 'node_modules', manifest.name, file)))
      .map((file) => `${manifest.name}: ${file} is not there`),
  );
