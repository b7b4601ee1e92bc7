import type { Prices } from '@palimpsest/core';

/**
 * How vendors are paid whose cache is implicit: a tenth of input for what it serves, and nothing for writing it. Relative prices
 * as of November 2026, for a model at 1.25 a million input tokens; where a model's own are known, those count.
 */
export const IMPLICIT_CACHE: Prices = { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 1.25 };
