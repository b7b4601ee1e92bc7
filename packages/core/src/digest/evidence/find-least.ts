/** What the worthiest of many are: all above `least`, and so many of those that are worth exactly that. */
export interface Least {
  readonly least: number;
  readonly ties: number;
}

/** The least that one of the `most` worthiest is worth. */
export function findLeast(worths: Float64Array, most: number): Least {
  if (most >= worths.length) return { least: Number.NEGATIVE_INFINITY, ties: 0 };
  const least = selectRank(worths.slice(), worths.length - most);
  return { least, ties: most - countAbove(worths, least) };
}

function countAbove(worths: Float64Array, least: number): number {
  let above = 0;
  for (let at = 0; at < worths.length; at++) if ((worths[at] as number) > least) above++;
  return above;
}

/** The number that has the rank among them, by parting them again and again; their order changes. */
function selectRank(worths: Float64Array, rank: number): number {
  for (let first = 0, last = worths.length - 1; first < last; ) {
    const middle = findMiddle(worths[first] as number, worths[(first + last) >> 1] as number, worths[last] as number);
    let low = first;
    let high = last;
    while (low <= high) {
      while ((worths[low] as number) < middle) low++;
      while ((worths[high] as number) > middle) high--;
      if (low > high) break;
      const swapped = worths[low] as number;
      worths[low++] = worths[high] as number;
      worths[high--] = swapped;
    }
    if (rank <= high) last = high;
    else if (rank >= low) first = low;
    else break;
  }
  return worths[rank] as number;
}

const findMiddle = (a: number, b: number, c: number): number => Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
