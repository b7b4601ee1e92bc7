import { allow, checkOptions, type OptionRule } from '../check-options.ts';
import { isFields } from '../json.ts';
import { dropOldestRounds } from '../layers/drop-oldest-rounds/drop-oldest-rounds.ts';
import type { Layer } from '../view/look.ts';
import type { PresetRules } from '../view/preset-rules.ts';

/** A layer of a preset, and what may be said of it. */
interface Stage<Change> {
  readonly rule: OptionRule;
  readonly makeLayers: (change: Change | undefined) => readonly Layer[];
}

const changeRule: OptionRule = {
  allows: (value) => typeof value === 'boolean' || isFields(value),
  words: 'true, false, or the options that are to differ',
};

/** A layer with options. One that is `off` is there only where it is asked for. */
export const stage = <Options extends object>(
  make: (options?: Options) => Layer,
  own: NoInfer<Options>,
  start: 'on' | 'off' = 'on',
): Stage<boolean | Options> => ({
  rule: changeRule,
  makeLayers: (change = start === 'on') =>
    change === false ? [] : [make(change === true ? own : mergeOptions(own, change))],
});

/** A layer that is always there and minds a switch of the user's: what is said of it is what it does where that says nothing. */
export const switchedStage = <Options extends { readonly enabled?: boolean }>(
  make: (options?: Options) => Layer,
  own: NoInfer<Options>,
): Stage<boolean | Options> => ({
  rule: changeRule,
  makeLayers: (change = own.enabled ?? true) =>
    typeof change === 'boolean' ? [make({ ...own, enabled: change })] : [make({ ...own, enabled: true, ...change })],
});

/** A layer without options. */
export const plainStage = (make: () => Layer): Stage<boolean> => ({
  rule: allow.boolean,
  makeLayers: (change = true) => (change ? [make()] : []),
});

/** Another mode has options of its own: those of the preset's are not for it. */
const mergeOptions = <Options extends object>(own: Options, change: Options): Options =>
  'mode' in own && 'mode' in change && own.mode !== change.mode ? change : { ...own, ...change };

/** What may be said of each layer of a preset: `false` and `true` switch it, options count before the preset's own. */
type StageChanges<Stages> = {
  readonly [Name in keyof Stages]?: Stages[Name] extends Stage<infer Change> ? Change : never;
};

/**
 * A preset's layers in order, by the names of their factories. The floor comes last, is always there, and brings the rules.
 * `keepsUserText`: whether folds leave what users and clients wrote where it stands.
 */
export function definePreset<Stages extends { readonly [name: string]: Stage<never> }>(
  caller: string,
  stages: Stages,
  rules: PresetRules = {},
): (options?: StageChanges<Stages> & { readonly keepsUserText?: boolean }) => readonly Layer[] {
  const known = Object.fromEntries(Object.entries(stages).map(([name, { rule }]) => [name, rule]));
  return (options) => {
    checkOptions<Record<string, unknown>>(caller, options, { ...known, keepsUserText: allow.boolean });
    const layers = Object.entries(stages).flatMap(([name, one]) => one.makeLayers(options?.[name] as never));
    const { keepsUserText = rules.keepsUserText } = options ?? {};
    const own = keepsUserText === undefined ? rules : { ...rules, keepsUserText };
    return [...layers, { ...dropOldestRounds(), rules: own }];
  };
}
