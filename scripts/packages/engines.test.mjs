import { readFileSync } from 'node:fs';
import { satisfies } from 'semver';
import { expect, it } from 'vitest';

const read = (name) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const { packages } = JSON.parse(read('package-lock.json'));
const oldest = `${/>=(\d+\.\d+)/.exec(packages[''].engines.node)[1]}.0`;

it('npm install prints no engine warning on the oldest Node that README names', () => {
  expect(read('README.md')).toContain(oldest.slice(0, -2));
  const tooNew = Object.entries(packages).flatMap(([path, { version, engines, optional }]) => {
    const range = engines?.node;
    return range === undefined || optional === true || satisfies(oldest, range) ? [] : [`${path} ${version}: ${range}`];
  });
  expect(tooNew).toEqual([]);
});
