import { showValue } from '../check-options.ts';
import { CompactionError } from '../errors.ts';
import { isFields } from '../json.ts';
import type { IgnoredSwitch, Switches } from './budget.ts';

/** As `process.env` is. */
export type Environment = Readonly<Record<string, string | undefined>>;

const isOn = (value: string | undefined): boolean => value !== undefined && /^(1|true|yes|on)$/i.test(value.trim());

const isStated = (value: string | undefined): boolean => value !== undefined && value.trim() !== '';

/**
 * The PALIMPSEST_* variables, read as data. The host hands in its environment; core reads none. A figure that makes no
 * sense is the user's slip of the pen, which must not end a session: it is left out, and told in `ignored`.
 */
export function switchesFrom(environment: Environment): Switches {
  if (!isFields(environment))
    throw new CompactionError(
      'bad-option',
      `an environment is an object such as process.env, not ${showValue(environment)}.`,
    );
  const ignored: IgnoredSwitch[] = [];
  const readFigure = (name: string, most: number): number | undefined => {
    const value = environment[name]?.trim();
    if (value === undefined || value === '') return undefined;
    const figure = Number(value);
    if (Number.isFinite(figure) && figure > 0 && figure <= most) return figure;
    const range = most === Infinity ? 'a number above 0' : `a number above 0 and at most ${most}`;
    ignored.push({ name, value, why: `${name} must be ${range}, not ${showValue(value)}; it is ignored.` });
    return undefined;
  };
  const window = readFigure('PALIMPSEST_WINDOW', Infinity);
  const triggerPercent = readFigure('PALIMPSEST_TRIGGER_PERCENT', 100);
  const blockingLimit = readFigure('PALIMPSEST_BLOCKING_LIMIT', Infinity);
  return {
    disabled: isOn(environment.PALIMPSEST_DISABLE),
    autoDisabled: isOn(environment.PALIMPSEST_DISABLE_AUTO),
    ...(isOn(environment.PALIMPSEST_REACTIVE_ONLY) ? { reactiveOnly: true } : {}),
    ...(window === undefined ? {} : { window }),
    ...(triggerPercent === undefined ? {} : { triggerPercent }),
    ...(blockingLimit === undefined ? {} : { blockingLimit }),
    ...(isStated(environment.PALIMPSEST_COLLAPSE) ? { collapse: isOn(environment.PALIMPSEST_COLLAPSE) } : {}),
    ...(ignored.length === 0 ? {} : { ignored }),
  };
}
