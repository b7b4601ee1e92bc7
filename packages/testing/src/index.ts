// What the tests of several packages share. Published packages never import it; tests and bench do.
export { histories, prose, shortHistories } from './histories.ts';
export { remembered } from './remembered.ts';
export { exactly, refusal } from './views.ts';
export { type VirtualClock, virtualClock } from './virtual-clock.ts';
