import type { Steps } from '@palimpsest/core/steps';

/** Since Node 20; the language's own types have it from ES2024 on. */
interface UnicodeString {
  isWellFormed(): boolean;
  toWellFormed(): string;
}

const unicode = (text: string): UnicodeString => text as unknown as UnicodeString;

/** Whether no half of a surrogate pair stands alone, in no text and no key: JSON parsers of providers refuse the whole body. */
export function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return unicode(value).isWellFormed();
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return true;
  if (Array.isArray(value)) return value.every(isWellFormed);
  for (const key in value)
    if (!unicode(key).isWellFormed() || !isWellFormed((value as Record<string, unknown>)[key])) return false;
  return true;
}

/** The same value, or where half a pair stands alone in it, a copy that says U+FFFD there. */
export function makeWellFormed<Value>(value: Value): Value {
  return isWellFormed(value) ? value : (mendText(value) as Value);
}

/** The same, with a step for each message of a body or of a view. */
export function* stepsOfWellFormed<Value>(value: Value): Steps<Value> {
  return (yield* checkInSteps(value, MESSAGES_DEPTH)) ? value : (mendText(value) as Value);
}

/** A body has lists, and those have messages. */
const MESSAGES_DEPTH = 2;

function* checkInSteps(value: unknown, depth: number): Steps<boolean> {
  yield;
  if (depth === 0 || typeof value !== 'object' || value === null || ArrayBuffer.isView(value))
    return isWellFormed(value);
  for (const key in value)
    if (!isWellFormed(key) || !(yield* checkInSteps((value as Record<string, unknown>)[key], depth - 1))) return false;
  return true;
}

function mendText(value: unknown): unknown {
  if (typeof value === 'string') return unicode(value).toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(makeWellFormed);
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [unicode(key).toWellFormed(), makeWellFormed(one)]),
  );
}
