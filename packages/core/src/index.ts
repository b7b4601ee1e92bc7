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
export { type Draft, newDraft, type ResultSite, replaceResult, resultsBackwards } from './edits/draft.ts';
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
export { type PresetName, presets } from './presets/presets.ts';
export { compact, type Ports } from './session/compact.ts';
export type { SessionEvent } from './session/events.ts';
export { createSession } from './session/session.ts';
export type { Session, SessionOptions, View, ViewOptions } from './session/session-types.ts';
export {
  type Budget,
  type BudgetOptions,
  budget,
  type Limits,
  type Switches,
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
export type { Threshold, Thresholds } from './size/thresholds.ts';
export type { Usage } from './size/usage.ts';
export type { AfterAnswer, BeforeAnswer, Hooks } from './summary/hooks.ts';
export { type Case, judge, type Verdict } from './summary/judge.ts';
export { PATIENCE } from './summary/patient-call.ts';
export { requestText, SECTIONS, type SummaryAsk } from './summary/prompt.ts';
export type { Clock, Summarizer, SummaryAnswer, SummaryFailure, SummaryRequest } from './summary/summarizer.ts';
export { type Violation, violationOf } from './view/invariants.ts';
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
} from './view/look.ts';
export type { Found, Recall, Recalled } from './view/recall.ts';
export type { Receipt, ReceiptLine } from './view/receipt.ts';
export type { Count, Slot } from './view/slot.ts';
export type { Status } from './view/status.ts';
export { alternating, lastTurns, turnStarts, type Unit, unitsOf } from './view/turns.ts';
export { type Besides, type Plan, type PlanOptions, plan } from './walk/plan.ts';
export type { Visit } from './walk/walk.ts';
