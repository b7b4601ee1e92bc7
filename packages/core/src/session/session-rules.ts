import { allow, checkOptions, type OptionRules, showValue } from '../check-options.ts';
import { CompactionError } from '../errors.ts';
import type { BudgetOptions } from '../size/budget.ts';
import type { Prices } from '../size/cost.ts';
import { checkLayers } from '../walk/check-layers.ts';
import type { Overhead } from '../walk/overhead.ts';
import { planRules } from '../walk/plan.ts';
import { checkPorts } from './ports.ts';
import type { CompactionPlan } from './preview-types.ts';
import type {
  CompactRequest,
  PreviewRequest,
  SessionOptions,
  SnipOptions,
  SwitchOptions,
  ViewOptions,
  ViewStatement,
} from './session-types.ts';

/** Which options of a session are about its budget; `budget()` says what they may be. */
const budgetRules: OptionRules<BudgetOptions> = {
  window: { ...allow.anything, words: "the model's context window, in tokens" },
  maxOutput: allow.anything,
  inputLimit: allow.anything,
  reserved: allow.anything,
  rule: allow.anything,
  trigger: allow.anything,
  keep: allow.anything,
  limits: allow.anything,
  switches: allow.anything,
};

const overheadRules: OptionRules<Overhead> = {
  system: allow.string,
  tools: allow.anything,
  canRecall: allow.boolean,
};

const sessionRules: OptionRules<SessionOptions> = {
  ...budgetRules,
  ...overheadRules,
  layers: allow.list,
  count: allow.function,
  countText: allow.function,
  wire: allow.object,
  subagent: allow.boolean,
  compactInstructions: allow.string,
  ports: allow.object,
  journal: allow.objectWith('append'),
  records: allow.list,
  broken: allow.oneOf('refuse', 'mend'),
  overflowTries: allow.amount,
  drafts: allow.boolean,
  prices: allow.object,
  cacheTtlMs: allow.amount,
  on: allow.function,
};

const priceRules: OptionRules<Prices> = {
  input: allow.amount,
  output: allow.amount,
  cacheRead: allow.amount,
  cacheWrite: allow.amount,
};

const viewRules: OptionRules<ViewOptions> = {
  now: allow.amount,
  signal: allow.objectWith('addEventListener', 'throwIfAborted'),
};

export function checkSessionOptions(options: SessionOptions): void {
  checkOptions('createSession()', options, sessionRules);
  checkLayers('createSession()', options.layers);
  checkPorts('createSession()', options.ports);
  checkOptions('"prices" of createSession()', options.prices, priceRules);
}

export const checkViewOptions = (options: ViewStatement): void =>
  checkOptions<ViewStatement>('view()', options, { ...viewRules, ...overheadRules });

const askedRules: OptionRules<PreviewRequest> = {
  ...viewRules,
  trigger: planRules.trigger,
  instructions: allow.string,
  form: allow.oneOf('all', 'up-to', 'from'),
  at: allow.string,
  keepMessages: allow.amount,
};

export function checkCompactOptions(options: CompactRequest): void {
  checkOptions<CompactRequest>('compact()', options, { ...askedRules, plan: allow.object });
  if (options.plan === undefined) return;
  const { plan, signal: _, ...others } = options;
  const [other] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
  if (other !== undefined)
    throw new CompactionError('bad-option', `compact(): "${other}" goes with preview(), whose plan says it already.`);
  checkOptions<CompactionPlan>(
    '"plan" of compact()',
    plan,
    { trigger: planRules.trigger, asked: allow.object, now: allow.amount, state: allow.object },
    ['trigger', 'asked', 'state'],
  );
}

export function checkWords(caller: string, words: unknown): void {
  if (typeof words !== 'string')
    throw new CompactionError('bad-option', `${caller} takes words as a string, not ${showValue(words)}.`);
}

export const checkPreviewOptions = (options: PreviewRequest): void => checkOptions('preview()', options, askedRules);

export const checkSnipOptions = (options: SnipOptions): void =>
  checkOptions<SnipOptions>('snip()', options, {
    ...viewRules,
    trigger: allow.oneOf('tool', 'manual'),
    from: allow.string,
    to: allow.string,
    keepFirst: allow.amount,
    keepLast: allow.amount,
  });

/** Of what the provider said nothing is checked: it is no option, and it may say more than is used. */
export const checkOverflowOptions = (options: ViewOptions): void => checkOptions('overflowed()', options, viewRules);

export const checkSettledOptions = (options: Pick<ViewOptions, 'signal'>): void =>
  checkOptions<Pick<ViewOptions, 'signal'>>('settled()', options, { signal: viewRules.signal });

export function checkSwitchOptions(options: SwitchOptions): void {
  const own = { wire: allow.object, layers: allow.list, prices: allow.object };
  const rules = { ...budgetRules, ...viewRules, ...overheadRules, ...own };
  checkOptions<SwitchOptions>('switchTo()', options, rules, ['window']);
  checkOptions('"prices" of switchTo()', options.prices, priceRules);
  checkLayers('switchTo()', options.layers);
}
