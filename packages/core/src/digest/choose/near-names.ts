import { listNames } from '../evidence/statement-names.ts';
import { nearChars, type TellStatement, visitAround } from './visit-around.ts';

/** Names that stood near statements, each with the number of the one that it stood nearest to. */
export type NearNames = ReadonlyMap<string, number>;

/** The names that stood near these statements, in the same file, output or message; of equally near ones the later counts. */
export function findNearNames(numbers: readonly number[], tell: TellStatement): NearNames {
  const nearest = new Map<string, number>();
  const distances = new Map<string, number>();
  for (const number of numbers) {
    visitAround(number, tell, (_, other, chars) => {
      for (const name of listNames(other)) {
        if (chars > (distances.get(name) ?? nearChars)) continue;
        nearest.set(name, number);
        distances.set(name, chars);
      }
    });
  }
  return nearest;
}
