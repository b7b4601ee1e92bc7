import type { SessionEvent } from './events.ts';

/**
 * Tells a listener. What it throws must not tear a decision in two, and must not be lost either: it is thrown once the
 * step in hand is over, outside of every call, as an uncaught error (as an `EventTarget` does it).
 */
export const newEmit =
  (listener: (event: SessionEvent) => void = () => {}): ((event: SessionEvent) => void) =>
  (event) => {
    try {
      listener(event);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  };
