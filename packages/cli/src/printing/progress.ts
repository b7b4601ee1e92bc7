import { clip, oneLine, screenCodes, type Writer } from '@palimpsest/terminal';
import { errorWriter } from '../terminal.ts';

/** One line that says how far long work is; on stderr, and only where a person watches. */
export interface Progress {
  show(text: string): void;
  /** Takes the line away. */
  end(): void;
}

const EVERY_MS = 80;

const { lineStart, eraseLine } = screenCodes;

export function newProgress(out: Writer = errorWriter()): Progress {
  let shownAt = Number.NEGATIVE_INFINITY;
  let isShown = false;
  return {
    show(text) {
      const now = performance.now();
      if (!out.isTerminal || now - shownAt < EVERY_MS) return;
      shownAt = now;
      isShown = true;
      out.send([lineStart, eraseLine, clip(oneLine(text), (out.columns() ?? 80) - 1)]);
    },
    end() {
      if (isShown) out.send([lineStart, eraseLine]);
      isShown = false;
    },
  };
}
