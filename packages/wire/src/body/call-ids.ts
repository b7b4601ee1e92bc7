import { createHash } from 'node:crypto';

/** What a provider takes as the id of a call. */
export interface CallIdRule {
  readonly pattern: RegExp;
  readonly maxChars: number;
  /** Servers of many makes speak the format, and some give longer ids: those that a body came with are not respelled. */
  readonly trustsBody: boolean;
}

/**
 * Ids in the form a provider takes, no two calls under one: some servers begin to count anew with every answer, others
 * refuse an id that comes twice. What an id becomes depends on what stands before it alone, so prefixes stay as they are.
 */
export interface CallIds {
  /** For a call; the same id in a later round becomes another. */
  nameCall(callId: string): string;
  /** For a result: the id of the newest call of this name before it. */
  nameResult(callId: string): string;
}

/** `known` are the ids of the body that came in. */
export function createCallIds(rule: CallIdRule, known: ReadonlySet<string>): CallIds {
  const isTrusted = (callId: string): boolean => rule.trustsBody && known.has(callId);
  const used = new Set<string>();
  const newest = new Map<string, string>();
  const counts = new Map<string, number>();

  const spell = (callId: string): string => (isTrusted(callId) ? callId : spellId(callId, rule));

  function findFree(base: string): string {
    if (!used.has(base)) return base;
    for (let n = counts.get(base) ?? 2; ; n++) {
      counts.set(base, n + 1);
      const end = `_${n}`;
      const free = `${base.slice(0, rule.maxChars - end.length)}${end}`;
      if (!used.has(free)) return free;
    }
  }

  return {
    nameCall(callId) {
      const id = findFree(spell(callId));
      used.add(id);
      newest.set(callId, id);
      return id;
    },
    nameResult: (callId) => newest.get(callId) ?? spell(callId),
  };
}

/** An id that is fine stays; another maps to the same new one everywhere. */
function spellId(callId: string, { pattern, maxChars }: CallIdRule): string {
  if (pattern.test(callId) && callId.length <= maxChars) return callId;
  return shortenName(callId, maxChars);
}

/** Readable as far as it goes, and told apart by a hash. */
export function shortenName(name: string, maxChars: number, salt = ''): string {
  const digest = createHash('sha256').update(`${name}${salt}`).digest('hex').slice(0, 12);
  const readable = name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, maxChars - digest.length - 1);
  return `${readable}_${digest}`;
}
