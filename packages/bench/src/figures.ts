/** Numbers as the benches print them. */

export const formatNumber = (value: number): string => Math.round(value).toLocaleString('en-US');

/** One decimal; a dash where there was nothing to measure. */
export const formatPercent = (fraction: number): string =>
  Number.isNaN(fraction) ? '–' : `${(100 * fraction).toFixed(1)} %`;

export const formatVerdict = (isMet: boolean): string => (isMet ? 'met' : 'MISSED');

export const findQuantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

export const findMedian = (values: readonly number[]): number => findQuantile(values, 0.5);
