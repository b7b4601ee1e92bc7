import type { ChildProcess } from 'node:child_process';
import { keepHead, keepTail } from '@palimpsest/terminal';
import { releaseGroup, spawnGuarded } from '../world/child-guard.ts';

export interface Ran {
  /** Both outputs as they came. */
  readonly output: string;
  /** Each for itself, where the command was given an input. */
  readonly stdout?: string;
  readonly stderr?: string;
  /** Characters that were not kept. */
  readonly cutChars: number;
  readonly exitCode: number | undefined;
  readonly killedBy: 'timeout' | 'abort' | 'signal' | undefined;
}

interface RunOptions {
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Without it the command has none. */
  readonly input?: string;
  /** Hears the output as it comes, in whole lines. */
  readonly onOutput?: (text: string) => void;
}

/** Kept of an output: so much of its head and so much of its end. */
const HEAD_CHARS = 200_000;
const TAIL_CHARS = 200_000;
const GRACE_MS = 2_000;
/** A command that left something running in the background keeps the pipes open; this long they are listened to. */
const LINGER_MS = 300;

/** Runs a command in a process group of its own, so that everything it started can be ended with it; none outlives this process. */
export function runCommand(command: string, { cwd, timeoutMs, signal, input, onOutput }: RunOptions): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const shell = process.platform === 'win32' ? (process.env.ComSpec ?? 'cmd.exe') : '/bin/sh';
    const child = spawnGuarded([shell, process.platform === 'win32' ? '/c' : '-c', command], {
      cwd,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      env: { ...process.env, TERM: 'dumb', PAGER: 'cat', GIT_PAGER: 'cat' },
    });
    let killedBy: Ran['killedBy'];
    const output = newTail();
    const tellLines = onOutput === undefined ? () => {} : newLineTeller(onOutput);
    const end = (why: 'timeout' | 'abort'): void => {
      killedBy ??= why;
      killGroup(child, 'SIGTERM');
      const kill = (): void => {
        process.off('exit', kill);
        killGroup(child, 'SIGKILL');
      };
      // Whoever ignores the first signal does not outlive the agent either.
      process.once('exit', kill);
      setTimeout(kill, GRACE_MS).unref();
    };
    const alarm = setTimeout(() => end('timeout'), timeoutMs);
    const abort = (): void => end('abort');
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    const apart = input === undefined ? undefined : { stdout: newTail(), stderr: newTail() };
    for (const name of ['stdout', 'stderr'] as const)
      child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
        output.add(chunk);
        tellLines(chunk);
        apart?.[name].add(chunk);
      });
    // Whoever does not read what it is told has its reasons.
    child.stdin?.on('error', () => {}).end(input);

    let over = false;
    const finish = (): void => {
      if (over) return;
      over = true;
      clearTimeout(alarm);
      signal.removeEventListener('abort', abort);
      child.stdout?.destroy();
      child.stderr?.destroy();
      releaseGroup(child.pid);
      const { exitCode, signalCode } = child;
      if (signalCode !== null) killedBy ??= 'signal';
      const each = apart && { stdout: apart.stdout.text().output, stderr: apart.stderr.text().output };
      resolve({ ...output.text(), ...each, exitCode: exitCode ?? undefined, killedBy });
    };
    child.on('error', (error) => {
      clearTimeout(alarm);
      reject(new Error(`the command could not be started: ${error.message}`));
    });
    child.on('exit', () => setTimeout(finish, LINGER_MS));
    child.on('close', finish);
  });
}

/** A line that never ends is told in pieces of this size. */
const LONGEST_LINE = 2_000;

/** Hands on whole lines only: what would be blanked in a line must not come in two pieces. */
function newLineTeller(tell: (lines: string) => void): (chunk: string) => void {
  let rest = '';
  return (chunk) => {
    const text = rest + chunk;
    const end =
      text.length > LONGEST_LINE ? Math.max(text.lastIndexOf('\n') + 1, LONGEST_LINE) : text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    if (end > 0) tell(text.slice(0, end));
  };
}

/** Ends all of the child's group. */
export function killGroup(child: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(name);
    else process.kill(-child.pid, name);
  } catch {
    // Nobody of the group is left.
  }
}

/** Bounded memory for an output without bounds. */
function newTail(): { add(chunk: string): void; text(): Pick<Ran, 'output' | 'cutChars'> } {
  let head = '';
  let tail = '';
  let cutChars = 0;
  return {
    add(chunk) {
      const room = HEAD_CHARS - head.length;
      const kept = keepHead(chunk, Math.max(0, room));
      head += kept;
      tail += chunk.slice(kept.length);
      if (tail.length <= TAIL_CHARS * 2) return;
      cutChars += tail.length;
      tail = keepTail(tail, TAIL_CHARS);
      cutChars -= tail.length;
    },
    text() {
      const end = keepTail(tail, TAIL_CHARS);
      const cut = cutChars + tail.length - end.length;
      const mark = cut === 0 ? '' : `\n[… ${cut} characters not kept …]\n`;
      return { output: head + mark + end, cutChars: cut };
    },
  };
}
