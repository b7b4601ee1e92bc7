import { type IPty, spawn } from '@lydell/node-pty';
import { plainEnvironment, programWords } from './launch.ts';
import { type ScreenModel, screenModel } from './screen-model.ts';

export interface Terminal {
  readonly pid: number;
  readonly screen: ScreenModel;
  /** Everything that was sent to it, byte for byte. */
  raw(): string;
  type(text: string): void;
  enter(text: string): void;
  ctrl(letter: string): void;
  resize(columns: number, rows: number): void;
  /** Waits until the screen shows it (anywhere, scrolled away or not); says what it shows instead where it does not. */
  until(wanted: string | RegExp | ((screen: ScreenModel) => boolean)): Promise<void>;
  kill(signal?: string): void;
  /** Closes the window. */
  hangUp(): void;
  readonly ended: Promise<number>;
}

const PATIENCE_MS = 30_000;

/** The agent in a real pseudo-terminal. */
export function openTerminal(
  words: readonly string[],
  {
    home,
    environment = {},
    columns = 100,
    rows = 30,
  }: { home: string; environment?: Record<string, string>; columns?: number; rows?: number },
): Terminal {
  const screen = screenModel(columns, rows);
  const pty: IPty = spawn(process.execPath, [...programWords(words)], {
    name: environment.TERM ?? 'xterm-256color',
    cols: columns,
    rows,
    env: plainEnvironment({ PALIMPSEST_HOME: home, ...environment }),
  });
  const watchers = new Set<() => void>();
  let raw = '';
  pty.onData((data) => {
    raw += data;
    screen.write(data);
    for (const watch of watchers) watch();
  });
  const { pid } = pty;
  let isOver = false;
  const ended = new Promise<number>((resolve) =>
    pty.onExit(({ exitCode }) => {
      isOver = true;
      resolve(exitCode);
    }),
  );
  const matches = (wanted: string | RegExp | ((screen: ScreenModel) => boolean)): boolean =>
    typeof wanted === 'function'
      ? wanted(screen)
      : typeof wanted === 'string'
        ? screen.all().includes(wanted)
        : wanted.test(screen.all());

  return {
    pid,
    screen,
    raw: () => raw,
    type: (text) => pty.write(text),
    enter: (text) => pty.write(`${text}\r`),
    ctrl: (letter) => pty.write(String.fromCharCode(letter.charCodeAt(0) & 31)),
    resize(newColumns, newRows) {
      // As a terminal does it: the picture changes first, then the program is told.
      screen.resize(newColumns, newRows);
      pty.resize(newColumns, newRows);
    },
    until(wanted) {
      if (matches(wanted)) return Promise.resolve();
      return new Promise((resolve, reject) => {
        const done = (): void => {
          clearTimeout(alarm);
          watchers.delete(watch);
        };
        const watch = (): void => {
          if (!matches(wanted)) return;
          done();
          resolve();
        };
        const alarm = setTimeout(() => {
          done();
          reject(new Error(`the screen never showed ${String(wanted)}; it shows:\n${screen.visible().join('\n')}`));
        }, PATIENCE_MS);
        watchers.add(watch);
      });
    },
    kill(signal = 'SIGKILL') {
      // Once it is over the pid is nobody's, and the library's own note of it is 0: this very group.
      if (!isOver) process.kill(pid, signal);
    },
    hangUp: () => (pty as unknown as { destroy(): void }).destroy(),
    ended,
  };
}
