import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runPalimpsest } from '../run-palimpsest.ts';

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8');
const dockerfile = read('gateway/docker/Dockerfile');
const compose = read('gateway/docker/docker-compose.yml');

describe('the Dockerfile and the compose file', () => {
  it('install this version, start a command that there is, with options that there are', async () => {
    const { version } = JSON.parse(read('cli/package.json')) as { version: string };
    expect(dockerfile).toContain(`@palimpsest/cli@${version}`);
    const { out: help } = await runPalimpsest(['gateway', '--help']);
    const entry = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)![1]!) as string[];
    const command = JSON.parse(/^ +command: (.*)$/m.exec(compose)![1]!) as string[];
    expect(entry.slice(0, 2)).toEqual(['palimpsest', 'gateway']);
    for (const word of [...entry, ...command].filter((one) => one.startsWith('--'))) expect(help).toContain(word);
    for (const name of compose.match(/PALIMPSEST_\w+(?=:)/g) ?? []) expect(help).toContain(name);
  });

  it('never listen for others without a key: the same command refuses', async () => {
    const [, , ...words] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)![1]!) as string[];
    const { code, err } = await runPalimpsest(['gateway', ...words], { env: { PALIMPSEST_GATEWAY_KEY: '' } });
    expect([code, err]).toEqual([2, expect.stringContaining('needs a key of its own')]);
  });
});
