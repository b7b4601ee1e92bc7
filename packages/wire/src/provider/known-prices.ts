import type { Prices } from '@palimpsest/core';
import { PRICE_TABLE } from './price-table.ts';

/**
 * What a model's tokens cost, in US dollars a million; undefined where that is not known. Agents write the same model in several ways:
 * `deepseek/deepseek-chat`, `claude-opus-4.8`, `claude-opus-4-5-20251101`, `claude-opus-4-8[1m]`.
 */
export function knownPrices(name: string): Prices | undefined {
  const plain = name
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/\[\w+\]$/, '')
    .replace(/-(?:20\d{6}|20\d{2}-\d{2}-\d{2}|latest)$/, '');
  const model = plain.startsWith('claude-') ? plain.replaceAll('.', '-') : plain;
  return Object.hasOwn(PRICE_TABLE, model) ? PRICE_TABLE[model] : undefined;
}
