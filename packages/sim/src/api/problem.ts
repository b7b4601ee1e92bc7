/** Why a request is refused. The vendor's words, and for the log which rule and which block. */
export interface Problem {
  readonly status: number;
  /** Where, as `messages.3.content.0`; empty for the request as a whole. */
  readonly path: string;
  readonly rule: string;
  readonly message: string;
  /** The vendor's `type` or `status`, where it is not the usual one for this status. */
  readonly type?: string;
  /** OpenAI's `code` and `param`. */
  readonly code?: string;
  readonly param?: string;
  /** When to try again. */
  readonly retryAfterMs?: number;
  /** Said inside a stream that began well. */
  readonly late?: boolean;
}

export type Problems = Generator<Problem, void>;

export const takeFirst = (problems: Problems): Problem | undefined => {
  const next = problems.next();
  return next.done === true ? undefined : next.value;
};
