// Builds every package and packs it as it is to be published: node scripts/pack-packages.mjs FOLDER
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packAll } from './packages/pack.mjs';

const folder = process.argv[2];
if (folder === undefined) {
  console.error('Name the folder for the tarballs: npm run pack:packages -- FOLDER');
  process.exit(2);
}
const to = resolve(folder);
mkdirSync(to, { recursive: true });
for (const { tarball } of await packAll(to)) console.log(tarball);
rmSync(join(to, 'stage'), { recursive: true });
