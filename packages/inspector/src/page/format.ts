/** Figures as people read them. */

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

export const formatNumber = (value: number): string => whole.format(value);

/** `12.3k`, `1.2M`: for axes and bars. */
export const formatShort = (value: number): string => {
  const size = Math.abs(value);
  if (size >= 1e6) return `${(value / 1e6).toFixed(size >= 1e7 ? 0 : 1)}M`;
  if (size >= 1e3) return `${(value / 1e3).toFixed(size >= 1e4 ? 0 : 1)}k`;
  return String(Math.round(value));
};

/** Without a known price, money is not a number. */
export const formatMoney = (value: number): string => {
  if (Number.isNaN(value)) return 'unknown';
  const size = Math.abs(value);
  const digits = size >= 10 ? 2 : size >= 0.1 ? 3 : 4;
  return `${value < 0 ? '−' : ''}$${size.toFixed(digits)}`;
};

export const formatPercent = (part: number, of: number): string =>
  of === 0 ? '–' : `${((100 * part) / of).toFixed(1)} %`;

export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

/** Day and minute, in UTC. */
export const formatTime = (ms: number | null | undefined): string =>
  ms === null || ms === undefined || Math.abs(ms) > 8.64e15
    ? ''
    : new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
