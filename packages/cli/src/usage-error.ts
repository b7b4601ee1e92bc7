/** The command line asks for what cannot be had. The message says what to do; the process ends with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
