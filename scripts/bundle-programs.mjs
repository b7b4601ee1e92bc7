// Before the tests: each program as one plain script beside its sources, since tests start it hundreds of times and a
// start from sources compiles for most of a second. The launchers themselves have tests of their own.
import { rename, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'tsdown';

const root = fileURLToPath(new URL('..', import.meta.url));

async function bundleProgram(name) {
  // One level below the package, as the published build is.
  const folder = `${root}packages/${name}/.test-build`;
  const made = `${folder}/${process.pid}`;
  await build({
    config: false,
    cwd: `${root}packages/${name}`,
    entry: { main: 'src/main.ts' },
    outDir: made,
    format: 'esm',
    platform: 'node',
    dts: false,
    clean: false,
    logLevel: 'error',
    noExternal: [/^@palimpsest\//],
    inputOptions: { resolve: { conditionNames: ['palimpsest-source', 'import', 'node', 'default'] } },
    outputOptions: { codeSplitting: false },
  });
  // Two runs at once must not read half a file.
  await rename(`${made}/main.mjs`, `${folder}/main.mjs`);
  await rm(made, { recursive: true });
}

export default async function setup() {
  await Promise.all(['cli', 'agent'].map(bundleProgram));
}
