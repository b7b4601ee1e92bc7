export { admit, type Problem } from './admit.ts';
export {
  type Budget,
  type BudgetOptions,
  budget,
  FIGURES,
  forced,
  type Limits,
  type Switches,
  type Threshold,
  type Thresholds,
} from './budget.ts';
export { compact, type Ports } from './compact.ts';
export * from './edit.ts';
export * from './errors.ts';
export * from './estimate.ts';
export type { SessionEvent } from './events.ts';
export { type Violation, violationOf } from './invariants.ts';
export { type CapResultsOptions, capResults } from './layers/cap-results.ts';
export { type ClearIdleResultsOptions, clearIdleResults } from './layers/clear-idle-results.ts';
export { type ClearOldResultsOptions, clearOldResults } from './layers/clear-old-results.ts';
export { dropOldReasoning } from './layers/drop-old-reasoning.ts';
export { dropOldestRounds } from './layers/drop-oldest-rounds.ts';
export { type SnipMiddleOptions, snipMiddle } from './layers/snip-middle.ts';
export { type StashLargeResultsOptions, stashLargeResults } from './layers/stash-large-results.ts';
export { stripOldMedia } from './layers/strip-old-media.ts';
export { type SupersedeReadsOptions, supersedeReads } from './layers/supersede-reads.ts';
export * from './ledger.ts';
export {
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
export { type Meter, newMeter, type Reading, readUsage, sizeOf, type UsageFault } from './meter.ts';
export * from './parse.ts';
export { type Besides, type Plan, type PlanOptions, plan } from './plan.ts';
export * from './ports.ts';
export { type PresetName, presets } from './presets/presets.ts';
export type { Found, Recall, Recalled } from './recall.ts';
export type { Receipt, ReceiptLine } from './receipt.ts';
export { check, type Repaired, repair } from './repair.ts';
export { createSession, type Session, type SessionOptions, type View, type ViewOptions } from './session.ts';
export type { Slot } from './slot.ts';
export type { Status } from './status.ts';
export { switchesFrom } from './switches.ts';
export { type ToolKind, toolKind, toolTarget, toolTargets } from './tool-kinds.ts';
export { alternating, lastTurns, turnStarts, type Unit, unitsOf } from './turns.ts';
export type { Visit } from './walk.ts';
