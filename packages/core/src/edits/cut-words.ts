import { headEnd, tailStart } from '../ledger/excerpt.ts';
import { hookCutMark } from '../notices.ts';
import { type Budget, share } from '../size/budget.ts';

/** What a hook may say at most: so many tokens, or this share of the effective window. */
const HOOK_TOKENS = 2_000;
const HOOK_SHARE = 0.05;

/** The tokens that a hook's words may take. */
export const hookRoom = (budget: Budget): number => share(budget, HOOK_TOKENS, HOOK_SHARE);

/** No token stands for more characters than this, but for runs of blanks: a bound on what has to be counted. */
const CHARS_PER_TOKEN = 64;

/** The host's words within so many tokens: whole, or the most of head and tail that fits around a mark. Empty where nothing does. */
export function cutWords(words: string, allowed: number, countText: (text: string) => number): string {
  const most = Math.max(0, allowed) * CHARS_PER_TOKEN;
  if (words.length <= most && countText(words) <= allowed) return words;
  const cutTo = (chars: number): string => {
    const half = Math.floor(chars / 2);
    const head = headEnd(words, half);
    const tail = Math.max(head, tailStart(words, half));
    return `${words.slice(0, head)}${hookCutMark(tail - head)}${words.slice(tail)}`;
  };
  let low = 0;
  let high = Math.min(words.length, most);
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (countText(cutTo(middle)) <= allowed) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? '' : cutTo(low);
}
