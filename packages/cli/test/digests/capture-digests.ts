// Writes ten digests of the project's own sample sessions to docs/digests.md:
//   npm run docs:digests
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeDigests } from './write-digests.ts';

writeFileSync(fileURLToPath(new URL('../../../../docs/digests.md', import.meta.url)), writeDigests());
