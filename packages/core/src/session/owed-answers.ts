/**
 * Who was asked, given up on (an abort, a deadline) and has not answered since. Such a port is not asked again before its
 * answer came: one that never answers costs a session its deadline once and not at every view.
 */
export interface OwedAnswers {
  isOwedBy(who: string): boolean;
  note(who: string, answer: Promise<unknown>): void;
}

export function newOwedAnswers(): OwedAnswers {
  const owed = new Map<string, number>();
  const add = (who: string, change: number): void => void owed.set(who, (owed.get(who) ?? 0) + change);
  return {
    isOwedBy: (who) => (owed.get(who) ?? 0) > 0,
    note(who, answer) {
      add(who, 1);
      const settle = (): void => add(who, -1);
      answer.then(settle, settle);
    },
  };
}
