import type { Layer } from '../view/look.ts';
import { claudeCodePreset } from './claude-code.ts';
import { defaultPreset, faithfulPreset, leanPreset } from './default.ts';
import { openCodePreset } from './open-code.ts';
import { s08Preset } from './s08.ts';

/**
 * Ready lists of layers, each ending with the floor. `default` is what a session takes, `faithful` keeps more of what was shown and
 * `lean` costs less; the others do as the agents do that they are named after, and reckon as they do. One layer can be changed by its factory's name:
 * `presets['claude-code']({ snipMiddle: true, clearOldResults: false, summarizeHistory: { tailTurns: 2 } })`.
 */
export const presets = {
  default: defaultPreset,
  faithful: faithfulPreset,
  lean: leanPreset,
  'claude-code': claudeCodePreset,
  'open-code': openCodePreset,
  s08: s08Preset,
} as const satisfies Readonly<Record<string, () => readonly Layer[]>>;

/** For options that name a preset, such as a flag. */
export type PresetName = keyof typeof presets;

/** What may differ in a preset: each layer by its factory's name, `true` or `false` to switch it, or the options that are to differ. */
export type PresetOptions<Name extends PresetName = PresetName> = NonNullable<Parameters<(typeof presets)[Name]>[0]>;
