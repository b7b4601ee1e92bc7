import { CompactionError } from './errors.ts';
import { isFields } from './json.ts';
import { cutHead } from './text.ts';

/** What an option may be, and how an error says so ("a number above 0"). */
export interface OptionRule {
  readonly allows: (value: unknown) => boolean;
  readonly words: string;
}

/** A rule for every option of an interface: one that is forgotten does not compile. */
export type OptionRules<Options> = { readonly [Name in keyof Options]-?: OptionRule };

const isNumber = (value: unknown): value is number => typeof value === 'number' && !Number.isNaN(value);

/** The rules that options are checked by. `Infinity` is a number: it is how a limit is taken away. */
export const allow = {
  /** Checked elsewhere, or free. */
  anything: { allows: () => true, words: 'anything' },
  boolean: { allows: (value) => typeof value === 'boolean', words: 'true or false' },
  string: { allows: (value) => typeof value === 'string', words: 'a string' },
  function: { allows: (value) => typeof value === 'function', words: 'a function' },
  object: { allows: isFields, words: 'an object' },
  list: { allows: (value) => Array.isArray(value), words: 'a list' },
  strings: {
    allows: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
    words: 'a list of strings',
  },
  amount: { allows: (value) => isNumber(value) && value >= 0, words: 'a number of 0 or more' },
  positive: { allows: (value) => isNumber(value) && value > 0, words: 'a number above 0' },
  share: { allows: (value) => isNumber(value) && value >= 0 && value <= 1, words: 'a number from 0 to 1' },
  oneOf: (...values: readonly string[]): OptionRule => ({
    allows: (value) => values.includes(value as string),
    words: values.map((value) => `"${value}"`).join(' or '),
  }),
  /** An object that has these methods: what a port or a layer is known by. */
  objectWith: (...methods: readonly string[]): OptionRule => ({
    allows: (value) =>
      typeof value === 'object' &&
      value !== null &&
      methods.every((name) => typeof (value as Record<string, unknown>)[name] === 'function'),
    words: `an object with ${methods.map((name) => `${name}()`).join(' and ')}`,
  }),
} as const satisfies Readonly<Record<string, OptionRule | ((...values: readonly string[]) => OptionRule)>>;

/**
 * `caller` is a function, or the plural of what options are called. Throws `bad-option` for a name that is not known, a value that is not allowed, or one of `needed` that is not there. An
 * undefined value states nothing.
 */
export function checkOptions<Options>(
  caller: string,
  options: unknown,
  rules: OptionRules<Options>,
  needed: readonly (keyof Options & string)[] = [],
): void {
  const missing = needed.find((name) => (options as Partial<Options> | undefined)?.[name] === undefined);
  if (missing !== undefined) throw badOption(`${caller} needs the option "${missing}": ${rules[missing].words}.`);
  if (options === undefined) return;
  if (!isFields(options)) throw badOption(`${caller} takes its options as an object, not ${showValue(options)}.`);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const rule = Object.hasOwn(rules, name) ? rules[name as keyof Options] : undefined;
    if (rule === undefined)
      throw badOption(
        `${caller} ${caller.endsWith(')') ? 'has' : 'have'} no option "${name}". The options are: ${Object.keys(rules).join(', ')}.`,
      );
    if (!rule.allows(value))
      throw badOption(`${caller}: the option "${name}" must be ${rule.words}, not ${showValue(value)}.`);
  }
}

const badOption = (message: string): CompactionError => new CompactionError('bad-option', message);

/** A value as an error can show it: short, and never a cause of another error. */
export function showValue(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'number' || typeof value === 'bigint' || value === undefined) return String(value);
  try {
    const shown = JSON.stringify(value) ?? String(value);
    return shown.length <= 60 ? shown : `${cutHead(shown, 60)}…`;
  } catch {
    return 'something that JSON cannot show';
  }
}
