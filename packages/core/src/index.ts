// What hosts need: messages, a session, its budget, its ports.

export { type CompactionCode, CompactionError, InvariantError } from './errors.ts';
export type { Problem } from './message/admit-message.ts';
export {
  assistant,
  type CallPart,
  type ContentPart,
  call,
  callsOf,
  type Json,
  type MediaPart,
  type Message,
  type MessageId,
  mediaMarker,
  type NativePart,
  type NewMessage,
  type Origin,
  type Part,
  type PartBase,
  partText,
  type ReasoningPart,
  type ResultPart,
  type Role,
  reasoning,
  result,
  results,
  resultsOf,
  type TextPart,
  text,
  user,
  wordsOf,
} from './message/message.ts';
export { check, type Repaired, repair } from './message/repair.ts';
export {
  type CompactionSettings,
  parseCompactionSettings,
  type SettledOptions,
} from './presets/compaction-settings.ts';
export { findRules } from './presets/find-rules.ts';
export { type PresetName, type PresetOptions, presets } from './presets/presets.ts';
export type { SearchOptions } from './search/find-passages.ts';
export type { Found, Stretch } from './search/show-passage.ts';
export type { SessionEvent } from './session/events.ts';
export type { Handoff, HandoffOptions } from './session/handoff.ts';
export type { Ports } from './session/ports.ts';
export type { CompactionPlan, Preview, PreviewItem, PreviewLayer } from './session/preview-types.ts';
export { countEvidence, createSession, searchSessions } from './session/session.ts';
export type {
  CompactRequest,
  ForkOptions,
  PreviewRequest,
  Session,
  SessionOptions,
  SnipOptions,
  SwitchOptions,
  View,
  ViewOptions,
  ViewStatement,
} from './session/session-types.ts';
export {
  type Budget,
  type BudgetOptions,
  budget,
  type IgnoredSwitch,
  type Limits,
  type Switches,
} from './size/budget.ts';
export type { BudgetRule, Margin } from './size/budget-rule.ts';
export {
  type CacheState,
  costOfUsage,
  DEFAULT_PRICES,
  DEFAULT_TTL_MS,
  type Payback,
  type Prices,
  type Proposal,
  payback,
} from './size/cost.ts';
export type { Meter, UsageFault } from './size/meter.ts';
export { type Environment, switchesFrom } from './size/switches.ts';
export type { Threshold, Thresholds } from './size/thresholds.ts';
export type { Usage } from './size/usage.ts';
export type { MissingText } from './view/kept-text.ts';
export type { PresetRules } from './view/preset-rules.ts';
export type { LiveSummary } from './view/read-summary.ts';
export type { Recall, Recalled } from './view/recall.ts';
export type { Receipt, ReceiptLine, SummaryReceipt } from './view/receipt.ts';
export type { Status } from './view/status.ts';

// What walks without a session need: the ledger is the host's to keep.

export {
  type DraftFact,
  type EditsEntry,
  type Entry,
  emptyLedger,
  type Fact,
  type Ledger,
  type Trigger,
  type WalkRoom,
} from './ledger/ledger.ts';
export { type CompactOptions, compact } from './session/compact.ts';
export { findRecallTool } from './walk/find-recall-tool.ts';
export type { Overhead } from './walk/overhead.ts';
export { type Plan, type PlanOptions, plan } from './walk/plan.ts';
export { createPlanner, type Planner } from './walk/planner.ts';
export type { Visit } from './walk/walk.ts';

// What lists of layers are made of.

