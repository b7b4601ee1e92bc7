export type { Problem } from './admit.ts';
export {
  type Budget,
  type BudgetOptions,
  budget,
  type Limits,
  type Switches,
  type Threshold,
  type Thresholds,
} from './budget.ts';
export type { Carry, CarryItem } from './carry.ts';
export { compact, type Ports } from './compact.ts';
export {
  type CacheState,
  DEFAULT_PRICES,
  DEFAULT_TTL_MS,
  type Payback,
  type Prices,
  type Proposal,
  payback,
} from './cost.ts';
export type { ConstraintStrength } from './digest/constraints.ts';
export type {
  CommandEvidence,
  Constraint,
  ErrorEvidence,
  Evidence,
  FileAct,
  FileEvidence,
  IdentifierEvidence,
  Outcome,
  Refusal,
  Todo,
  TodoStatus,
  Words,
} from './digest/evidence.ts';
export type { IdentifierKind } from './digest/identifiers.ts';
export {
  type Digest,
  type DigestOptions,
  type DigestSection,
  digest,
  type SectionName,
} from './digest.ts';
export { type Draft, newDraft, type ResultSite, replaceResult, resultsBackwards } from './draft.ts';
export * from './edit.ts';
export * from './errors.ts';
export * from './estimate.ts';
export type { SessionEvent } from './events.ts';
export type { AfterAnswer, BeforeAnswer, Hooks } from './hooks.ts';
export { type Violation, violationOf } from './invariants.ts';
export { type Case, judge, type Verdict } from './judge.ts';
export { type CapResultsOptions, capResults } from './layers/cap-results.ts';
export { type ClearIdleResultsOptions, clearIdleResults } from './layers/clear-idle-results.ts';
export { type ClearOldResultsOptions, clearOldResults } from './layers/clear-old-results.ts';
export { type CollapseSpansOptions, collapseSpans } from './layers/collapse-spans.ts';
export { dropOldReasoning } from './layers/drop-old-reasoning.ts';
export { dropOldestRounds } from './layers/drop-oldest-rounds.ts';
export { type SnipMiddleOptions, snipMiddle } from './layers/snip-middle.ts';
export { type StashLargeResultsOptions, stashLargeResults } from './layers/stash-large-results.ts';
export { stripOldMedia } from './layers/strip-old-media.ts';
export { type SummarizeHistoryOptions, summarizeHistory } from './layers/summarize-history.ts';
export { type SupersedeReadsOptions, supersedeReads } from './layers/supersede-reads.ts';
export * from './ledger.ts';
export {
  type Asked,
  type Decision,
  type Layer,
  type Look,
  type NativeEdit,
  type Need,
  type Over,
  plainWire,
  type WireRules,
} from './look.ts';
export * from './message.ts';
export type { Meter, UsageFault } from './meter.ts';
export * from './parse.ts';
export { type Besides, type Plan, type PlanOptions, plan } from './plan.ts';
export * from './ports.ts';
export { type PresetName, presets } from './presets/presets.ts';
export { requestText, SECTIONS, type SummaryAsk } from './prompt.ts';
export type { Found, Recall, Recalled } from './recall.ts';
export type { Receipt, ReceiptLine } from './receipt.ts';
export { redact } from './redact.ts';
export { check, type Repaired, repair } from './repair.ts';
export { createSession } from './session.ts';
export type { Session, SessionOptions, View, ViewOptions } from './session-types.ts';
export type { Count, Slot } from './slot.ts';
export type { Status } from './status.ts';
export { PATIENCE, type SummarizeOptions, type SummaryNeed, summarize } from './summarize.ts';
export type { Clock, Summarizer, SummaryAnswer, SummaryFailure, SummaryRequest } from './summarizer.ts';
export { type Environment, switchesFrom } from './switches.ts';
export { type ToolKind, toolKind, toolTarget, toolTargets } from './tool-kinds.ts';
export { alternating, lastTurns, turnStarts, type Unit, unitsOf } from './turns.ts';
export type { Visit } from './walk.ts';
