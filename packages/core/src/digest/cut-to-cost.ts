import { shorten } from './work.ts';

type Cost = (text: string) => number;

/** Cutting a text shorter than this leaves nothing to read. */
const shortestChars = 40;

/** The longest head of the text within the cost, marked as cut; nothing where not even a few words fit. */
export function cutToCost(text: string, most: number, cost: Cost): string | undefined {
  if (cost(text) <= most) return text;
  let fits = 0;
  let over = text.length;
  while (over - fits > 1) {
    const middle = (fits + over) >> 1;
    if (cost(shorten(text, middle)) <= most) fits = middle;
    else over = middle;
  }
  return fits < Math.min(shortestChars, text.length) ? undefined : shorten(text, fits);
}