export type { NativeClearOptions } from './layers/ask-provider.ts';
export { type CapResultsOptions, capResults } from './layers/cap-results.ts';
export { type ClearIdleResultsOptions, clearIdleResults } from './layers/clear-idle-results.ts';
export { type ClearOldResultsOptions, clearOldResults } from './layers/clear-old-results.ts';
export { type CollapseSpansOptions, collapseSpans } from './layers/collapse-spans.ts';
export { dropOldReasoning } from './layers/drop-old-reasoning.ts';
export { dropOldestRounds } from './layers/drop-oldest-rounds/drop-oldest-rounds.ts';
export { type PushRecallOptions, pushRecall } from './layers/push-recall.ts';
export type { SnipRequest } from './layers/snip-asked.ts';
export { type SnipMiddleOptions, snipMiddle } from './layers/snip-middle.ts';
export { type StashLargeResultsOptions, stashLargeResults } from './layers/stash-large-results.ts';
export { type StripOldMediaOptions, stripOldMedia } from './layers/strip-old-media.ts';
export { stripRefusedMedia } from './layers/strip-refused-media.ts';
export { type SummarizeHistoryOptions, summarizeHistory } from './layers/summarize-history/summarize-history.ts';
export { type SupersedeReadsOptions, supersedeReads } from './layers/supersede-reads.ts';

// What the author of a layer needs: what it looks at, what it answers with, and what builds the answer.

export { type EditBatch, type MakePartEdit, newEditBatch } from './edits/edit-batch.ts';
export { foldSlots, makeMessage, type StandsFor } from './edits/fold-slots.ts';
export { type ResultSite, replaceResult, resultsBackwards } from './edits/result-sites.ts';
export type {
  DropEdit,
  Edit,
  EditBase,
  Excerpt,
  FoldEdit,
  InsertEdit,
  PartEdit,
  Recompaction,
  ReplaceEdit,
  ShortenEdit,
  SummaryMark,
} from './ledger/edit.ts';
export { type ToolKind, toolKind, toolTargets } from './message/tool-kinds.ts';
export type { Ability, Asked, Circumstances, StatedCircumstances, WireRules } from './view/circumstances.ts';
export type { Decision, Layer, Look, Over } from './view/look.ts';
export type { NativeEdit, Need, SummaryScope } from './view/need.ts';
export type { Count, Sizes, Slot } from './view/slot.ts';
export {
  type SummarySection,
  type SummaryTemplate,
  type SummaryTemplateName,
  summaryTemplates,
} from './view/summary-template.ts';
export { lastTurns, mergeNeighbours, turnStarts } from './view/turns.ts';
export { joinUnits, type Span, splitRuns, type Unit, unitsOf } from './view/units.ts';

// What stores, summarizers and wires need, and those who look at what was kept.

export { type Digest, type DigestOptions, type DigestSection, digest } from './digest/digest.ts';
export type { SectionName } from './digest/write.ts';
export type { Carry, CarryItem } from './ledger/carry.ts';
export { parseLedger, parseRecord } from './ledger/parse.ts';
export type { Journal, JournalRecord, Stash } from './ledger/ports.ts';
export type { ItemPlace, ItemUpdate, LeftItems, RetiredItem, SummaryItem } from './ledger/summary-item.ts';
export type { Spending, Totals } from './ledger/totals.ts';
export { redact } from './message/redact.ts';
export { type Played, type PlayedWalk, playRecords } from './session/play-records.ts';
export {
  bytesOf,
  type CountText,
  countMessage,
  estimateMessage,
  estimatePart,
  estimateText,
  imagesIn,
} from './size/estimate-message.ts';
export { findCompactInstructions } from './summary/compact-instructions.ts';
export type { AfterAnswer, BeforeAnswer, Hooks } from './summary/hooks.ts';
export { judge, type SummaryCase, type Verdict } from './summary/judge.ts';
export { requestText, SECTIONS, type SummaryAsk } from './summary/prompt.ts';
export { type ProvenSummary, proveSummary } from './summary/prove-summary.ts';
export type { Clock, Summarizer, SummaryAnswer, SummaryFailure, SummaryRequest } from './summary/summarizer.ts';
export { cutHead, cutTail, toWellFormed } from './text.ts';
export { type Violation, violationOf } from './view/invariants.ts';
export type { HiddenItem } from './view/list-hidden.ts';
