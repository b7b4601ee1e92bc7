import { allow, checkOptions, type OptionRule, type OptionRules } from '../check-options.ts';
import { CompactionError } from '../errors.ts';
import { type BudgetRule, budgetRuleRule, defaultRule, measureMargin, takeShare } from './budget-rule.ts';
import { measureEffective } from './effective-window.ts';
import type { MoneyRule } from './money-rule.ts';
import { listFractions, listMessages, listTokens, type Thresholds, thresholdsRule } from './thresholds.ts';

/** Limits besides tokens. A request over any of them is refused by some provider, whatever its tokens. */
export interface Limits {
  /** Of the whole request, as JSON. */
  readonly bytes?: number;
  /** In the whole view. */
  readonly images?: number;
  /** Pixels of an image's longer side. */
  readonly imageSide?: number;
  readonly messages?: number;
}

/** How much a conversation may take. `window` is enough for most; add `maxOutput` where answers may be long. */
export interface BudgetOptions {
  /** The model's context window in tokens. There is no default: a guess would be wrong silently. */
  readonly window: number;
  /**
   * The most the model may answer in one call (`max_tokens`). The window keeps room for it, 20,000 tokens and a quarter of
   * the window at most; where a view leaves less than `maxOutput`, `view.maxOutput` says what may be asked for.
   * Unstated: a tenth of the window, 20,000 tokens at most.
   */
  readonly maxOutput?: number;
  /** The most the model takes as input, where its provider limits that apart from the window. */
  readonly inputLimit?: number;
  /**
   * Tokens that stay free below the input limit, or below the window where none is stated: what the rule keeps free there by
   * default. Half of that limit at most.
   */
  readonly reserved?: number;
  /** How the figures below are reckoned: by the preset's rule where there is one, else by ours. */
  readonly rule?: BudgetRule;
  /**
   * Where compaction begins: at the latest 13,000 tokens below the effective window (fewer if small). Unstated: where it is
   * cheapest by the prices and by what a call adds, as far as the rule says so.
   */
  readonly trigger?: Thresholds;
  /**
   * What may remain after a compaction: the target. By default as the rule says (20 % by ours, and down to half of that where calls come back to next to no file); below the trigger always. A fraction is of what messages
   * can take, so it moves up with system prompt and tools; tokens are of the whole request, as long as they can be reached.
   */
  readonly keep?: Thresholds;
  /** The provider's limits besides tokens; none by default. */
  readonly limits?: Limits;
  /** The user's own settings, which win over the host's: `switchesFrom(process.env)`. */
  readonly switches?: Switches;
}

/** A variable whose figure makes no sense, and why, in words for the user. */
export interface IgnoredSwitch {
  readonly name: string;
  readonly value: string;
  readonly why: string;
}

/** What the PALIMPSEST_* variables say, as data. */
export interface Switches {
  /** `PALIMPSEST_DISABLE`: no layer runs, so nothing more is hidden. */
  readonly disabled?: boolean;
  /** `PALIMPSEST_DISABLE_AUTO`: the trigger does nothing; only `compact()` and a refusal by the provider compact. */
  readonly autoDisabled?: boolean;
  /**
   * `PALIMPSEST_REACTIVE_ONLY`: the trigger does nothing, and no view is refused: the provider is asked first, and its refusal
   * compacts.
   */
  readonly reactiveOnly?: boolean;
  /** `PALIMPSEST_WINDOW`, in tokens, in place of what the host states. */
  readonly window?: number;
  /** `PALIMPSEST_TRIGGER_PERCENT` of the effective window; it can only lower the trigger. */
  readonly triggerPercent?: number;
  /** `PALIMPSEST_BLOCKING_LIMIT`, in tokens; also below the trigger. */
  readonly blockingLimit?: number;
  /** `PALIMPSEST_COLLAPSE`: old spans collapse, or do not, whatever the preset says. */
  readonly collapse?: boolean;
  /** What was left out because it makes no sense; a session tells each as an event. */
  readonly ignored?: readonly IgnoredSwitch[];
}

