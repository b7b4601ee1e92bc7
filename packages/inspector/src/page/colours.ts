import type { Kind } from '../model/inspection.ts';

/** The colours of the page as they stand in its style sheet: a canvas knows no variables. */
export const readColour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim() || '#888';

export const kindColour = (kind: Kind): string => readColour(`kind-${kind}`);
