import { systemClock } from '@palimpsest/wire';
import { expect, it } from 'vitest';

it('a wait ends by itself, and an abort ends it with the reason given', async () => {
  await systemClock.wait(1);
  const stop = new AbortController();
  const waiting = systemClock.wait(2 ** 40, stop.signal);
  const reason = new Error('enough');
  stop.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect(systemClock.wait(1, stop.signal)).rejects.toBe(reason);
});
