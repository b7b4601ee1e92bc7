import { allow, checkOptions, type OptionRules } from '../check-options.ts';
import { CompactionError } from '../errors.ts';
import { isFields } from '../json.ts';
import { type BudgetOptions, budget, type Switches } from '../size/budget.ts';
import type { Layer } from '../view/look.ts';
import { type PresetName, type PresetOptions, presets } from './presets.ts';

/** What a settings file may say about compaction. All of it is JSON, and nothing is needed. */
export interface CompactionSettings extends Omit<BudgetOptions, 'window' | 'switches' | 'rule'> {
  /** `default` by default. */
  readonly preset?: PresetName;
  /** The layers of the preset that are to differ, by the names of their factories. */
  readonly layers?: PresetOptions;
  readonly window?: number;
  /** False: only what is asked for, or refused by the provider, compacts. */
  readonly auto?: boolean;
  /** Whether old tool results are cleared at all; as the preset has it by default. */
  readonly prune?: boolean;
  /** How many of the last turns stay behind a summary. */
  readonly tail_turns?: number;
  /** How many tokens they may take. */
  readonly preserve_recent_tokens?: number;
}

/** What settings come to: `const { preset, ...options } = …`, then `createSession({ window, ...options })`. */
export interface SettledOptions extends Partial<BudgetOptions> {
  readonly preset: PresetName;
  readonly layers: readonly Layer[];
}

const budgetRules: OptionRules<Omit<BudgetOptions, 'switches' | 'rule'>> = {
  window: allow.positive,
  maxOutput: allow.positive,
  inputLimit: allow.positive,
  reserved: allow.amount,
  trigger: allow.anything,
  keep: allow.anything,
  limits: allow.object,
};

const rules: OptionRules<CompactionSettings> = {
  preset: allow.oneOf(...Object.keys(presets)),
  layers: allow.object,
  auto: allow.boolean,
  prune: allow.boolean,
  tail_turns: allow.amount,
  preserve_recent_tokens: allow.positive,
  ...budgetRules,
};

/**
 * Options for a session out of what a settings file says; throws `bad-option` with the key where something makes no sense.
 * `switches` are the user's own of the moment (`switchesFrom(process.env)`), which count before the file.
 */
export function parseCompactionSettings(value: unknown, switches: Switches = {}): SettledOptions {
  const caller = 'the settings for compaction';
  checkOptions<CompactionSettings>(caller, value, rules);
  const settings = (value ?? {}) as CompactionSettings;
  const { preset = 'default', layers = {}, auto, prune, tail_turns, preserve_recent_tokens, ...stated } = settings;
  // Looked at once, so that a wrong figure is told where it stands and not where a session begins.
  budget({ window: 200_000, ...stated });
  const tail = {
    ...(tail_turns === undefined ? {} : { tailTurns: tail_turns }),
    ...(preserve_recent_tokens === undefined
      ? {}
      : { tailLeast: preserve_recent_tokens, tailMost: preserve_recent_tokens }),
  };
  const changes: PresetOptions = {
    ...(prune === undefined ? {} : { clearOldResults: prune }),
    ...layers,
    ...(Object.keys(tail).length === 0 ? {} : { summarizeHistory: mergeTail(layers.summarizeHistory, tail) }),
  };
  return {
    ...stated,
    preset,
    layers: nameErrors(caller, () => presets[preset](changes)),
    switches: { ...switches, autoDisabled: switches.autoDisabled === true || auto === false },
  };
}

type SummaryChange = PresetOptions['summarizeHistory'];

const mergeTail = (change: SummaryChange, tail: object): NonNullable<SummaryChange> =>
  change === false ? false : isFields(change) ? { ...tail, ...change } : tail;

/** An error that says of which file it speaks. */
function nameErrors<Made>(caller: string, make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof CompactionError)) throw error;
    throw new CompactionError(error.code, `${caller}: ${error.message}`, { cause: error });
  }
}
