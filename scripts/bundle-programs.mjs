// Before the tests: the program as one plain script beside its sources, since tests start it hundreds of times and a
// start from sources compiles for most of a second. The launcher itself has tests of its own.
import { rename, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'tsdown';
import { pagePlugin } from '../packages/inspector/bundle-page.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The program, and what its worker threads load: each as one script. */
const ENTRIES = {
  main: 'src/main.ts',
  'store-module': 'src/store-module.ts',
  thread: '../gateway/src/thread.ts',
};

export default async function setup() {
  // One level below the package, as the published build is.
  const folder = `${root}packages/cli/.test-build`;
  const made = `${folder}/${process.pid}`;
  for (const [name, file] of Object.entries(ENTRIES))
    await build({
      config: false,
      cwd: `${root}packages/cli`,
      entry: { [name]: file },
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
  const files = ['page.js', 'page.css', ...Object.keys(ENTRIES).map((name) => `${name}.mjs`)];
  for (const file of files) await rename(`${made}/${file}`, `${folder}/${file}`);
  await rm(made, { recursive: true });
}
