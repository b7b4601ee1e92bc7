/** What the worthiest of many are: all above `least`, and so many of those that are worth exactly that. */
export interface Least {
  readonly least: number;
  readonly ties: number;
}

/** The least that one of the `most` worthiest is worth. */
export function findLeast(worths: Float64Array, most: number): Least {
  const rising = worths.slice().sort();
  const least = most >= rising.length ? Number.NEGATIVE_INFINITY : (rising[rising.length - most] ?? Infinity);
  let ties = 0;
  for (let at = rising.length - most; at >= 0 && rising[at] === least; at++) ties++;
  return { least, ties };
}
