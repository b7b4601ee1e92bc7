import { type Part, partText } from '../message/message.ts';
import { partIndex, type Slot } from './slot.ts';

/** What goes of a list of slots: runs of them, in order, and parts of others. */
export interface Gone {
  readonly runs: readonly { readonly start: number; readonly end: number }[];
  readonly parts: readonly { readonly slot: Slot; readonly parts: readonly number[] }[];
}

/** What the messages show that stay around what goes: a digest beside them need not say it again. What is written into a call stands in it line by line. */
export function readKept(slots: readonly Slot[], { runs, parts }: Gone): string {
  const texts: string[] = [];
  const without = new Map(parts.map((one) => [one.slot, new Set(one.parts)]));
  let next = 0;
  for (const [at, slot] of slots.entries()) {
    while ((runs[next]?.end ?? Infinity) <= at) next++;
    if ((runs[next]?.start ?? Infinity) <= at) continue;
    const gone = without.get(slot);
    for (const [shown, part] of slot.message.parts.entries())
      if (gone?.has(partIndex(slot, shown)) !== true) texts.push(readText(part));
  }
  return texts.join('\n');
}

const readText = (part: Part): string =>
  part.type === 'call'
    ? partText(part)
        .replace(/\\[nt]/g, '\n')
        .replaceAll('\\"', '"')
    : partText(part);
