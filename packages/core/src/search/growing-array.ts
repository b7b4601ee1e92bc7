/** Numbers that come one after the other, in four bytes each. */
export interface GrowingArray {
  /** What is filled; a new view after `push` made it grow. */
  readonly values: Uint32Array;
  readonly length: number;
  readonly bytes: number;
  push(value: number): void;
}

const FIRST_LENGTH = 256;

export function newGrowingArray(): GrowingArray {
  let values = new Uint32Array(FIRST_LENGTH);
  let length = 0;
  return {
    get values() {
      return values;
    },
    get length() {
      return length;
    },
    get bytes() {
      return values.byteLength;
    },
    push(value) {
      if (length === values.length) {
        const larger = new Uint32Array(Math.ceil(length * 1.5));
        larger.set(values);
        values = larger;
      }
      values[length++] = value;
    },
  };
}
