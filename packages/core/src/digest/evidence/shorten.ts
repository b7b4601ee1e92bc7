import { headEnd } from '../../ledger/excerpt.ts';

/** The start of a text, up to a sensible end, marked where it was cut. */
export const shorten = (text: string, chars: number): string =>
  text.length <= chars ? text : `${text.slice(0, headEnd(text, chars - 1)).trimEnd()}…`;
