export { type Counter, exactCounter } from './exact-counter.ts';
