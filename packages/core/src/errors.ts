/** What to branch on. As far as `not-json` they are about a message that breaks the history; a `Problem` has them too. */
export type CompactionCode =
  | 'orphan-result'
  | 'dangling-call'
  | 'duplicate-id'
  | 'empty-message'
  | 'unknown-role'
  | 'misplaced-part'
  | 'malformed'
  | 'not-json'
  | 'window-unknown'
  | 'not-kept'
  | 'bad-option'
  | 'bad-ledger'
  | 'unknown-message'
  | 'unknown-reference'
  | 'nothing-to-undo'
  | 'nothing-to-compact'
  | 'nothing-to-snip'
  | 'stale-plan'
  | 'no-summary'
  | 'journal-failed'
  | 'timed-out'
  | 'busy'
  | 'blocked'
  | 'disabled'
  | 'cannot-reduce';

/** The caller is wrong, or asks for what cannot be had. The message says what to do. */
export class CompactionError extends Error {
  override readonly name = 'CompactionError';
  readonly code: CompactionCode;
  /** The message the error is about, where it is about one. */
  readonly messageId?: string;

  constructor(code: CompactionCode, message: string, about: { messageId?: string; cause?: unknown } = {}) {
    super(message, about.cause === undefined ? undefined : { cause: about.cause });
    this.code = code;
    if (about.messageId !== undefined) this.messageId = about.messageId;
  }
}

/** We are wrong: a layer broke a promise. Never caught inside. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
  readonly layer: string;
  readonly rule: string;

  constructor(layer: string, rule: string, detail: string) {
    super(`layer "${layer}" broke the rule "${rule}": ${detail}`);
    this.layer = layer;
    this.rule = rule;
  }
}
