import { formatMoney, formatNumber } from '@palimpsest/terminal';

/** Numbers as people read them. */

export const formatMillions = (value: number): string =>
  value < 1e6 ? formatNumber(value) : `${(value / 1e6).toFixed(1)} M`;

/** For columns, which are narrow. */
export const formatTokens = (tokens: number): string =>
  tokens >= 1e6
    ? `${(tokens / 1e6).toFixed(1)}M`
    : tokens >= 1e4
      ? `${Math.round(tokens / 1e3)}k`
      : formatNumber(tokens);

/** Prices are in dollars. */
export const formatDollars = (value: number): string => `$${formatMoney(value)}`;

/** One decimal; a dash where there was nothing to measure. */
export const formatPercent = (part: number, of: number): string =>
  of === 0 ? '–' : `${((100 * part) / of).toFixed(1)} %`;

export const formatPause = (ms: number): string =>
  ms < 90_000
    ? `${Math.round(ms / 1_000)} s`
    : ms < 5_400_000
      ? `${Math.round(ms / 60_000)} min`
      : `${(ms / 3_600_000).toFixed(1)} h`;

/** Day and minute, in UTC; recordings hold times that are none. */
export const formatMinute = (ms: number): string =>
  Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString().slice(0, 16).replace('T', ' ') : 'no time';
