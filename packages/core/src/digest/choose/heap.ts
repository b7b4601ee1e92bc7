/** Numbers by worth, the worthiest first. */
export interface Heap {
  readonly numbers: number[];
  readonly worths: number[];
  /** What the one that was popped last is worth. */
  worth: number;
}

/** All with what they are worth, in the order in which equals stand. */
export function newHeap(numbers: readonly number[], worths: Float64Array): Heap {
  const order = numbers.map((_, at) => at);
  order.sort((a, b) => (worths[b] as number) - (worths[a] as number));
  // What is sorted is a heap.
  return {
    numbers: order.map((at) => numbers[at] as number),
    worths: order.map((at) => worths[at] as number),
    worth: 0,
  };
}

/** Takes the worthiest out; -1 where there is none. */
export function popBest(heap: Heap): number {
  const { numbers, worths } = heap;
  const top = numbers[0];
  if (top === undefined) return -1;
  heap.worth = worths[0] as number;
  const number = numbers.pop() as number;
  const worth = worths.pop() as number;
  const { length } = numbers;
  if (length === 0) return top;
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    if (left >= length) break;
    const right = left + 1;
    const child = right < length && (worths[right] as number) > (worths[left] as number) ? right : left;
    if ((worths[child] as number) <= worth) break;
    numbers[at] = numbers[child] as number;
    worths[at] = worths[child] as number;
    at = child;
  }
  numbers[at] = number;
  worths[at] = worth;
  return top;
}

export function pushOne({ numbers, worths }: Heap, number: number, worth: number): void {
  let at = numbers.length;
  numbers.push(number);
  worths.push(worth);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if ((worths[parent] as number) >= worth) break;
    numbers[at] = numbers[parent] as number;
    worths[at] = worths[parent] as number;
    at = parent;
  }
  numbers[at] = number;
  worths[at] = worth;
}
