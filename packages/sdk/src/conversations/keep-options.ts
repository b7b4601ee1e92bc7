import type { Journal, JournalRecord, Message, Session, SessionOptions, Stash, Usage } from '@palimpsest/core';
import type { Decoded, Encoded, EncodeOptions, Reported } from '@palimpsest/wire';

/** What reads a host's request and writes it again: a wire, or an SDK's own form of messages. */
export interface Format<Body> {
  readonly name: string;
  decode(body: Body): Decoded;
  encode(messages: readonly Message[], body: Body, options?: EncodeOptions): Encoded<Body>;
}

/** Where conversations outlive the process: the stores of `@palimpsest/store` are such. */
export interface ConversationStore {
  open(
    id: string,
    options: { readonly waitMs: number },
  ): Promise<{
    readonly records: readonly JournalRecord[];
    readonly journal: Journal;
    readonly stash: Stash;
  }>;
}

type Fixed = 'window' | 'maxOutput' | 'system' | 'tools' | 'wire' | 'journal' | 'records' | 'broken';

/**
 * As a session's; `window` is enough. Not stated is what each request says itself (`system`, `tools`, `maxOutput`, the
 * wire) and what `store` brings (`journal`, `records`).
 */
export interface KeepOptions extends Omit<SessionOptions, Fixed> {
  /** The model's context window in tokens, or what tells it by the model's name; undefined is refused, never guessed. */
  readonly window: number | ((model: string) => number | undefined);
  /** Where conversations are kept: `fileStore()`. Without it they end with the process. */
  readonly store?: ConversationStore;
  /** Called with the session of every conversation that begins: for recall, status, receipts. */
  readonly onSession?: (session: Session) => void;
}

/** One request of a host. */
export interface Turn<Body> {
  readonly format: Format<Body>;
  readonly body: Body;
  readonly model: string;
  readonly maxOutput?: number | undefined;
  /** Headers that change what the provider makes of the body. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** What the provider said about the request before this one, where a host tells it only now. */
  readonly reported?: Usage;
}

export interface Refusal {
  readonly maximum?: number;
  readonly actual?: number;
}

/** What the provider said about a request that it answered. */
export type Answered = Pick<Reported, 'usage'> & Partial<Reported>;

/** A body that fits, and how many tokens it leaves for its answer: no request may ask for more. */
export interface Fitted<Body> extends Encoded<Body> {
  readonly outputRoom: number;
}

export interface Kept<Body> extends Fitted<Body> {
  readonly session: Session;
  noteAnswer(reported: Answered): void;
  /** The provider found the body too long: a smaller one, or nothing where nothing more can go. */
  shrinkBody(refusal: Refusal): Promise<Fitted<Body> | undefined>;
}

export interface Conversations {
  /** Undefined: the server holds a part of the conversation, so the body must go as it is. */
  keep<Body>(turn: Turn<Body>): Promise<Kept<Body> | undefined>;
}
