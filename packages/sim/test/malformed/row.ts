/** A body that the vendor refuses: what is wrong, the words it is refused with, and the block the log names. */
export interface Row {
  readonly what: string;
  readonly body: unknown;
  readonly says: RegExp | string;
  readonly path: string;
  readonly status?: number;
  /** OpenAI's `code`, or the error type where it is not the usual one. */
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** True where a wire's validator is to see it too: the rules of a conversation, not of the request around it. */
  readonly shared?: boolean;
}
