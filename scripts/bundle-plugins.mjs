// The plugins of examples/plugins, each as one file that an agent can load: `npm run bundle:plugins [FOLDER]`.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsdown';

const plugins = fileURLToPath(new URL('../examples/plugins/', import.meta.url));
const outDir = resolve(process.argv[2] ?? `${plugins}dist`);

for (const name of ['opencode-palimpsest', 'pi-palimpsest'])
  await build({
    config: false,
    cwd: plugins,
    entry: { [name]: `${name}.ts` },
    outDir,
    format: 'esm',
    platform: 'node',
    dts: false,
    clean: false,
    logLevel: 'error',
    // The agents bring their own packages, and of these a plugin needs the types alone.
    noExternal: [/^@palimpsest\//, 'zod', 'minisearch'],
    inputOptions: { resolve: { conditionNames: ['palimpsest-source', 'import', 'node', 'default'] } },
    outputOptions: { codeSplitting: false, entryFileNames: '[name].js' },
  });
console.log(`${outDir}: opencode-palimpsest.js for .opencode/plugins, pi-palimpsest.js for ~/.pi/agent/extensions`);
