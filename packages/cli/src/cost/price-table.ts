import { readFile } from 'node:fs/promises';
import type { Prices } from '@palimpsest/core';
import { asNumber, isFields } from '@palimpsest/core/json';
import { knownPrices } from '@palimpsest/wire';
import { systemFailure } from '../files/system-failure.ts';
import { UsageError } from '../usage-error.ts';

/** What a model's tokens cost, in US dollars a million; undefined where that is not known. */
export type PriceOf = (model: string) => Prices | undefined;

const FIELDS = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;

/** A JSON object from the beginnings of models' names to their prices; the longest that fits counts, before the vendors' lists. */
export async function readPrices(file: string | undefined): Promise<PriceOf> {
  if (file === undefined) return knownPrices;
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw systemFailure(error, 'read', file);
  });
  const table = parseTable(file, text);
  return (model) => {
    const names = [...table.keys()].filter((name) => model.startsWith(name));
    const [longest] = names.sort((one, other) => other.length - one.length);
    return table.get(longest ?? '') ?? knownPrices(model);
  };
}

function parseTable(file: string, text: string): ReadonlyMap<string, Prices> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} is no JSON: ${(error as Error).message}`);
  }
  if (!isFields(value)) throw new UsageError(`${file} must hold an object from models to prices.`);
  return new Map(Object.entries(value).map(([model, prices]) => [model, parsePrices(file, model, prices)]));
}

function parsePrices(file: string, model: string, value: unknown): Prices {
  const fields = isFields(value) ? value : {};
  for (const field of FIELDS)
    if ((asNumber(fields[field]) ?? -1) < 0)
      throw new UsageError(`${file}: ${JSON.stringify(model)} needs "${field}", in money for a million tokens.`);
  const [input, output, cacheRead, cacheWrite] = FIELDS.map((field) => asNumber(fields[field]) ?? 0);
  return { input: input ?? 0, output: output ?? 0, cacheRead: cacheRead ?? 0, cacheWrite: cacheWrite ?? 0 };
}
