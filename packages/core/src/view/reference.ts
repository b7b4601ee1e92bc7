import type { Gate } from '../message/admit-message.ts';

/** What an edit is called by, and the message that it makes. */
export const nameReference = (number: number): string => `e${number}`;

/** The id of a message that Palimpsest makes for an edit. */
export const nameMade = (ref: string): string => `palimpsest/${ref}`;

/** The number of an edit behind others: the next one by which no message of the host is called, as in a fork of a view. */
export function nextNumber({ ids }: Gate, before: number): number {
  let number = before + 1;
  while (ids.has(nameReference(number)) || ids.has(nameMade(nameReference(number)))) number++;
  return number;
}

/** The references of the edits to come, in order, each found once. */
export function newReferences(gate: Gate, before: number): (n: number) => string {
  const numbers: number[] = [];
  return (n) => {
    while (numbers.length <= n) numbers.push(nextNumber(gate, numbers.at(-1) ?? before));
    return nameReference(numbers[n] ?? before);
  };
}

/** The number in a reference; of another form it has none. */
export const numberIn = (ref: string): number => Number(/^e(\d+)$/.exec(ref)?.[1] ?? 0);
