import { showValue } from '../check-options.ts';
import { CompactionError } from '../errors.ts';
import { isFields } from '../json.ts';
import type { Switches } from './budget.ts';

/** As `process.env` is. */
export type Environment = Readonly<Record<string, string | undefined>>;

const isOn = (value: string | undefined): boolean => value !== undefined && /^(1|true|yes|on)$/i.test(value.trim());

const isStated = (value: string | undefined): boolean => value !== undefined && value.trim() !== '';

function readPositive(environment: Environment, name: string): number | undefined {
  const value = environment[name]?.trim();
  if (value === undefined || value === '') return undefined;
  const parsed = Number(value);
  if (Number.isFinite(parsed) && parsed > 0) return parsed;
  throw new CompactionError('bad-option', `${name} must be a positive number, not ${JSON.stringify(value)}.`);
}

/** The PALIMPSEST_* variables, read as data. The host hands in its environment; core reads none. */
export function switchesFrom(environment: Environment): Switches {
  if (!isFields(environment))
    throw new CompactionError(
      'bad-option',
      `an environment is an object such as process.env, not ${showValue(environment)}.`,
    );
  const window = readPositive(environment, 'PALIMPSEST_WINDOW');
  const triggerPercent = readPositive(environment, 'PALIMPSEST_TRIGGER_PERCENT');
  const blockingLimit = readPositive(environment, 'PALIMPSEST_BLOCKING_LIMIT');
  if (triggerPercent !== undefined && triggerPercent > 100)
    throw new CompactionError('bad-option', 'PALIMPSEST_TRIGGER_PERCENT lies between 1 and 100.');
  return {
    disabled: isOn(environment.PALIMPSEST_DISABLE),
    autoDisabled: isOn(environment.PALIMPSEST_DISABLE_AUTO),
    ...(window === undefined ? {} : { window }),
    ...(triggerPercent === undefined ? {} : { triggerPercent }),
    ...(blockingLimit === undefined ? {} : { blockingLimit }),
    ...(isStated(environment.PALIMPSEST_COLLAPSE) ? { collapse: isOn(environment.PALIMPSEST_COLLAPSE) } : {}),
  };
}
