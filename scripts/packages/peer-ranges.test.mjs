import { readFileSync } from 'node:fs';
import { satisfies } from 'semver';
import { expect, it } from 'vitest';

const manifest = JSON.parse(readFileSync(new URL('../../packages/sdk/package.json', import.meta.url), 'utf8'));

it.each([
  // By `fetch` any version works, so a project that uses /openai alone is refused none; the middleware is tested from 0.122 on.
  ['@anthropic-ai/sdk', ['0.20.0', '0.122.0', '0.137.0', '1.10.0'], ['2.0.0']],
  ['openai', ['4.0.0', '5.0.1', '6.49.0', '7.55.0'], ['3.3.0', '8.0.0']],
  ['ai', ['5.0.0', '6.0.0', '7.0.173'], ['4.3.0', '8.0.0']],
  ['@openai/agents', ['0.8.0', '0.14.1', '0.20.0'], ['0.7.0', '0.21.0']],
  ['langchain', ['1.0.0', '1.5.14'], ['0.3.0', '2.0.0']],
])('the peer range of %s ends where the tests end', (name, accepted, refused) => {
  const range = manifest.peerDependencies[name];
  for (const version of accepted) expect(satisfies(version, range), version).toBe(true);
  for (const version of refused) expect(satisfies(version, range), version).toBe(false);
});
