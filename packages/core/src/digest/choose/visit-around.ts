import type { StatementEvidence } from '../evidence/evidence.ts';

/** Statements with no more between them stood near each other. */
export const nearChars = 200;

/** Tells a statement by its number in the order of the transcript. */
export type TellStatement = (number: number) => StatementEvidence | undefined;

/** Visits the statements that stood near this one in the same file, output or message, with how many characters stood between. */
export function visitAround(
  number: number,
  tell: TellStatement,
  visit: (number: number, statement: StatementEvidence, chars: number) => void,
): void {
  const one = tell(number);
  for (const step of [-1, 1]) {
    for (let at = number + step, chars = 0; chars <= nearChars; at += step) {
      const other = tell(at);
      if (other === undefined || other.at !== one?.at || other.about !== one.about) break;
      visit(at, other, chars);
      chars += other.text.length;
    }
  }
}
