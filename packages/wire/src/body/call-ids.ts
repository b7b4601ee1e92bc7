import { createHash } from 'node:crypto';

export interface CallIdRule {
  readonly pattern: RegExp;
  readonly maxChars: number;
}

/** A call id in the form a provider takes. Ids that are fine stay; others map to the same new id everywhere. */
export function callIdFor(callId: string, rule: CallIdRule, known: ReadonlySet<string>): string {
  if (known.has(callId) || (rule.pattern.test(callId) && callId.length <= rule.maxChars)) return callId;
  const digest = createHash('sha256').update(callId).digest('hex').slice(0, 12);
  const readable = callId.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, rule.maxChars - digest.length - 1);
  return `${readable}_${digest}`;
}
