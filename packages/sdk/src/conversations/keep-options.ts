import type {
  Journal,
  JournalRecord,
  Message,
  PresetName,
  Recall,
  Session,
  SessionEvent,
  SessionOptions,
  Stash,
  Usage,
} from '@palimpsest/core';
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
    /**
     * Lets other processes have it while nothing is written here, once `last` is done. An append that comes when another one
     * had it is a `conflict`. Without it a conversation stays with its process, and another one goes on in a copy.
     */
    readonly rest?: (last: () => Promise<void>) => Promise<void>;
  }>;
  /** Looks without the right to write. Without it, what another process has open is not gone on from. */
  read?(id: string): Promise<{ readonly records: readonly JournalRecord[] }>;
  /** The newest first. Without it, what is stored is not found again. */
  list?(options: { readonly prefix: string }): Promise<readonly ListedConversation[]>;
  /** For a keeper's `forget`. */
  delete?(id: string): Promise<void>;
}

/** What a store tells of a conversation without reading it. */
export interface ListedConversation {
  readonly id: string;
  /** Of its journal; where they are told, what was read for a recall need not be read again before it has grown. */
  readonly bytes?: number;
  readonly modifiedAt?: number;
}

/** How much is kept at hand. What is over goes to the store, the longest unused first, and is found there again. */
export interface LiveLimits {
  /** 1,000 by default. */
  readonly conversations?: number;
  /** About what all of them take in memory, texts and what was read off them; by default a quarter of what the process may have as heap. */
  readonly bytes?: number;
}

/** What a server is asked about a request, to say whose it is. */
export interface RequestInfo {
  readonly model: string;
  /** As the host gave it, in its own form. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** What the SDK brought along: LangChain's `runtime`, the AI SDK's parameters. */
  readonly host?: unknown;
}

/**
 * Whose a request is. `tenant`: nothing that one said reaches another. `id` groups: inside a group the longest common
 * beginning chooses the conversation, and recall is shared.
 */
export interface Whose {
  readonly tenant?: string | undefined;
  readonly id?: string | undefined;
}

/** What a host is told about a session that begins. */
export interface SessionStart {
  /** Its own: events carry it. */
  readonly id: string;
  readonly request: RequestInfo & Whose;
  /** Where it shares another's beginning, or goes on from what its client compacted. */
  readonly parent?: string;
}

/**
 * Why a request goes out as it came although it carries a conversation. `server-history`: the provider holds the earlier
 * messages. `unknown-endpoint`: no wire reads its URL. `batch`: it holds many conversations, or names a file of them.
 * `unreadable-body`: the body is compressed, or a stream.
 */
export type PassedReason = 'server-history' | 'unknown-endpoint' | 'batch' | 'unreadable-body';

/** A request went out as it came, and nothing keeps it within its window. It belongs to no session. */
export interface PassedEvent {
  readonly type: 'passed';
  readonly reason: PassedReason;
  /** What happened, and what to do about it. */
  readonly message: string;
  /** As the request names it; empty where it names none. */
  readonly model: string;
  readonly session?: undefined;
}

/** An event of a session, and which one it is of; or a request that no session keeps. */
export type KeptEvent = (SessionEvent & { readonly session: string }) | PassedEvent;

type Fixed = 'window' | 'maxOutput' | 'system' | 'tools' | 'wire' | 'journal' | 'records' | 'broken' | 'on';

/**
 * As a session's; `window` is enough. Not stated is what each request says itself (`system`, `tools`, `maxOutput`, the
 * wire) and what `store` brings (`journal`, `records`).
 */
export interface KeepOptions extends Omit<SessionOptions, Fixed> {
  /** The model's context window in tokens, or what tells it by the model's name; undefined is refused, never guessed. */
  readonly window: number | ((model: string) => number | undefined);
  /** Where conversations are kept: `fileStore()`, or what tells it by the tenant. Without it they end with the process. */
  readonly store?: ConversationStore | ((tenant: string) => ConversationStore);
  readonly live?: LiveLimits;
  /** For servers: whose a request is. A string is the group's id. Without it all are one tenant's, told apart by what they say. */
  readonly key?: (request: RequestInfo) => string | Whose | undefined;
  /** Called with the session of every conversation that begins: for recall, status, receipts. */
  readonly onSession?: (session: Session, start: SessionStart) => void;
  /** Called with every event as it happens. */
  readonly on?: (event: KeptEvent) => void;
  /** True: a request that would be `passed` is refused with a `CompactionError` of the code `not-kept`. */
  readonly strict?: boolean;
}