/** Options worked out to figures, in tokens unless the name says otherwise. `budget()` makes it; `plan()` takes it. */
export interface Budget {
  readonly window: number;
  /** What the conversation may take at most: the window less room for the answer. */
  readonly effective: number;
  /** From here on there is pressure, until the target is reached. */
  readonly trigger: number;
  /** Where prices brought the trigger down: from here on it is the limit that presses, and the floor may hide rounds. */
  readonly ceiling?: number;
  /** When money alone is a reason to compact. `trigger` and `keep` say whether trigger and target may follow from it: nobody stated one. */
  readonly money?: MoneyRule & { readonly trigger: boolean; readonly keep: boolean };
  /** More messages than these are pressure too; `Infinity` where nobody limits them. */
  readonly triggerMessages: number;
  /** A compaction goes down to here, so that the next one is far away. */
  readonly target: number;
  readonly targetMessages: number;
  /** The target that stands where a walk goes further down, by force or for money: what the user's words may take is a share of it. */
  readonly ownTarget?: number;
  /** The fraction that the target is of what messages can take; undefined where tokens alone were stated. */
  readonly keepFraction?: number;
  /** What is sent besides the messages, and the head of the conversation, where the target was worked out beside them. */
  readonly overhead?: number;
  /** Of it, the head of the conversation: what stands before the first answer stays in every view. */
  readonly head?: number;
  /** For user interfaces, below the trigger: `status()` tells when this and `error` are passed. */
  readonly warning: number;
  readonly error: number;
  /** Where automatic compaction is off, a view this large is refused; where it pauses, it acts again from here on. */
  readonly blocking: number;
  readonly limits: Limits;
  /** From here on the floor may hide rounds, where that is not from the trigger on: a summary that was asked for is no emergency. */
  readonly floorFrom?: number;
  /** Whether old spans collapse; where nothing is said the layer's own option counts. */
  readonly collapse?: boolean;
  /** False where only `compact()` and a refusal by the provider may compact. */
  readonly automatic: boolean;
  /** Set where the trigger does nothing because the provider is to refuse first. */
  readonly reactiveOnly?: true;
  /** False where no layer runs at all. */
  readonly enabled: boolean;
}

const KEEP_FRACTION = 0.35;
/** Limits besides tokens are brought this far below, so that not every turn meets them again. */
const LIMIT_SLACK = 0.75;

/** A figure that makes no sense is an unknown window, and has an error of its own. */
const windowRule: OptionRule = { allows: (value) => typeof value === 'number', words: 'a number of tokens' };

const budgetRules: OptionRules<BudgetOptions> = {
  window: windowRule,
  maxOutput: allow.positive,
  inputLimit: allow.positive,
  reserved: allow.amount,
  rule: budgetRuleRule,
  trigger: thresholdsRule,
  keep: thresholdsRule,
  limits: allow.object,
  switches: allow.object,
};

const limitRules: OptionRules<Limits> = {
  bytes: allow.amount,
  images: allow.amount,
  imageSide: allow.amount,
  messages: allow.amount,
};

const switchRules: OptionRules<Switches> = {
  disabled: allow.boolean,
  autoDisabled: allow.boolean,
  window: windowRule,
  triggerPercent: allow.positive,
  reactiveOnly: allow.boolean,
  blockingLimit: allow.positive,
  collapse: allow.boolean,
  ignored: allow.list,
};

/**
 * Works the options out; throws where the window is unknown or an option makes no sense. A session does it by itself:
 * call it for `plan()` and `compact()`.
 */
