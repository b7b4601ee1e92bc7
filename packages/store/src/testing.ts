import { deleteRules } from './contract/delete-rules.ts';
import type { Ground, Rule, RuleBody } from './contract/ground.ts';
import { journalRules } from './contract/journal-rules.ts';
import { sessionRules } from './contract/session-rules.ts';
import { stashRules } from './contract/stash-rules.ts';

export type { Ground, Rule } from './contract/ground.ts';

/**
 * What every store promises, for any test runner:
 *
 *     for (const { rule, check } of storeContract(makeGround)) it(rule, check);
 */
export function storeContract(makeGround: () => Ground | Promise<Ground>): readonly Rule[] {
  const rules: Readonly<Record<string, RuleBody>> = { ...journalRules, ...sessionRules, ...stashRules, ...deleteRules };
  return Object.entries(rules).map(([rule, body]) => ({
    rule,
    async check() {
      const ground = await makeGround();
      try {
        await body(ground);
      } finally {
        await ground.dispose?.();
      }
    },
  }));
}
