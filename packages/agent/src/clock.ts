export { systemClock, untilAborted as abortable } from '@palimpsest/wire';
