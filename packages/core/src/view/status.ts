import type { Budget } from '../size/budget.ts';
import type { MissingText } from './kept-text.ts';
import type { ViewState } from './view-state.ts';

/** What a user interface wants to know. */
export interface Status {
  /** Of the whole context, with system prompt and tools. */
  readonly tokens: number;
  /** Whether a provider's report stands behind the figure, or an estimate alone. */
  readonly measured: boolean;
  readonly messages: number;
  readonly bytes: number;
  readonly images: number;
  readonly budget: Budget;
  /** 0 to 100, until the trigger (until the effective window when automatic compaction is off). */
  readonly percentLeft: number;
  readonly aboveWarning: boolean;
  readonly aboveError: boolean;
  /** Only while compaction is automatic: where it is not, the trigger does nothing. */
  readonly aboveTrigger: boolean;
  readonly atBlockingLimit: boolean;
  /** What is sent besides the messages, of which nothing can be compacted: part by part, and in all. */
  readonly overhead: {
    readonly system: number;
    readonly tools: number;
    /** What the host did not state, as far as the provider's reports tell of it. */
    readonly hidden: number;
    readonly tokens: number;
  };
  /**
   * Why automatic compaction does not act at the trigger, where it does not. `overhead`: what is sent besides the messages
   * reaches the trigger alone, so no view fits; `overhead` names the parts. `reactive`: the provider is to refuse first.
   */
  readonly paused?: 'off' | 'reactive' | 'ineffective' | 'undone' | 'overhead';
  /** What users and clients wrote that the view does not show as it was written, and why. */
  readonly missing?: readonly MissingText[];
}

function percentLeft(tokens: number, budget: Budget): number {
  const full = budget.automatic ? budget.trigger : budget.effective;
  return Math.max(0, Math.min(100, Math.round(((full - tokens) / full) * 100)));
}

export const statusOf = (
  state: ViewState,
  tokens: number,
  extraBytes: number,
  budget: Budget,
  overhead: Status['overhead'],
  paused: Status['paused'],
  missing: Status['missing'],
): Status => ({
  tokens,
  measured: state.meter.base !== undefined,
  messages: state.slots.length,
  bytes: state.sizes.bytes + extraBytes,
  images: state.sizes.images,
  // The session goes by its own: nobody's change to this one counts.
  budget: { ...budget, limits: { ...budget.limits } },
  percentLeft: percentLeft(tokens, budget),
  aboveWarning: tokens >= budget.warning,
  aboveError: tokens >= budget.error,
  aboveTrigger: budget.automatic && tokens >= budget.trigger,
  atBlockingLimit: tokens >= budget.blocking,
  overhead,
  ...(paused === undefined ? {} : { paused }),
  ...(missing === undefined ? {} : { missing }),
});
