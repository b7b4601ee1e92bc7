import { createHash, randomBytes } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { type FileHandle, link, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PRIVATE_FILE } from '../durable-file.ts';
import type { OpenOptions } from '../store.ts';
import { errnoOf, StoreError, toStoreError } from '../store-error.ts';
import { isOver, type ProcessIdentity, readOwnIdentity } from './process-identity.ts';

export interface FileLock {
  /** Whether the lock is still this one; it is not where a person or another machine removed it. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/** The holder writes its lock anew this often. */
const BEAT_MS = 5_000;
/** A holder elsewhere, whose pid means nothing here, counts as dead after this silence. */
const SILENT_MS = 60_000;
const POLL_MS = { first: 5, most: 200 };

interface Claim {
  /** Tells one claim from every other there ever was. */
  readonly digest: string;
  readonly owner: ProcessIdentity | undefined;
  readonly modifiedMs: number;
}

const ignoreCodes =
  (...codes: readonly string[]) =>
  (error: unknown): undefined => {
    if (!codes.includes(errnoOf(error) ?? '')) throw error;
    return undefined;
  };

function readOwner(text: string): ProcessIdentity | undefined {
  try {
    const owner = JSON.parse(text) as Partial<ProcessIdentity> | null;
    return Number.isSafeInteger(owner?.pid) && owner!.pid! > 0 && typeof owner?.host === 'string'
      ? (owner as ProcessIdentity)
      : undefined;
  } catch {
    return undefined;
  }
}

async function readClaim(path: string): Promise<Claim | undefined> {
  const handle = await open(path, 'r').catch(ignoreCodes('ENOENT'));
  if (handle === undefined) return undefined;
  try {
    const text = await handle.readFile('utf8');
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
    return { digest, owner: readOwner(text), modifiedMs: (await handle.stat()).mtimeMs };
  } finally {
    await handle.close();
  }
}

/** `nowMs` is the file system's clock, so that machines whose clocks differ judge alike. */
function isDead(claim: Claim, place: string, nowMs: number): boolean {
  return claim.owner?.place === place ? isOver(claim.owner) : nowMs - claim.modifiedMs > SILENT_MS;
}

interface Won {
  readonly handle: FileHandle;
  readonly text: string;
  readonly file: BigIntStats;
}

type Attempt = { readonly won: Won } | { readonly lost: Claim };

/**
 * One attempt to put a claim of ours at `path`.
 *
 * A free path is taken by `link`, which makes the name and its content appear at once or fails. A dead claim is replaced
 * by `rename`, and only by whoever holds the path named after that very claim, taken by these same rules (so that a taker
 * who dies there is itself replaced). While we hold that name nobody else may replace the dead claim and its owner cannot
 * remove it: what we read just before the rename is what the rename replaces. No two can win.
 */
async function attemptClaim(path: string, me: ProcessIdentity): Promise<Attempt> {
  const token = randomBytes(12).toString('hex');
  const text = JSON.stringify({ ...me, token });
  const staged = `${path}.${token}.staged`;
  const handle = await open(staged, 'wx', PRIVATE_FILE);
  let kept = false;
  try {
    await handle.writeFile(text);
    const won: Won = { handle, text, file: await handle.stat({ bigint: true }) };
    const nowMs = Number(won.file.mtimeMs);
    for (;;) {
      kept = await link(staged, path).then(
        () => true,
        (error: unknown) => ignoreCodes('EEXIST')(error) ?? false,
      );
      if (kept) return { won };
      const claim = await readClaim(path);
      if (claim === undefined) continue;
      if (!isDead(claim, me.place, nowMs)) return { lost: claim };
      const right = `${path}.${claim.digest}`;
      const taking = await attemptClaim(right, me);
      if ('lost' in taking) return taking;
      try {
        if ((await readClaim(path))?.digest === claim.digest) {
          await rename(staged, path);
          kept = true;
          return { won };
        }
      } finally {
        await unlink(right).catch(() => {});
        await taking.won.handle.close();
      }
    }
  } finally {
    // A staged claim that stays is swept by a later holder.
    await unlink(staged).catch(() => {});
    if (!kept) await handle.close();
  }
}

/** Removes what takers killed at work left behind. Safe for the holder alone: no claim named here can come back. */
async function sweep(path: string, me: ProcessIdentity, nowMs: number): Promise<void> {
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(`${basename(path)}.`)) continue;
    const left = join(dirname(path), name);
    const claim = await readClaim(left);
    if (claim !== undefined && isDead(claim, me.place, nowMs)) await unlink(left).catch(ignoreCodes('ENOENT'));
  }
}

async function keepLock(path: string, { handle, text, file: own }: Won, me: ProcessIdentity): Promise<FileLock> {
  // What cannot be removed now is removed by the next holder; it hinders nobody.
  await sweep(path, me, Number(own.mtimeMs)).catch(() => {});
  // Same bytes in the same place: readers see no difference, the file system sets its own time. A beat that fails is made
  // up by the next one.
  const beat = setInterval(() => void handle.write(text, 0).catch(() => {}), BEAT_MS);
  beat.unref();
  const isHeld = async (): Promise<boolean> => {
    const now = await stat(path, { bigint: true }).catch(ignoreCodes('ENOENT', 'ENOTDIR'));
    // The open handle keeps the inode from being given to another file.
    return now !== undefined && now.ino === own.ino && now.dev === own.dev;
  };
  return {
    isHeld,
    async release() {
      clearInterval(beat);
      if (await isHeld()) await unlink(path).catch(ignoreCodes('ENOENT'));
      await handle.close();
    },
  };
}

function lockedError(path: string, claim: Claim, me: ProcessIdentity, waitMs: number): StoreError {
  const { owner } = claim;
  const who =
    owner === undefined
      ? 'a lock that cannot be read'
      : `process ${owner.pid} on ${owner.host}${owner.pid === me.pid && owner.place === me.place ? ' (this very process)' : ''}`;
  const end =
    owner?.place === me.place
      ? 'Close it there, or open with `waitMs`; if that process dies, the lock is free at once.'
      : `Close it there, or open with \`waitMs\`; it is free ${SILENT_MS / 1000} s after the holder's last sign of life. If you know the holder is gone, delete the file.`;
  return new StoreError(
    'locked',
    `${path} is held by ${who}${waitMs > 0 ? ` and was not free within ${waitMs} ms` : ''}. ${end}`,
    {
      file: path,
      ...(owner === undefined ? {} : { holder: { pid: owner.pid, host: owner.host } }),
    },
  );
}

/** One holder at a time, over all processes that share the file system. A holder that is killed frees it by dying. */
export async function takeLock(path: string, { waitMs = 0, signal }: OpenOptions = {}): Promise<FileLock> {
  if (!(waitMs >= 0)) throw new StoreError('bad-option', '`waitMs` must be a number of 0 or more');
  const me = readOwnIdentity();
  const until = performance.now() + waitMs;
  for (let pauseMs = POLL_MS.first; ; pauseMs = Math.min(pauseMs * 1.5, POLL_MS.most)) {
    signal?.throwIfAborted();
    let tried: Attempt;
    try {
      tried = await attemptClaim(path, me);
      if ('won' in tried) return await keepLock(path, tried.won, me);
    } catch (error) {
      throw toStoreError(error, 'locking', path);
    }
    const leftMs = until - performance.now();
    if (leftMs <= 0) throw lockedError(path, tried.lost, me, waitMs);
    // Waiters that started together must not try together for ever.
    const restMs = Math.min(leftMs, pauseMs * (0.5 + Math.random()));
    await sleep(restMs, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
  }
}
