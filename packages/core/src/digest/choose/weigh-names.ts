import type { Evidence } from '../evidence/evidence.ts';
import { visitParts } from '../evidence/scan-identifiers.ts';
import { isSerial, isTelling } from '../evidence/statement-names.ts';
import { weighName } from '../evidence/weigh-name.ts';

/** The names of a span by number, with what each is worth in a digest. */
export interface NameWeights {
  readonly weights: readonly number[];
  /** The numbers of a name and of the shorter ones that it says too. */
  listNumbers(name: string): readonly number[];
}

export function weighNames({ identifiers, chars }: Evidence): NameWeights {
  const numbers = new Map<string, number>();
  const weights: number[] = [];
  for (const one of identifiers)
    if (isTelling(one.identifier, one.kind) && !(one.kind === 'name' && one.used < 0 && isSerial(one.identifier)))
      numbers.set(one.identifier, weights.push(weighName(one, chars)) - 1);
  const known = new Map<string, readonly number[]>();
  return {
    weights,
    listNumbers(name) {
      const before = known.get(name);
      if (before !== undefined) return before;
      const own = numbers.get(name);
      const list = own === undefined ? [] : [own];
      visitParts(name, (part) => {
        const number = numbers.get(part);
        if (number !== undefined && !list.includes(number)) list.push(number);
      });
      known.set(name, list);
      return list;
    },
  };
}
