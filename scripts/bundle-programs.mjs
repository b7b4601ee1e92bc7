// Before the tests: the program as one plain script beside its sources, since tests start it hundreds of times and a
// start from sources compiles for most of a second. The launcher itself has tests of its own.
import { rename, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'tsdown';
import { pagePlugin } from '../packages/inspector/bundle-page.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

export default async function setup() {
  // One level below the package, as the published build is.
  const folder = `${root}packages/cli/.test-build`;
  const made = `${folder}/${process.pid}`;
  await build({
    config: false,
    cwd: `${root}packages/cli`,
    entry: { main: 'src/main.ts' },
    outDir: made,
    format: 'esm',
    platform: 'node',
    dts: false,
    clean: false,
    logLevel: 'error',
    plugins: [pagePlugin()],
    noExternal: [/^@palimpsest\//],
    inputOptions: { resolve: { conditionNames: ['palimpsest-source', 'import', 'node', 'default'] } },
    outputOptions: { codeSplitting: false },
  });
  // Two runs at once must not read half a file.
  for (const file of ['page.js', 'page.css', 'main.mjs']) await rename(`${made}/${file}`, `${folder}/${file}`);
  await rm(made, { recursive: true });
}
