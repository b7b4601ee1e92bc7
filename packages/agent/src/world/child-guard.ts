import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

/** Reads which process groups there are; when whoever told it is gone, however it went, it ends those that are left. */
const GUARD = `groups=
while read -r sign group; do
  case $sign in
    +) groups="$groups $group " ;;
    -) case $groups in *" $group "*) groups="\${groups%%" $group "*}\${groups#*" $group "}" ;; esac ;;
  esac
done
for group in $groups; do kill -KILL "-$group" 2>/dev/null; done`;

/** Waits for a word that the guard knows of it; whoever is killed before saying it never lets the program begin. */
const GATE = 'read -r _ <&3 || exit 1; exec "$@" 3<&-';

const guarded = new Set<number>();
let guard: ChildProcess | undefined;

/**
 * Starts a program in a process group of its own, which ends with this process, also where that is killed and cannot do it
 * itself. One watcher for all groups, begun with the first; on Windows there are no groups, and none is begun.
 */
export function spawnGuarded(words: readonly string[], options: SpawnOptions): ChildProcess {
  if (process.platform === 'win32') return spawn(words[0] ?? '', words.slice(1), { ...options, windowsHide: true });
  const stdio = Array.isArray(options.stdio) ? options.stdio : ['pipe' as const, 'pipe' as const, 'pipe' as const];
  const child = spawn('/bin/sh', ['-c', GATE, 'sh', ...words], {
    ...options,
    detached: true,
    stdio: [...stdio, 'pipe'],
  });
  const gate = child.stdio[3] as Writable | undefined;
  gate?.on('error', () => {});
  if (child.pid !== undefined) {
    for (const one of guarded) releaseGroup(one);
    guarded.add(child.pid);
    tellGuard(`+ ${child.pid}`);
  }
  gate?.end('\n');
  return child;
}

/** Nothing needs ending any more, unless something of the group runs on in the background. */
export function releaseGroup(group: number | undefined): void {
  if (group === undefined || !guarded.has(group) || hasMembers(group)) return;
  guarded.delete(group);
  tellGuard(`- ${group}`);
}

function tellGuard(line: string): void {
  guard ??= startGuard();
  const child = guard;
  child.stdin?.write(`${line}\n`);
}

/** A session of its own: what the terminal sends to this process is not for it. Nobody waits for it. */
function startGuard(): ChildProcess {
  const child = spawn('/bin/sh', ['-c', GUARD], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
  return child;
}

function hasMembers(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
