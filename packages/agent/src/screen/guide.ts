import type { Suggestion } from '../practice/suggest-steps.ts';

/** Leads a newcomer: what to type next, and which step that is. */
export interface Guide {
  /** Undefined where there is nothing left to suggest. */
  next(): (Suggestion & { readonly step: number; readonly of: number }) | undefined;
  /** What was typed; a step that was typed is done. */
  hear(line: string): void;
}

export function newGuide(steps: readonly Suggestion[]): Guide {
  const done = new Set<number>();
  return {
    next() {
      const at = steps.findIndex((_, i) => !done.has(i));
      const step = steps[at];
      return step === undefined ? undefined : { ...step, step: at + 1, of: steps.length };
    },
    hear(line) {
      const at = steps.findIndex(({ words }, i) => !done.has(i) && words === line.trim());
      if (at >= 0) done.add(at);
    },
  };
}
