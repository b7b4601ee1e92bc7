import { type PresetName, presets, type Switches, switchesFrom } from '@palimpsest/core';
import { Argument, InvalidArgumentError, Option } from 'commander';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

/** Options that several commands have, read in one way. */

export const parseAtLeast =
  (least: number) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() !== '' && Number.isSafeInteger(value) && value >= least) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} on.`);
  };

export const parseWholeNumber = parseAtLeast(1);

/** Tokens as people write them: `200000`, `200k`, `1m`. */
export function parseTokens(text: string): number {
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(text.replace(/[_,]/g, '')) ?? [];
  const value = Number(count) * ({ k: 1_000, m: 1_000_000 }[unit.toLowerCase()] ?? 1);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('It must be a whole number of tokens, such as 200000 or 200k.');
}

/** How every command that is about a session lets it be named. */
export const SESSION_WORDS =
  'a session, ours or of another agent: its path, its id or the beginning of it, or its project (default: the newest)';

export const SESSIONS_WORDS =
  'sessions, ours or of other agents: paths, ids or their beginnings, projects; or folders of them (default: the newest)';

export const sessionArgument = (): Argument => new Argument('[session]', SESSION_WORDS);

const DAY_MS = 86_400_000;

/** A time as people and recordings write it (`2026-11-15`, `2026-11-15T03:12`, `yesterday`, `7d`), in milliseconds. */
export function parseTime(text: string): number {
  const days = { today: 0, yesterday: 1 }[text.toLowerCase()] ?? /^(\d+)d$/.exec(text)?.[1];
  if (days !== undefined) return new Date().setUTCHours(0, 0, 0, 0) - Number(days) * DAY_MS;
  const time = Date.parse(text);
  if (Number.isNaN(time))
    throw new InvalidArgumentError(
      'It must be a date, or a date and a time: 2026-11-15T03:12; or today, yesterday, 7d.',
    );
  return time;
}

export function parsePort(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isInteger(value) && value >= 0 && value <= 65_535) return value;
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
}

export const PRESETS = Object.keys(presets) as readonly PresetName[];

export function parsePresetNames(text: string): readonly PresetName[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !(PRESETS as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`There is no preset ${JSON.stringify(unknown)}; there are ${PRESETS.join(', ')}.`);
  return [...new Set(names)] as readonly PresetName[];
}

export const presetOption = (): Option =>
  new Option('--preset <name>', 'the layers to walk through (default: what --config names, else default)').choices([
    ...PRESETS,
  ]);

export const windowOption = (): Option =>
  new Option(
    '--window <tokens>',
    "the model's context window (default: what the recording or PALIMPSEST_WINDOW states, else 200,000)",
  ).argParser(parseTokens);

export const jsonOption = (): Option => new Option('--json', 'print the data instead');

/** The user's switches. A figure that makes no sense is complained of; a window is refused, since all that is printed is of it. */
export function readSwitches(environment: Terminal['environment'], complain?: Terminal['complain']): Switches {
  const { ignored = [], ...switches } = switchesFrom(environment);
  for (const { name, why } of ignored) {
    if (name === 'PALIMPSEST_WINDOW') throw new UsageError(why);
    complain?.(`palimpsest: ${why}`);
  }
  return switches;
}
