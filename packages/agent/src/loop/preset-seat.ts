import { type Layer, type PresetName, presets } from '@palimpsest/core';
import { AgentError } from '../agent-error.ts';
import type { KeptSession } from '../sessions/kept-session.ts';
import type { AgentOptions } from './agent.ts';

/** Which layers the conversation is led through, which can be changed. */
export interface PresetSeat {
  /** Undefined where the host brought layers of its own. */
  preset(): PresetName | undefined;
  layers(): readonly Layer[];
  seat(next: PresetName): void;
  /** What had to be said about the one that the session remembered. */
  readonly note?: string;
}

export const PRESET_NAMES = Object.keys(presets) as readonly PresetName[];

export const isPresetName = (name: string): name is PresetName => (PRESET_NAMES as readonly string[]).includes(name);

/** The preset of a name that somebody typed. */
export function requirePreset(name: string): PresetName {
  if (isPresetName(name)) return name;
  throw new AgentError('bad-option', `there is no preset "${name}": use one of ${PRESET_NAMES.join(', ')}.`);
}

/** What the host asks for counts first, then what the session was led through before, then `default`. */
export function newPresetSeat({ preset, layers }: AgentOptions, kept: Pick<KeptSession, 'preset'>): PresetSeat {
  if (preset !== undefined && layers !== undefined)
    throw new AgentError('bad-option', 'state a preset or layers of your own, not both.');
  const known = kept.preset === undefined || isPresetName(kept.preset) ? kept.preset : undefined;
  let [name, seated] = [layers === undefined ? requirePreset(preset ?? known ?? 'default') : undefined, layers];
  const isForgotten = preset === undefined && layers === undefined && kept.preset !== known;
  return {
    preset: () => name,
    layers() {
      seated ??= presets[name ?? 'default']();
      return seated;
    },
    seat(next) {
      name = requirePreset(next);
      seated = undefined;
    },
    ...(isForgotten ? { note: `its preset "${kept.preset}" is not known here, so "default" is used` } : {}),
  };
}
