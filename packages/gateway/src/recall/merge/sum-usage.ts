import { asNumber, type Fields } from '@palimpsest/core/json';

const numberIn = (fields: Fields, name: string): number => asNumber(fields[name]) ?? 0;

/** The fields by which one vendor states what a request cost. */
export interface UsageFields {
  /** All input together, where the vendor states that; else the parts below add up to it. */
  readonly input: string;
  readonly output: readonly string[];
  /** Read from a cache, and whether `input` has it too. */
  readonly read: readonly string[];
  readonly isReadInside: boolean;
  /** Written to a cache beside `input`. */
  readonly written?: string;
  /** The sum of both sides, where it is stated. */
  readonly total?: string;
}

/**
 * What several rounds cost as the cost of one: outputs are added up, and so is input that was new. What a later round reads
 * again from the cache is not counted again: clients take the sum for the size of their context, and compact by it.
 */
export function sumUsage(rounds: readonly Fields[], fields: UsageFields): Fields {
  const last = rounds.at(-1) ?? {};
  const reads = rounds.map((round) => readAt(round, fields.read));
  const cacheRead = Math.min(...reads);
  const written =
    fields.written === undefined ? 0 : sumOf(rounds.map((round) => numberIn(round, fields.written ?? '')));
  const size = sizeOf(last, fields);
  const input = fields.isReadInside ? size : Math.max(0, size - cacheRead - written);
  let sum: Fields = { ...last, [fields.input]: input };
  sum = writeAt(sum, fields.read, cacheRead);
  if (fields.written !== undefined && last[fields.written] !== undefined) sum = { ...sum, [fields.written]: written };
  const output = sumOf(rounds.map((round) => numberIn(round, fields.output[0] ?? '')));
  for (const name of fields.output)
    if (last[name] !== undefined) sum = { ...sum, [name]: sumOf(rounds.map((round) => numberIn(round, name))) };
  if (fields.total !== undefined && last[fields.total] !== undefined) sum = { ...sum, [fields.total]: input + output };
  return sum;
}

/** How large the context was at the end of it. */
function sizeOf(round: Fields, { input, read, isReadInside, written }: UsageFields): number {
  const base = numberIn(round, input);
  if (isReadInside) return base;
  return base + readAt(round, read) + (written === undefined ? 0 : numberIn(round, written));
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

function readAt(fields: Fields, [name = '', ...rest]: readonly string[]): number {
  if (rest.length === 0) return numberIn(fields, name);
  const inner = fields[name];
  return typeof inner === 'object' && inner !== null ? readAt(inner as Fields, rest) : 0;
}

/** Only where it was stated. */
function writeAt(fields: Fields, [name = '', ...rest]: readonly string[], value: number): Fields {
  const inner = fields[name];
  if (inner === undefined || inner === null) return fields;
  return { ...fields, [name]: rest.length === 0 ? value : writeAt(inner as Fields, rest, value) };
}
