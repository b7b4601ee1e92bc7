/** Numbers as people read them: whole, with commas. */
export const formatNumber = (value: number): string => Math.round(value).toLocaleString('en-US');

export const formatCount = (count: number, noun: string, plural = `${noun}s`): string =>
  `${formatNumber(count)} ${count === 1 ? noun : plural}`;

export const formatBytes = (value: number): string =>
  value < 1_000
    ? `${value} B`
    : value < 1_000_000
      ? `${(value / 1_000).toFixed(1)} kB`
      : `${(value / 1_000_000).toFixed(1)} MB`;

const LEAST_MONEY = 0.0001;

/** Two decimals; the smaller an amount, the more. */
export function formatMoney(value: number): string {
  if (value > 0 && value < LEAST_MONEY) return `<${LEAST_MONEY}`;
  const digits = value >= 1 ? 2 : value >= 0.01 || value === 0 ? 3 : 4;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
