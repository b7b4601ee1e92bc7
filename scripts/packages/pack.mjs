import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inTurns, runWell } from './run.mjs';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const AT_ONCE = 2;
/** By it a clone reads the sources; they are not published. */
const OURS_ONLY = 'palimpsest-source';

/** Every package that is meant to be published: its folder's name and its manifest. */
export const findPublished = () =>
  readdirSync(join(ROOT, 'packages'))
    .map((name) => ({ name, file: join(ROOT, 'packages', name, 'package.json') }))
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => ({ name, manifest: JSON.parse(readFileSync(file, 'utf8')) }))
    .filter(({ manifest }) => manifest.private !== true);

/** Builds and packs them into a folder; beside the tarballs, `stage/` has what is in them. The clone stays as it is. */
export async function packAll(to) {
  return inTurns(findPublished(), AT_ONCE, async ({ name, manifest }) => {
    const stage = join(to, 'stage', name);
    mkdirSync(stage, { recursive: true });
    await build(name, manifest, join(stage, 'dist'));
    if (existsSync(join(ROOT, 'packages', name, 'bin')))
      cpSync(join(ROOT, 'packages', name, 'bin'), join(stage, 'bin'), { recursive: true });
    cpSync(join(ROOT, 'LICENSE'), join(stage, 'LICENSE'));
    cpSync(join(ROOT, 'packages', name, 'README.md'), join(stage, 'README.md'));
    writeFileSync(join(stage, 'package.json'), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`);
    const { out } = await runWell('npm', ['pack', '--json', '--pack-destination', to], { cwd: stage });
    return { name, manifest, tarball: join(to, JSON.parse(out)[0].filename) };
  });
}

async function build(name, { scripts }, outDir) {
  const tsdown = join(dirname(createRequire(import.meta.url).resolve('tsdown/package.json')), 'dist', 'run.mjs');
  const [command, ...words] = scripts.build.split(' ');
  if (command !== 'tsdown') throw new Error(`${name} is built by ${command}; the packer knows tsdown only`);
  await runWell(process.execPath, [tsdown, ...words, '--out-dir', outDir], { cwd: join(ROOT, 'packages', name) });
}

function publishedManifest({ scripts: _, devDependencies: __, ...manifest }) {
  return JSON.parse(JSON.stringify(manifest), (_key, value) => {
    if (value?.[OURS_ONLY] === undefined) return value;
    const { [OURS_ONLY]: ___, ...rest } = value;
    return rest;
  });
}
