import { readFile } from 'node:fs/promises';
import { CompactionError, type PresetName, parseCompactionSettings, type SettledOptions } from '@palimpsest/core';
import { isFields } from '@palimpsest/core/json';
import { Option } from 'commander';
import { systemFailure } from '../files/system-failure.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { readSwitches } from './shared-options.ts';

export const configOption = (): Option =>
  new Option(
    '--config <file>',
    'settings for compaction, as JSON: preset, layers, auto, prune, reserved, tail_turns, …',
  );

/** What a session is made with, and the window where anybody stated it. */
export interface Settings {
  readonly preset: PresetName;
  readonly window?: number;
  readonly session: Omit<SettledOptions, 'preset' | 'window'>;
}

/** What --config, the environment and --window say, by preset; the file's own where none is named. A flag counts first, the file last. */
export async function readSettings(
  { environment, complain }: Terminal,
  flags: { readonly config?: string; readonly window?: number },
): Promise<(preset?: PresetName) => Settings> {
  const value = flags.config === undefined ? {} : await readConfig(flags.config);
  const { window, ...switches } = readSwitches(environment, complain);
  return (named) => {
    const said = named === undefined ? value : { ...value, preset: named };
    const {
      preset,
      window: stated,
      ...session
    } = nameFile(flags.config, () => parseCompactionSettings(said, switches));
    const size = flags.window ?? window ?? stated;
    return { preset, session, ...(size === undefined ? {} : { window: size }) };
  };
}

/** The file's part about compaction, or all of it where it has no such part. */
async function readConfig(file: string): Promise<object> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw systemFailure(error, 'read', file);
  });
  const value = parseSettings(file, text);
  if (!isFields(value)) throw new UsageError(`${file} must hold a JSON object, such as { "preset": "default" }.`);
  return isFields(value.compaction) ? value.compaction : value;
}

function parseSettings(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} is no JSON: ${(error as Error).message}`);
  }
}

/** Errors about what a file says name the file. */
function nameFile<Made>(file: string | undefined, make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    if (file === undefined || !(error instanceof CompactionError)) throw error;
    throw new UsageError(`${file}: ${error.message}`, { cause: error });
  }
}
