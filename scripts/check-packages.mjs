// Builds, packs and inspects every package, and uses the packed ones as a newcomer would.
//   npm run check:packages               installs them into an empty folder, the rest from the registry
//   npm run check:packages -- --offline  links the rest from this clone instead
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { layOut, lint, missingCommands, typeProblems, wrongDependencies } from './packages/inspect.mjs';
import { packAll } from './packages/pack.mjs';
import { tryPeers } from './packages/peers.mjs';
import { runWell } from './packages/run.mjs';
import { tryAll } from './packages/try.mjs';

const isOffline = process.argv.includes('--offline');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-packages-')));
const started = performance.now();
const failures = [];

async function step(name, work) {
  const found = (await work()) ?? [];
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(`${found.length === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
  for (const one of found) console.log(`    ${one.replaceAll('\n', '\n    ')}`);
  failures.push(...found);
}

try {
  let packed = [];
  const app = join(folder, 'app');
  await step('built and packed', async () => {
    packed = await packAll(folder);
    await layOut(packed, app);
  });
  await step('publint has nothing to say', () => lint(packed, app));
  await step('dependencies are those that are imported', () => wrongDependencies(packed, app));
  await step('every command has its file', () => missingCommands(packed, app));
  await step('types resolve under node16, nodenext and bundler', () => typeProblems(packed, app));
  if (isOffline) {
    const commands = new Map(
      packed.flatMap(({ manifest }) =>
        Object.entries(manifest.bin ?? {}).map(([name, file]) => [
          name,
          join(app, 'node_modules', manifest.name, file),
        ]),
      ),
    );
    await step('they work, linked to what this clone has', () => tryAll(app, (name) => commands.get(name)));
  } else {
    const empty = join(folder, 'empty');
    await step('they install into an empty folder', async () => {
      mkdirSync(empty);
      writeFileSync(join(empty, 'package.json'), '{ "private": true }\n');
      const tarballs = packed.map(({ tarball }) => tarball);
      await runWell('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...tarballs], { cwd: empty });
    });
    await step('they work there', () => tryAll(empty, (name) => join(empty, 'node_modules/.bin', name)));
    await step('the SDKs of the peer ranges install beside them and work', () => tryPeers(packed, folder));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (failures.length > 0) {
  console.log(`${failures.length} problem${failures.length === 1 ? '' : 's'}`);
  process.exitCode = 1;
}
