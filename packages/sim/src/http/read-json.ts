/** A body as a strict parser reads it: the vendors' refuse half a surrogate pair, which `JSON.parse` lets pass. */
export function readJson(text: string): { readonly value: unknown } | { readonly detail: string } {
  try {
    const value: unknown = JSON.parse(text);
    // Such a half can only come as an escape: there are no bytes for it.
    return /\\u[dD][89a-fA-F]/.test(text) && hasHalf(value)
      ? { detail: 'no low surrogate in string: line 1 column 1 (char 0)' }
      : { value };
  } catch (error) {
    return { detail: error instanceof Error ? error.message : String(error) };
  }
}

const HALF = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

function hasHalf(value: unknown): boolean {
  if (typeof value === 'string') return HALF.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, one]) => HALF.test(key) || hasHalf(one));
}
