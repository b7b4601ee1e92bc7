import type { Layer } from '../view/look.ts';
import { claudeCodePreset } from './claude-code.ts';
import { defaultPreset } from './default.ts';
import { openCodePreset } from './open-code.ts';
import type { PresetOptions } from './preset-options.ts';
import { s08Preset } from './s08.ts';

/**
 * Ready lists of layers, each ending with the floor. `default` is what a session takes; the others do as the agents do
 * that they are named after.
 */
export const presets = {
  default: defaultPreset,
  'claude-code': claudeCodePreset,
  'open-code': openCodePreset,
  s08: s08Preset,
} as const satisfies Readonly<Record<string, (options?: PresetOptions) => readonly Layer[]>>;

/** For options that name a preset, such as a flag. */
export type PresetName = keyof typeof presets;
