import { showValue } from '../check-options.ts';
import { CompactionError } from '../errors.ts';
import type { Layer } from '../view/look.ts';

/** Throws `bad-option` for what is no list of layers: a preset that was not called, a layer without name or `decide`. */
export function checkLayers(caller: string, layers: readonly Layer[] | undefined): void {
  if (layers === undefined) return;
  if (!Array.isArray(layers)) throw badLayers(caller, `must be a list of layers, not ${showValue(layers)}`);
  for (const [i, layer] of layers.entries()) {
    if (typeof layer?.name !== 'string' || layer.name === '')
      throw badLayers(caller, `must be a list of layers, and number ${i + 1} of them has no name`);
    if (typeof layer.decide !== 'function')
      throw badLayers(caller, `must be a list of layers, and "${layer.name}" has no decide()`);
  }
}

const badLayers = (caller: string, problem: string): CompactionError =>
  new CompactionError('bad-option', `${caller}: the option "layers" ${problem}.`);
