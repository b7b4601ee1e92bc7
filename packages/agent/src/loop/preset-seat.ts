import {
  type BudgetOptions,
  type CompactionSettings,
  type Layer,
  type PresetName,
  parseCompactionSettings,
  presets,
  type Switches,
} from '@palimpsest/core';
import { AgentError } from '../agent-error.ts';
import type { KeptSession } from '../sessions/kept-session.ts';
import type { AgentOptions } from './agent.ts';

/** What a session is made with, or goes on with. The window is the model's. */
export interface LedBy extends Omit<Partial<BudgetOptions>, 'window'> {
  readonly layers: readonly Layer[];
}

/** How the conversation is kept within its window, which can be changed. */
export interface PresetSeat {
  /** Undefined where the host brought layers of its own. */
  preset(): PresetName | undefined;
  ledBy(): LedBy;
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

type SeatOptions = Pick<AgentOptions, 'preset' | 'layers' | 'settings' | 'resume'>;

/** What the host asks for counts first, then what the session was led through before, then the settings, then `default`. */
export function newPresetSeat(options: SeatOptions, kept: Pick<KeptSession, 'preset'>, switches: Switches): PresetSeat {
  const { preset, layers, settings = {}, resume } = options;
  if (preset !== undefined && layers !== undefined)
    throw new AgentError('bad-option', 'state a preset or layers of your own, not both.');
  // Sessions of before presets could be named were led through the default one.
  const remembered = resume === undefined ? undefined : (kept.preset ?? 'default');
  const known = remembered === undefined || isPresetName(remembered) ? remembered : 'default';
  const isForgotten = preset === undefined && layers === undefined && remembered !== known;
  let name = layers === undefined ? requirePreset(preset ?? known ?? settings.preset ?? 'default') : undefined;
  let led: LedBy | undefined;
  return {
    preset: () => name,
    ledBy() {
      led ??= {
        ...settle(settings, name, switches),
        ...(name === undefined && layers !== undefined ? { layers } : {}),
      };
      return led;
    },
    seat(next) {
      name = requirePreset(next);
      led = undefined;
    },
    ...(isForgotten ? { note: `its preset "${kept.preset}" is not known here, so "default" is used` } : {}),
  };
}

/** The settings for a preset. What they say about layers is about the preset that they name. */
function settle(settings: CompactionSettings, name: PresetName | undefined, switches: Switches): LedBy {
  const { layers, ...others } = settings;
  const isNamed = name === (settings.preset ?? 'default');
  const said = { ...others, preset: name ?? 'default', ...(isNamed && layers !== undefined ? { layers } : {}) };
  const { preset: _, window: __, ...led } = parseCompactionSettings(said, switches);
  return led;
}
