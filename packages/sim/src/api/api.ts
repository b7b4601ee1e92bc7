import type { Fields } from '@palimpsest/core/json';
import type { CacheOutcome } from '../cache/cache-outcome.ts';
import type { SimModel, Vendor } from '../models.ts';
import type { Segment } from '../prompt/prompt.ts';
import type { ApiName, Spoken } from '../script/reply.ts';
import type { Problem } from './problem.ts';
import type { Sending } from './sending.ts';
import type { SimUsage } from './usage.ts';

/** A request as it came in. */
export interface Incoming {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly key: string;
}

/** What an API made of a good request. */
export interface Prepared {
  /** The prompt as the model reads it, after whatever the server itself edits. */
  readonly segments: readonly Segment[];
  readonly maxOutput: number;
  readonly stream: boolean;
  readonly thinks: boolean;
  readonly tools: readonly string[];
  /** The whole conversation in the API's format, for scripted models. */
  readonly conversation: Fields;
  /** Where the request has the server edit the prompt: its size before that. */
  readonly tokensBeforeEdits?: number;
}

/** An answer to be put into the vendor's format. */
export interface Answer<P extends Prepared> {
  readonly n: number;
  readonly seed: number;
  readonly at: number;
  readonly model: SimModel;
  readonly body: Fields;
  readonly prepared: P;
  readonly spoken: Spoken;
  /** What is stated, which a fault may have falsified; undefined where nothing is. */
  readonly usage: SimUsage | undefined;
}

/** One vendor's endpoint. Pure, but for what its memory and its cache keep between requests. */
export interface Api<P extends Prepared = Prepared> {
  readonly name: ApiName;
  readonly vendor: Vendor;
  readonly maxBytes: number;
  findKey(headers: Readonly<Record<string, string>>, query: URLSearchParams): string | undefined;
  /** The refusals that come before the body is looked at. */
  refuseKey(key: string | undefined): Problem;
  refuseSize(): Problem;
  refuseSyntax(detail: string): Problem;
  refuseModel(name: string): Problem;
  findModelName(body: Fields, incoming: Incoming): string | undefined;
  /** `model` is undefined where the request names none. */
  check(body: unknown, incoming: Incoming, model: SimModel | undefined): Problem | undefined;
  prepare(body: Fields, incoming: Incoming, model: SimModel): P;
  /** What follows from the size of the prompt: too long for the window, or a case for what is not simulated. */
  measure(tokens: number, body: Fields, prepared: P, model: SimModel): Problem | undefined;
  serveCache(prepared: P, body: Fields, incoming: Incoming, model: SimModel, now: number): CacheOutcome;
  answer(answer: Answer<P>): Sending;
  refuse(problem: Problem, n: number, body: unknown, at: number): Sending;
}
