/** Up to so long a text the engine's own search is quick, whatever stands in it. */
const SHORT_CHARS = 256;

/**
 * As `whole.includes(text)`. The engine's search goes back for every place where a long text of repeated characters might begin, and
 * takes minutes for a paste of zeros; this one never goes back (Knuth, Morris and Pratt).
 */
export function includesText(whole: string, text: string): boolean {
  if (text.length <= SHORT_CHARS || !whole.includes(text.slice(0, SHORT_CHARS))) return whole.includes(text);
  const borders = measureBorders(text);
  let matched = 0;
  for (let at = 0; at < whole.length; at++) {
    const code = whole.charCodeAt(at);
    while (matched > 0 && text.charCodeAt(matched) !== code) matched = borders[matched - 1]!;
    if (text.charCodeAt(matched) === code) matched++;
    if (matched === text.length) return true;
  }
  return false;
}

/** For every beginning of a text, the longest shorter one that it also ends with. */
function measureBorders(text: string): Int32Array {
  const borders = new Int32Array(text.length);
  let border = 0;
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    while (border > 0 && text.charCodeAt(border) !== code) border = borders[border - 1]!;
    if (text.charCodeAt(border) === code) border++;
    borders[at] = border;
  }
  return borders;
}
