import type { StatementEvidence } from '../evidence/evidence.ts';
import { listNames } from '../evidence/statement-names.ts';

/** Names with no more between them and a statement stood near it. */
const nearChars = 200;

/** Names that stood near statements, each with the number of the one that it stood nearest to. */
export type NearNames = ReadonlyMap<string, number>;

/** The names that stood near these statements, in the same file, output or message; of equally near ones the later counts. */
export function findNearNames(
  numbers: readonly number[],
  tell: (number: number) => StatementEvidence | undefined,
): NearNames {
  const nearest = new Map<string, number>();
  const distances = new Map<string, number>();
  for (const number of numbers) {
    const one = tell(number);
    for (const step of [-1, 1]) {
      for (let at = number + step, chars = 0; chars <= nearChars; at += step) {
        const other = tell(at);
        if (other === undefined || other.at !== one?.at || other.about !== one.about) break;
        for (const name of listNames(other)) {
          if (chars > (distances.get(name) ?? nearChars)) continue;
          nearest.set(name, number);
          distances.set(name, chars);
        }
        chars += other.text.length;
      }
    }
  }
  return nearest;
}
