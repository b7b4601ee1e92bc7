import type { Layer } from '../view/look.ts';
import type { PresetRules } from '../view/preset-rules.ts';

/** The rules that come with a list of layers: of several, those of the last. */
export const findRules = (layers: readonly Layer[]): PresetRules =>
  layers.findLast((layer) => layer.rules !== undefined)?.rules ?? {};
