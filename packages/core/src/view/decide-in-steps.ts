import type { Digest } from '../digest/digest.ts';
import { findSteps, inSteps, type Steps } from '../steps.ts';
import type { Decision, Layer, Look } from './look.ts';

type Decide = Layer['decide'];
type DecideInSteps = (look: Look) => Steps<Decision>;
/** What a look reads off the transcript, in steps. */
export interface ReadInSteps {
  digest(...request: Parameters<Look['digest']>): Steps<Digest>;
}

/** Where a look that a walk made carries it: many are made at every view, and none outlives it. */
const READING = Symbol('reading');

interface WalkLook extends Look {
  readonly [READING]?: ReadInSteps;
}

/** A layer's `decide` that a walk may take in steps. Called like any other it decides at once. */
export const decideInSteps = (make: DecideInSteps): Decide => inSteps(make);

/** A layer's decision, in as many steps as the layer has. */
export function* stepsOfDecision(layer: Layer, look: Look): Steps<Decision> {
  const make = findSteps(layer.decide);
  return make === undefined ? layer.decide(look) : yield* make(look);
}

/** The look, which reads in steps as well. */
export const offerSteps = (look: Look, reading: ReadInSteps): Look =>
  Object.assign(look, { [READING]: reading }) satisfies WalkLook;

/** `look.digest` in steps, where a walk made the look. */
export function* stepsOfDigest(look: Look, ...request: Parameters<Look['digest']>): Steps<Digest> {
  const { [READING]: reading } = look as WalkLook;
  return reading === undefined ? look.digest(...request) : yield* reading.digest(...request);
}
