/** A body that cannot be taken: why, as a status and in words. */
export class BodyError extends Error {
  override readonly name = 'BodyError';
  readonly status: 400 | 413;

  constructor(status: 400 | 413, message: string) {
    super(message);
    this.status = status;
  }
}
