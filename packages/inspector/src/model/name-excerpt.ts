import type { Stretch } from './inspection.ts';

/** The name by which the text of an excerpt is read. */
export const nameExcerpt = ({ place, from }: Pick<Stretch, 'place' | 'from'>): string => `#${place + 1}@${from}`;