export function budget(options: BudgetOptions): Budget {
  checkOptions('budget()', options, budgetRules);
  checkOptions('"limits" of budget()', options?.limits, limitRules);
  checkOptions('"switches" of budget()', options?.switches, switchRules);
  const window = requireWindow(options?.switches?.window ?? options?.window);
  const { limits = {}, switches = {}, rule = defaultRule } = options;
  const { keep: ownKeep = KEEP_FRACTION, money } = rule;
  const { keep = { fraction: ownKeep } } = options;
  const effective = measureEffective(window, options, rule);
  const ceiling = effective - measureMargin(rule.trigger, effective);
  // A percentage may only lower the trigger.
  const byPercent = switches.triggerPercent === undefined ? [] : [takeShare(effective, switches.triggerPercent / 100)];
  const trigger = Math.max(1, Math.min(ceiling, ...listTokens(options.trigger, effective), ...byPercent));
  const triggerMessages = Math.min(limits.messages ?? Infinity, ...listMessages(options.trigger));
  const keepTokens = listTokens(keep, effective);
  const keepMessages = listMessages(keep);
  const fractions = keepTokens.length === 0 ? [ownKeep] : listFractions(keep);
  // The target stays below the trigger whatever was asked for: a compaction that changes nothing would come again at once.
  const target = Math.min(
    keepTokens.length === 0 ? takeShare(effective, ownKeep) : Math.max(...keepTokens),
    trigger > 1 ? trigger - 1 : 1,
  );
  const targetMessages = Math.min(
    keepMessages.length === 0 ? Math.floor(triggerMessages * LIMIT_SLACK) : Math.max(...keepMessages),
    triggerMessages - 1,
  );
  const automatic = switches.autoDisabled !== true && switches.disabled !== true;
  const isStated = options.trigger !== undefined || byPercent.length > 0;
  // What a user interface counts down to.
  const full = automatic ? trigger : effective;
  return {
    window,
    effective,
    trigger,
    triggerMessages,
    target,
    targetMessages: Math.max(1, targetMessages),
    ...(fractions.length === 0 ? {} : { keepFraction: Math.max(...fractions) }),
    warning: Math.max(0, full - measureMargin(rule.warning, effective)),
    error: Math.max(0, full - measureMargin(rule.error, effective)),
    blocking: Math.floor(
      switches.blockingLimit ?? Math.max(trigger, effective - measureMargin(rule.blocking, effective)),
    ),
    limits,
    ...(money === undefined ? {} : { money: { ...money, trigger: !isStated, keep: options.keep === undefined } }),
    ...(switches.collapse === undefined ? {} : { collapse: switches.collapse }),
    automatic,
    ...(switches.reactiveOnly === true ? { reactiveOnly: true } : {}),
    enabled: switches.disabled !== true,
  };
}

function requireWindow(stated: number | undefined): number {
  if (stated !== undefined && Number.isFinite(stated) && stated > 0) return Math.floor(stated);
  throw new CompactionError(
    'window-unknown',
    `the context window is unknown${stated === undefined ? '' : ` (${String(stated)} is no number of tokens)`}. ` +
      'State it as { window: tokens } for the model in use, or set PALIMPSEST_WINDOW; ' +
      "a provider's overflow message names it too (session.overflowed learns it from there).",
  );
}

/** A budget that forces a walk down to `target`: manual compaction, overflow, a switch of models. One code path. */
export const forceBudget = ({ ceiling: _, ...budget }: Budget, target: number): Budget => ({
  ...budget,
  trigger: Math.max(1, Math.min(budget.trigger, target)),
  target: Math.max(1, Math.min(budget.target, target)),
  ownTarget: budget.ownTarget ?? budget.target,
});

/** A budget under which nothing presses by itself but the limits besides tokens and messages. */
export const liftTrigger = ({ ceiling: _, money: __, ...budget }: Budget): Budget => ({
  ...budget,
  trigger: Infinity,
  triggerMessages: Infinity,
});

const LEAST_FOR_MESSAGES = 0.05;

/** What messages may take of the target, and of the effective window: never nothing, however much is sent besides. */
export const targetForMessages = ({ target, overhead = 0 }: Budget): number =>
  Math.max(target - overhead, Math.floor(target * LEAST_FOR_MESSAGES));
/** The same of the target that stands, however far a walk is forced down for once. */
export const ownTargetForMessages = (budget: Budget): number =>
  targetForMessages({ ...budget, target: budget.ownTarget ?? budget.target });
export const windowForMessages = ({ effective, overhead = 0 }: Budget): number =>
  Math.max(effective - overhead, Math.floor(effective * LEAST_FOR_MESSAGES));

/** A figure of the spec, or its share of what messages can take where that is smaller: 40,000 tokens mean nothing in 16,000. */
export const share = (budget: Budget, tokens: number, fraction: number): number =>
  Math.min(tokens, Math.floor(windowForMessages(budget) * fraction));

/** What users and clients wrote may take this part of the effective window, and half of what is left beside system prompt and tools. */
const USER_TEXT_SHARE = 0.25;

/** The tokens that it may take together, the head included. */
export const userTextRoom = ({ effective, overhead = 0, head = 0 }: Budget): number =>
  Math.max(0, Math.floor(Math.min(effective * USER_TEXT_SHARE, (effective - overhead + head) / 2)));
