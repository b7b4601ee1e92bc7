/** Things by worth, the worthiest first. */
export interface Heap<One extends { readonly worth: number }> {
  pop(): One | undefined;
  push(one: One): void;
}

export function newHeap<One extends { readonly worth: number }>(all: readonly One[]): Heap<One> {
  // What is sorted is a heap.
  const heap = [...all].sort((a, b) => b.worth - a.worth);
  const worthAt = (at: number): number => heap[at]?.worth ?? Number.NEGATIVE_INFINITY;
  const put = (at: number, one: One): void => {
    heap[at] = one;
  };
  return {
    pop() {
      const top = heap[0];
      const last = heap.pop();
      if (last === undefined || heap.length === 0) return top;
      let at = 0;
      for (;;) {
        const left = 2 * at + 1;
        const child = worthAt(left + 1) > worthAt(left) ? left + 1 : left;
        const next = heap[child];
        if (next === undefined || next.worth <= last.worth) break;
        put(at, next);
        at = child;
      }
      put(at, last);
      return top;
    },
    push(one) {
      let at = heap.length;
      for (;;) {
        const parent = (at - 1) >> 1;
        const above = at === 0 ? undefined : heap[parent];
        if (above === undefined || above.worth >= one.worth) break;
        put(at, above);
        at = parent;
      }
      put(at, one);
    },
  };
}
