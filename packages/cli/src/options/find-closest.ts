/** The known word that was perhaps meant: at most two letters are wrong, missing, too many or swapped. */
export function findClosest(word: string, known: readonly string[]): string | undefined {
  let closest: string | undefined;
  let least = Math.min(2, Math.floor(word.length / 2)) + 1;
  for (const one of known) {
    // Of an id, as much as was written.
    const distance = Math.min(countEdits(word, one), countEdits(word, one.slice(0, word.length)));
    if (distance < least) [closest, least] = [one, distance];
  }
  return closest;
}

/** Changes, omissions, insertions and swaps of neighbours that make one word of the other. */
function countEdits(one: string, other: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const change = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1, isSwap ? before[j - 2]! + 1 : Infinity));
    }
    [before, row] = [row, next];
  }
  return row[other.length]!;
}
