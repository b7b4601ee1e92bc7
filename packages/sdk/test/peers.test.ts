import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const folder = new URL('../src/', import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

it('nothing breaks where an SDK is absent: none is imported, not even for its types', () => {
  const allowed = [
    '@palimpsest/core',
    '@palimpsest/core/json',
    '@palimpsest/core/steps',
    '@palimpsest/wire',
    '@palimpsest/wire/body',
    'eventsource-parser',
  ];
  for (const file of files)
    for (const [, target] of readFileSync(new URL(file, folder), 'utf8').matchAll(
      /\b(?:from|import\()\s*'([^'.][^']*)'/g,
    ))
      expect(target!.startsWith('node:') || allowed.includes(target!), `${file} imports ${target}`).toBe(true);
});

it('every SDK is an optional peer', () => {
  const peers = Object.keys(manifest.peerDependencies);
  expect(peers).toEqual(['@anthropic-ai/sdk', '@openai/agents', 'ai', 'langchain', 'openai']);
  for (const name of peers) expect(manifest.peerDependenciesMeta).toHaveProperty([name], { optional: true });
});
