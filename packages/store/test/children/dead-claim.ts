import { createHash, randomBytes } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { type ProcessIdentity, readOwnIdentity } from '../../src/lock/process-identity.ts';

/** What a process that is gone leaves in a lock file. A pid that was given out again is told by its birth. */
export const deadClaim = (pid: number, more: Partial<ProcessIdentity> = {}): string =>
  JSON.stringify({ ...readOwnIdentity(), pid, born: 'long ago', ...more, token: randomBytes(12).toString('hex') });

/** The name a taker of a claim has to take first. */
export const rightTo = (path: string, claim: string): string =>
  `${path}.${createHash('sha256').update(claim).digest('hex').slice(0, 16)}`;

/** Puts the text at the path in one step, over whatever stands there. */
export function plant(path: string, text: string): void {
  const staged = `${path}.${randomBytes(6).toString('hex')}.planted`;
  writeFileSync(staged, text);
  renameSync(staged, path);
}
