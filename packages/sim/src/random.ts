import { hash } from './prompt/hash.ts';

/** A number in [0, 1) that depends on nothing but its arguments. */
export function roll(...keys: readonly (string | number)[]): number {
  let state = 0x811c9dc5;
  for (const unit of keys.join('/')) state = Math.imul(state ^ unit.charCodeAt(0), 0x01000193);
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return ((state ^ (state >>> 16)) >>> 0) / 0x1_0000_0000;
}

export const rollBelow = (limit: number, ...keys: readonly (string | number)[]): number =>
  Math.floor(roll(...keys) * limit);

export function pick<T>(list: readonly T[], ...keys: readonly (string | number)[]): T {
  const one = list[rollBelow(list.length, ...keys)];
  if (one === undefined) throw new RangeError('nothing to pick from: the list is empty');
  return one;
}

/** An identifier in the vendors' manner: a prefix and letters and digits. */
export const identifier = (prefix: string, ...keys: readonly (string | number)[]): string =>
  `${prefix}${hash(keys.join('/')).replace(/[-_]/g, '0').slice(0, 24)}`;
