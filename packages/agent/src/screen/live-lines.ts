import type { CursorPlace } from '@palimpsest/terminal';

/** The lines at the bottom, and where the cursor stands in them. */
export interface LiveLines {
  readonly lines: readonly string[];
  readonly cursor: CursorPlace;
}
