import type { Message } from '@palimpsest/core';
import { type RecordedCompaction, type SessionRecord, viewOf } from '../recording/recording.ts';

/** A compaction, and what the model saw before and after it. */
export interface Turnover {
  readonly compaction: RecordedCompaction;
  readonly before: readonly Message[];
  readonly after: readonly Message[];
  /** The transcript up to it. */
  readonly said: readonly Message[];
}

/** Hears a session in the order in which it happened. */
export interface Listener {
  say(message: Message, place: number): void;
  compact(turnover: Turnover, number: number): void;
}

/** Tells a session again, each compaction between the messages where it happened. */
export function retellSession({ messages, compactions }: SessionRecord, listener: Listener): void {
  let view: Message[] = [];
  let next = 0;
  for (let place = 0; place <= messages.length; place++) {
    for (let one = compactions[next]; one?.at === place; one = compactions[++next]) {
      const after = viewOf(one, messages);
      listener.compact({ compaction: one, before: view, after, said: messages.slice(0, place) }, next);
      view = [...after];
    }
    const message = messages[place];
    if (message === undefined) continue;
    listener.say(message, place);
    view.push(message);
  }
}
