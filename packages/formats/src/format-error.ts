/** `unknown-format`: no agent known here wrote it. `corrupt`: one did, but it is not whole, or not of the format named. */
export type FormatCode = 'unknown-format' | 'corrupt';

/** A file cannot be read as a session. The message says what was looked for and what to do. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
  readonly code: FormatCode;

  constructor(code: FormatCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
