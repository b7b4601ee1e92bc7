/** What the worthiest of many are: all above `least`, and so many of those that are worth exactly that. */
export interface Least {
  readonly least: number;
  readonly ties: number;
}

/** The least that one of the `most` worthiest is worth. */
export function findLeast(worths: Float64Array, most: number): Least {
  if (most >= worths.length) return { least: Number.NEGATIVE_INFINITY, ties: 0 };
  const least = selectRank(worths.slice(), worths.length - most);
  let above = 0;
  for (const worth of worths) if (worth > least) above++;
  return { least, ties: most - above };
}

/** The number that has the rank among them, by parting them again and again; their order changes. */
function selectRank(worths: Float64Array, rank: number): number {
  const at = (place: number): number => worths[place] as number;
  for (let first = 0, last = worths.length - 1; first < last; ) {
    const middle = findMiddle(at(first), at((first + last) >> 1), at(last));
    let [low, high] = [first, last];
    while (low <= high) {
      while (at(low) < middle) low++;
      while (at(high) > middle) high--;
      if (low > high) break;
      const swapped = at(low);
      worths[low++] = at(high);
      worths[high--] = swapped;
    }
    if (rank <= high) last = high;
    else if (rank >= low) first = low;
    else break;
  }
  return at(rank);
}

const findMiddle = (a: number, b: number, c: number): number => Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
