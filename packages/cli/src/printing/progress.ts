import { clip } from '@palimpsest/terminal';

/** One line that says how far long work is; on stderr, and only where a person watches. */
export interface Progress {
  show(text: string): void;
  /** Takes the line away. */
  end(): void;
}

const EVERY_MS = 80;

export function newProgress(
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'> = process.stderr,
): Progress {
  let shownAt = Number.NEGATIVE_INFINITY;
  let isShown = false;
  return {
    show(text) {
      const now = performance.now();
      if (stream.isTTY !== true || now - shownAt < EVERY_MS) return;
      shownAt = now;
      isShown = true;
      stream.write(`\r\u001b[K${clip(text, (stream.columns ?? 80) - 1)}`);
    },
    end() {
      if (isShown) stream.write('\r\u001b[K');
      isShown = false;
    },
  };
}
