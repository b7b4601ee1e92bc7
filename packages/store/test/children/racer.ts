// Takes a lock as often as asked, against others that do the same, and says when it was not alone inside.
import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { setImmediate as breathe, setTimeout as sleep } from 'node:timers/promises';
import { takeLock } from '../../src/lock/file-lock.ts';
import { deadClaim, plant, rightTo } from './dead-claim.ts';

const [path, deadPid, wins] = [process.argv[2]!, Number(process.argv[3]), Number(process.argv[4])];
const say = (line: string): void => void writeSync(1, `${line}\n`);
const witness = `${path}-witness`;
let refused = 0;

say('ready');
await new Promise((resolve) => process.stdin.once('data', resolve));
for (let won = 0; won < wins; ) {
  let lock: Awaited<ReturnType<typeof takeLock>>;
  try {
    lock = await takeLock(path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'locked')) throw error;
    refused++;
    if (Math.random() < 0.3) await sleep(Math.random() * 3);
    continue;
  }
  won++;
  try {
    closeSync(openSync(witness, 'wx'));
  } catch {
    say('two inside');
    process.exit(1);
  }
  for (let i = Math.random() * 4; i > 0; i--) await breathe();
  if (!(await lock.isHeld())) {
    say('the lock of a living holder was taken');
    process.exit(1);
  }
  unlinkSync(witness);
  const way = Math.random();
  if (way > 0.3) {
    // Leaves as the dead do: the claim stays. Now and then a taker has died over it already, or even two.
    const claim = deadClaim(deadPid);
    const taker = deadClaim(deadPid);
    if (way > 0.7) plant(rightTo(path, claim), taker);
    if (way > 0.9) plant(rightTo(rightTo(path, claim), taker), deadClaim(deadPid));
    plant(path, claim);
  }
  await lock.release();
}
say(`done ${refused}`);
process.exit(0);
