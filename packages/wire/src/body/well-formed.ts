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

function mendText(value: unknown): unknown {
  if (typeof value === 'string') return unicode(value).toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(makeWellFormed);
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [unicode(key).toWellFormed(), makeWellFormed(one)]),
  );
}
