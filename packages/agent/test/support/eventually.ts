import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until it is so; a test that waits in vain fails and does not hang. */
export async function eventually(isSo: () => boolean, tries = 2_000): Promise<void> {
  for (let i = 0; i < tries; i++) {
    if (isSo()) return;
    await sleep(5);
  }
  throw new Error(`it never came to pass: ${String(isSo)}`);
}
