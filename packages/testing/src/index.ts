// What the tests of several packages share. Published packages never import it; tests and bench do.
export { fastOrDeep, isDeep } from './depth.ts';
export { estimateOnce } from './estimate-once.ts';
export { exactBudget } from './exact-budget.ts';
export { driveFixedPart, type FixedPart, type FixedPartOutcome } from './fixed-part.ts';
export { histories, shortHistories } from './histories.ts';
export { findObeyed, HOSTILE_TEXTS } from './hostile-texts.ts';
export { refusal } from './refusal.ts';
export { type VirtualClock, virtualClock } from './virtual-clock.ts';
