import { asFields, parseJson } from '@palimpsest/core/json';
import type { Failure, Reported, Wire } from '@palimpsest/wire';
import { createParser } from 'eventsource-parser';

/** Reads along with a stream of events that somebody else consumes. */
export interface StreamWatch {
  read(chunk: Uint8Array): void;
  /** Something was said that tells whether the request was accepted. */
  readonly spoke: boolean;
  readonly failure: Failure | undefined;
  readonly reported: Reported;
}

/** The Responses API says these before it has looked at the request's size. */
const PREAMBLE = ['response.created', 'response.queued', 'response.in_progress'];

/** Most events are text: only those with one of these words in them are worth parsing. */
const TELLING = /"usage|"error"|model_context_window_exceeded/;

export function createStreamWatch(wire: Pick<Wire<never>, 'usage' | 'failure'>): StreamWatch {
  const decoder = new TextDecoder();
  let spoke = false;
  let failure: Failure | undefined;
  let reported: Reported = { usage: {}, appliedEdits: [] };
  const parser = createParser({
    onEvent({ data }) {
      const telling = TELLING.test(data);
      if (!telling && spoke) return;
      const event = parseJson(data);
      spoke ||= !PREAMBLE.includes(String(asFields(event).type));
      if (!telling || event === undefined) return;
      failure ??= wire.failure(200, event);
      const { usage, appliedEdits, ...rest } = wire.usage(event);
      reported = {
        ...reported,
        ...rest,
        usage: { ...reported.usage, ...usage },
        appliedEdits: appliedEdits.length === 0 ? reported.appliedEdits : appliedEdits,
      };
    },
  });
  return {
    read: (chunk) => parser.feed(decoder.decode(chunk, { stream: true })),
    get spoke() {
      return spoke;
    },
    get failure() {
      return failure;
    },
    get reported() {
      return reported;
    },
  };
}
