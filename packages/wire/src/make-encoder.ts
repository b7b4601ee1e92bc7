import type { Message } from '@palimpsest/core';
import { inSteps, type Steps } from '@palimpsest/core/steps';
import type { Mended } from './body/mend.ts';
import { stepsOfWellFormed } from './body/well-formed.ts';
import type { Encoded, EncodeOptions } from './wire.ts';

/** How a format puts a view in a body's place, and how what that gives is mended. */
interface Format<Any> {
  readonly layView: <B extends Any>(view: readonly Message[], body: B, options: EncodeOptions) => Steps<B>;
  readonly mendBody: <B extends Any>(laid: B, given: B) => Steps<Mended<B>>;
}

type Encode<Any> = <B extends Any>(view: readonly Message[], body: B, options?: EncodeOptions) => Encoded<B>;

/** The `encode` of a format that has neither native edits nor breakpoints: those are Anthropic's. */
export const makeEncoder = <Any extends object>({ layView, mendBody }: Format<Any>): Encode<Any> =>
  inSteps(function* <B extends Any>(view: readonly Message[], body: B, options: EncodeOptions = {}): Steps<Encoded<B>> {
    const given = yield* stepsOfWellFormed(body);
    const laid = yield* layView(yield* stepsOfWellFormed(view), given, options);
    yield;
    return { headers: {}, ...(yield* mendBody(laid, given)) };
  });
