import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { writeDigests } from './write-digests.ts';

const PAGE = fileURLToPath(new URL('../../../../docs/digests.md', import.meta.url));

it('docs/digests.md shows the digests that are made today (npm run docs:digests)', () => {
  const page = writeDigests();
  expect(readFileSync(PAGE, 'utf8')).toBe(page);
  const formats = new Set([...page.matchAll(/session of ([\w-]+)$/gm)].map(([, format]) => format));
  expect(formats.size).toBeGreaterThanOrEqual(4);
  expect(page.match(/^## \d+\. /gm)).toHaveLength(10);
  // No bag of numbers.
  expect(page).not.toMatch(/^numbers:/m);
});
