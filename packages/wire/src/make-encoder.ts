import type { Message } from '@palimpsest/core';
import type { Mended } from './body/mend.ts';
import { makeWellFormed } from './body/well-formed.ts';
import type { Encoded, EncodeOptions } from './wire.ts';

/** How a format puts a view in a body's place, and how what that gives is mended. */
interface Format<Any> {
  readonly layView: <B extends Any>(view: readonly Message[], body: B, options: EncodeOptions) => B;
  readonly mendBody: <B extends Any>(laid: B, given: B) => Mended<B>;
}

type Encode<Any> = <B extends Any>(view: readonly Message[], body: B, options?: EncodeOptions) => Encoded<B>;

/** The `encode` of a format that has neither native edits nor breakpoints: those are Anthropic's. */
export const makeEncoder =
  <Any extends object>({ layView, mendBody }: Format<Any>): Encode<Any> =>
  <B extends Any>(view: readonly Message[], body: B, options: EncodeOptions = {}): Encoded<B> => {
    const given = makeWellFormed(body);
    const laid = layView(makeWellFormed(view), given, options);
    return { headers: {}, ...mendBody(laid, given) };
  };
