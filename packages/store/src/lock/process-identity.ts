import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { getEnvironmentData, isMainThread, threadId } from 'node:worker_threads';
import { errnoOf } from '../store-error.ts';

/** A process as others can recognise it, also after its end. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** Within one place a pid can be looked up: the machine's name and, where there is one, its pid namespace. */
  readonly place: string;
  /** Boot and tick of birth, where `/proc` tells: a pid that was given out again has another. */
  readonly born?: string;
  /** Of a worker thread; absent for a process's main one. */
  readonly thread?: number;
}

/** Where whoever starts worker threads notes the ids of those that ended, for the ones that take their places. */
const ENDED_THREADS = 'palimpsest:ended-threads';

const tryRead = (read: () => string): string | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

interface Life {
  readonly ended: boolean;
  readonly born: string;
}

/** What `/proc` says; undefined where it says nothing (another system, or a process hidden from this user). */
function readLife(pid: number): Life | undefined {
  const boot = tryRead(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const stat = tryRead(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  if (stat === undefined || boot === undefined) return undefined;
  // The name in parentheses may hold anything; state, threads and start are fields 3, 20 and 22 of proc(5).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, threads, start] = [fields[0], fields[17], fields[19]];
  // Until its last thread is gone, a killed process may still be inside a write.
  return { ended: (state === 'Z' || state === 'X') && Number(threads) <= 1, born: `${boot}:${start}` };
}

/** Who this process is. */
export function readOwnIdentity(): ProcessIdentity {
  const host = hostname();
  const space = tryRead(() => readlinkSync('/proc/self/ns/pid'));
  const born = readLife(process.pid)?.born;
  return {
    pid: process.pid,
    host,
    place: space === undefined ? host : `${host} ${space}`,
    ...(born === undefined ? {} : { born }),
    ...(isMainThread ? {} : { thread: threadId }),
  };
}

/** Whether a process of this place, or its thread, can never run again. When in doubt it lives. */
export function isOver(identity: ProcessIdentity): boolean {
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    if (errnoOf(error) === 'ESRCH') return true;
  }
  const life = readLife(identity.pid);
  if (identity.pid === process.pid && identity.born === life?.born && hasEnded(identity.thread)) return true;
  return life !== undefined && (life.ended || (identity.born !== undefined && life.born !== identity.born));
}

const hasEnded = (thread: number | undefined): boolean =>
  thread !== undefined && ((getEnvironmentData(ENDED_THREADS) ?? []) as readonly number[]).includes(thread);
