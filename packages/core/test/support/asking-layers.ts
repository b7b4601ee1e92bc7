import { type Layer, type PresetName, presets } from '../../src/index.ts';

/** A preset that asks a model for summaries however small its room is: laws about summaries are tried in small windows. */
export const askingLayers = (name: PresetName = 'default'): readonly Layer[] =>
  presets[name]({ summarizeHistory: { modelFrom: 0 } });
