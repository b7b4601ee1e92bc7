import type { Layer } from '../look.ts';
import { claudeCodePreset } from './claude-code.ts';
import { defaultPreset } from './default.ts';
import { openCodePreset } from './open-code.ts';
import { s08Preset } from './s08.ts';

export const presets = {
  default: defaultPreset,
  'claude-code': claudeCodePreset,
  'open-code': openCodePreset,
  s08: s08Preset,
} as const satisfies Readonly<Record<string, () => readonly Layer[]>>;

export type PresetName = keyof typeof presets;
