import type { Part } from '@palimpsest/core';
import type { Answered, AnswerWatch } from '@palimpsest/sdk/keeper';
import { watchAnswer } from '@palimpsest/sdk/keeper';
import type { Failure, Wire } from '@palimpsest/wire';
import type { Round } from '../recall/hidden-rounds.ts';
import type { KeptView, RoundAnswer, WrittenBody } from './body-types.ts';
import type { BodyHandle } from './open-body.ts';

/** A request that is kept: what to send, and what is to be told about how it went. */
export interface KeptTurn extends KeptView {
  /** What the provider refused. Too long: a smaller body to send instead, or undefined where nothing more can go. */
  fail(refusal: {
    readonly status: number;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  }): Promise<WrittenBody | undefined>;
  shrink(failure: Failure): Promise<WrittenBody | undefined>;
  /** The provider's whole answer, parsed. */
  hear(answer: unknown): void;
  /** For an answer that comes as a stream. */
  watch(): AnswerWatch;
  lookUp(parts: readonly Part[], rounds: readonly Round[]): Promise<RoundAnswer>;
}

export function createKeptTurn(view: KeptView, body: BodyHandle, wire: Wire<never>): KeptTurn {
  const noteAnswer = (reported: Answered): void => {
    // What its thread does not hear any more, its successor learns from the next request.
    body.askKept((keeper, id) => keeper.note(id, reported)).catch(() => {});
  };
  const shrink = (failure: Failure): Promise<WrittenBody | undefined> =>
    failure.type === 'overflow' ? body.askKept((keeper, id) => keeper.shrink(id, failure)) : Promise.resolve(undefined);
  return {
    ...view,
    shrink,
    async fail({ status, body: answer, headers }) {
      const failure = wire.failure(status, answer, headers);
      return failure === undefined ? undefined : shrink(failure);
    },
    hear(answer) {
      const failure = wire.failure(200, answer);
      if (failure === undefined) noteAnswer(wire.usage(answer));
      else shrink(failure).catch(() => {});
    },
    watch: () => watchAnswer(wire, { noteAnswer, shrinkBody: shrink }),
    lookUp: (parts, rounds) => body.askKept((keeper, id) => keeper.lookUp(id, parts, rounds)),
  };
}
