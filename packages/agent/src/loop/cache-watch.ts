import type { Clock, SessionEvent } from '@palimpsest/core';
import { type CacheBreak, cacheBreaks } from '@palimpsest/wire';
import type { AgentEvent } from './agent-event.ts';

/** Watches what the provider's cache serves, call by call. What a compaction changed is no break. */
export interface CacheWatch {
  hear(event: AgentEvent): void;
  breaks(): readonly CacheBreak[];
}

export function newCacheWatch(clock: Clock): CacheWatch {
  const watch = cacheBreaks();
  const found: CacheBreak[] = [];
  return {
    hear(event) {
      if (event.type === 'answer-ended') {
        const { input, cacheRead, cacheWrite } = event.usage;
        const broken = watch.observe({ at: clock.now(), input, cacheRead, cacheWrite });
        if (broken !== undefined) found.push(broken);
      } else watch.hear(event as SessionEvent);
    },
    breaks: () => found,
  };
}
