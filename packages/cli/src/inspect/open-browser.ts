import { spawn } from 'node:child_process';
import { platform } from 'node:os';
import type { Terminal } from '../terminal.ts';

/** The program that opens an address on this machine; none where nobody could see it. */
export function findOpener(environment: Terminal['environment'], system = platform()): readonly string[] | undefined {
  if (environment.CI !== undefined || environment.SSH_CONNECTION !== undefined) return undefined;
  if (system === 'darwin') return ['open'];
  if (system === 'win32') return ['explorer.exe'];
  return environment.DISPLAY || environment.WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}

/** Whether it opened does not matter: the address is printed too. */
export function openBrowser(url: string, [program, ...words]: readonly string[]): void {
  if (program === undefined) return;
  const child = spawn(program, [...words, url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
