import { coldTrigger } from '../size/money.ts';
import type { Look } from '../view/look.ts';

const showTokens = (tokens: number): string => String(Math.round(tokens));

/** Why money pressed, in words and figures for the receipt; undefined where it did not. */
export function tellCause({ cause, tokens, given }: Look): string | undefined {
  const { budget, cache } = given;
  const { target, ceiling, trigger } = budget;
  if (cause === 'cold')
    return `cold cache: ${showTokens(tokens)} tokens would be written anew at ${cache.prices.cacheWrite} a million; above ${showTokens(coldTrigger(budget, cache))} they go down to ${target}`;
  if (cause === 'price')
    return `cheapest at ${trigger} tokens, by ${cache.prices.cacheRead} a million read and ${cache.prices.cacheWrite} written; the limit is ${ceiling ?? trigger}`;
  return undefined;
}