/** One request of a host. */
export interface Turn<Body> extends Whose {
  readonly format: Format<Body>;
  readonly body: Body;
  readonly model: string;
  readonly window?: number | undefined;
  readonly preset?: PresetName | undefined;
  readonly maxOutput?: number | undefined;
  /** Whether a recall is among the request's tools, where all of them are known. */
  readonly canRecall?: boolean | undefined;
  /** Headers that change what the provider makes of the body. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** What the provider said about the request before this one, where a host tells it only now. */
  readonly reported?: Usage;
  /** What requests for summaries go out with. */
  readonly credentials?: unknown;
  /** Where breakpoints are placed that the caller did not set: in every body, or in edited ones only. */
  readonly breakpoints?: EncodeOptions['cacheBreakpoints'];
  /** For the host's own `key`: all headers, and what the SDK brought along. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly host?: unknown;
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
  readonly tokens: number;
  readonly receipt?: NonNullable<Awaited<ReturnType<Session['compact']>>>;
}

/**
 * How a request's session was found. `begun`: it is new. `continued`: all that it had stands at the request's beginning.
 * `forked`: the request leaves it at an earlier place, so a new session shares what came before. `restored`: from the store.
 * `client-compacted`: the client itself began anew in a group that is known; recall reaches back.
 */
export type FoundHow = 'begun' | 'continued' | 'forked' | 'restored' | 'client-compacted';

/** Conversations of a group that a lookup had to do without. */
export interface Unread {
  /** `failed`: the store did not give them. `slow`: it has not yet, and goes on. `large`: they are more than is read for one lookup. */
  readonly type: 'failed' | 'slow' | 'large';
  /** Undefined: the store did not even say how many there are. */
  readonly conversations: number | undefined;
}

/** Reads and searches a session, and behind it the others of its group. */
export interface GroupRecall extends Recall {
  /**
   * As a session's. What of the group only the store has is read by this alone, so a lookup without it does not reach that.
   * `references`: nothing else will be asked for, and where all of them are known at hand there is nothing to read.
   */
  prepare(references?: readonly string[]): Promise<void>;
  /** What the last `prepare` could not read: lookups go without it. */
  readonly unread: readonly Unread[];
}

export interface Kept<Body> extends Fitted<Body> {
  readonly id: string;
  readonly session: Session;
  readonly how: FoundHow;
  readonly parent?: string;
  /** Reads and searches the session, and the others of its group behind it. */
  readonly recall: GroupRecall;
  /** The turn is over by that. */
  noteAnswer(reported: Answered): void;
  /** The turn is over, whatever came of it: other processes may have the conversation. */
  release(): void;
  /** The provider found the body too long: a smaller one, or nothing where nothing more can go. */
  shrinkBody(refusal: Refusal): Promise<Fitted<Body> | undefined>;
}

/** A conversation at hand. */
export interface LiveSession {
  readonly id: string;
  readonly tenant: string;
  /** Of its newest request. */
  readonly model: string;
  readonly session: Session;
}

export interface Conversations {
  /** Undefined: the server holds a part of the conversation, so the body must go as it is. */
  keep<Body>(turn: Turn<Body>): Promise<Kept<Body> | undefined>;
  /** The session of that id, where it is at hand and the tenant's. */
  find(id: string, tenant: string): Session | undefined;
  /** Those at hand, the one that was used last first. */
  list(): readonly LiveSession[];
  status(): { readonly conversations: number; readonly bytes: number };
  /** Resolves when nothing of the tenant, or of one of its groups, is at hand or stored any more. */
  forget(tenant: string, id?: string): Promise<void>;
  /** Resolves when all are saved and closed. */
  close(): Promise<void>;
}
