export type { SectionName } from './digest/choose/allot-budget.ts';
export {
  type Digest,
  type DigestOptions,
  type DigestSection,
  digest,
} from './digest/digest.ts';
export type {
  CommandEvidence,
  Constraint,
  ConstraintStrength,
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
} from './digest/evidence/evidence.ts';
export type { IdentifierKind } from './digest/evidence/scan-identifiers.ts';
export { type EditBatch, type MakePartEdit, newEditBatch } from './edits/edit-batch.ts';
export { foldSlots, makeMessage, type StandsFor } from './edits/fold-slots.ts';
export { type ResultSite, replaceResult, resultsBackwards } from './edits/result-sites.ts';
export * from './errors.ts';
export { type CapResultsOptions, capResults } from './layers/cap-results.ts';
export { type ClearIdleResultsOptions, clearIdleResults } from './layers/clear-idle-results.ts';
export { type ClearOldResultsOptions, clearOldResults } from './layers/clear-old-results.ts';
export { type CollapseSpansOptions, collapseSpans } from './layers/collapse-spans.ts';
export { dropOldReasoning } from './layers/drop-old-reasoning.ts';
export { dropOldestRounds } from './layers/drop-oldest-rounds/drop-oldest-rounds.ts';
export { type SnipMiddleOptions, snipMiddle } from './layers/snip-middle.ts';
export { type StashLargeResultsOptions, stashLargeResults } from './layers/stash-large-results.ts';
export { stripOldMedia } from './layers/strip-old-media.ts';
export { type SummarizeHistoryOptions, summarizeHistory } from './layers/summarize-history/summarize-history.ts';
export { type SupersedeReadsOptions, supersedeReads } from './layers/supersede-reads.ts';
export type { Carry, CarryItem } from './ledger/carry.ts';
export * from './ledger/edit.ts';
export * from './ledger/ledger.ts';
export * from './ledger/parse.ts';
export * from './ledger/ports.ts';
export type { Problem } from './message/admit-message.ts';
export { isHostText } from './message/host-text.ts';
export * from './message/message.ts';
export { redact } from './message/redact.ts';
export { check, type Repaired, repair } from './message/repair.ts';
export { type ToolKind, toolKind, toolTarget, toolTargets } from './message/tool-kinds.ts';
export type { PresetOptions } from './presets/preset-options.ts';
export { type PresetName, presets } from './presets/presets.ts';
export { type CompactOptions, compact } from './session/compact.ts';
export type { SessionEvent } from './session/events.ts';
export type { Ports } from './session/ports.ts';
export { createSession } from './session/session.ts';
export type {
  CompactRequest,
  Session,
  SessionOptions,
  SwitchOptions,
  View,
  ViewOptions,
  ViewStatement,
} from './session/session-types.ts';
export {
  type Budget,
  type BudgetOptions,
  budget,
  type Limits,
  type Switches,
  type Threshold,
  type Thresholds,
} from './size/budget.ts';
export {
  type CacheState,
  DEFAULT_PRICES,
  DEFAULT_TTL_MS,
  type Payback,
  type Prices,
  type Proposal,
  payback,
} from './size/cost.ts';
export * from './size/estimate-message.ts';
export type { Meter, UsageFault } from './size/meter.ts';
export { type Environment, switchesFrom } from './size/switches.ts';
export type { Usage } from './size/usage.ts';
export type { AfterAnswer, BeforeAnswer, Hooks } from './summary/hooks.ts';
export { type Case, judge, type Verdict } from './summary/judge.ts';
export { requestText, SECTIONS, type SummaryAsk } from './summary/prompt.ts';
export { PATIENCE, type SummarizeOptions, type SummaryNeed, summarize } from './summary/summarize.ts';
export type { Clock, Summarizer, SummaryAnswer, SummaryFailure, SummaryRequest } from './summary/summarizer.ts';
export {
  type Ability,
  type Asked,
  type Circumstances,
  plainWire,
  type StatedCircumstances,
  type WireRules,
} from './view/circumstances.ts';
export { type Violation, violationOf } from './view/invariants.ts';
export type { Decision, Layer, Look, Over } from './view/look.ts';
export type { NativeEdit, Need } from './view/need.ts';
export type { Found, Recall, Recalled } from './view/recall.ts';
export type { Receipt, ReceiptLine } from './view/receipt.ts';
export type { Count, Sizes, Slot } from './view/slot.ts';
export type { Status } from './view/status.ts';
export { lastTurns, mergeNeighbours, turnStarts } from './view/turns.ts';
export { joinUnits, type Span, splitRuns, type Unit, unitsOf } from './view/units.ts';
export type { Overhead } from './walk/overhead.ts';
export { type Plan, type PlanOptions, plan } from './walk/plan.ts';
export type { Visit } from './walk/walk.ts';
