/**
 * What the page shows, as plain JSON: columns rather than rows, and runs rather than cells, so that it stays small for
 * sessions of many thousand messages. Texts are not in it; they are asked for one by one.
 */

/** What a token of a view is of. `system`: also what a host wrote in the user's name. `carried`: what code put in besides. */
export const KINDS = ['system', 'tools', 'user', 'assistant', 'calls', 'results', 'summaries', 'carried'] as const;
/** One of `KINDS`. */
export type Kind = (typeof KINDS)[number];

/**
 * What a view shows of a message. `excerpt`: some of it. `folded`: a summary stands in its place, whatever that tells of it. `hidden`: nothing does, but
 * perhaps that something is hidden. `recalled`: out of view, and read again by the model.
 */
export const STATES = ['unsaid', 'whole', 'excerpt', 'folded', 'hidden', 'recalled'] as const;
/** One of `STATES`. */
export type State = (typeof STATES)[number];

/** The number of a state in `STATES`. */
export const stateNumber = (state: State): number => STATES.indexOf(state);

/** All that was said, column by column, by place in the transcript. */
export interface MessageTable {
  readonly ids: readonly string[];
  /** Numbers of `KINDS`: what most of each message is. */
  readonly kinds: readonly number[];
  readonly tokens: readonly number[];
  /** Milliseconds since 1970; null where nobody said it. */
  readonly times: readonly (number | null)[];
  /** The beginning of each, on one line. */
  readonly titles: readonly string[];
}

/** The requests of one course, column by column, in order. */
export interface CallTable {
  /** How many messages had been said: the answer stands at this place. */
  readonly at: readonly number[];
  readonly times: readonly (number | null)[];
  /** Estimated tokens of the view, one list for each of `KINDS`. */
  readonly kinds: readonly (readonly number[])[];
  /** Estimated tokens of what had been said and was not shown. */
  readonly hidden: readonly number[];
  /** What the provider's cache served, by the model of `measure`, and what was written into it. */
  readonly cacheRead: readonly number[];
  readonly cacheWrite: readonly number[];
  /** Of what was written: what the request before had held already. */
  readonly again: readonly number[];
  /** What the provider reported, where it is known: input beside the cache, read, written, answered. */
  readonly reported: readonly (readonly [number, number, number, number] | null)[];
  /** Calls that the provider refused as too long: no model saw them, and they cost nothing. */
  readonly refused: readonly number[];
}

/** One thing that a compaction took out of the view. */
export interface Item {
  /** The layer that took it; of a foreign recording, what its agent did. */
  readonly layer: string;
  readonly kind: string;
  readonly tool?: string;
  readonly targets?: readonly string[];
  /** By which recall reads it; of a foreign recording its place, `#12`. */
  readonly ref: string;
  /** Places in the transcript, both inclusive. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** That the view has less of by it. */
  readonly tokens: number;
}

/** A message that nobody said: a summary, a notice, a file that was carried over. */
export interface MadeMessage {
  readonly id: string;
  readonly kind: 'summaries' | 'carried';
  readonly tokens: number;
  readonly title: string;
}

/** Who wrote the summary that a compaction left, and by which name its text is read. */
export interface SummaryMark {
  readonly id: string;
  /** `agent`: that of the recording. */
  readonly by: 'model' | 'draft' | 'digest' | 'user' | 'agent';
}

/** Why a summary that was made cannot be read: its provider encrypted it, or the recording does not hold it. */
export type Unread = 'encrypted' | 'unrecorded';

/** One compaction, or one change of the view as a matter of course that hid something. */
export interface Cliff {
  /** The first call behind it, from 0; as many as there are calls where none came. */
  readonly call: number;
  /** How many messages had been said. */
  readonly at: number;
  /** The number of the walk, of ours. */
  readonly walk?: number;
  readonly type: 'walk' | 'summary' | 'clear' | 'snapshot';
  readonly trigger: string;
  /** Why it was done now. */
  readonly reason?: string;
  /** Of ours: whether a limit, or money, made it. False: its layers do so as a matter of course. */
  readonly pressed?: boolean;
  /** Of ours: the budget that it was led by, where the journal says so. */
  readonly room?: { readonly window: number; readonly trigger: number; readonly target: number };
  /** False where nothing changed that a model had been shown. */
  readonly declared: boolean;
  /** It was taken back before this call. */
  readonly undoneAt?: number;
  /** Estimated tokens by `KINDS`, of the views right before it and behind it. */
  readonly before: readonly number[];
  readonly after: readonly number[];
  /**
   * Tokens that the next call wrote into the cache and would have read without it. Below zero where what went had not been
   * in the cache: so much less was written.
   */
  readonly behind: number;
  /** The cache had expired anyway. */
  readonly cold: boolean;
  /** What its own summary call took: read from the cache, written to it, answered. */
  readonly asked?: readonly [read: number, written: number, answered: number];
  /** What the provider reported of it, where it is known: input beside the cache, read, written, answered. */
  readonly reported?: readonly [number, number, number, number];
  readonly items: readonly Item[];
  readonly made: readonly MadeMessage[];
  /** Of ours: the places of messages of users and clients that the view behind it does not show as they were written, and why. */
  readonly missing?: readonly { readonly at: number; readonly reason: string }[];
  readonly summary?: SummaryMark;
  /** Of a summary that cannot be read; `summary` is undefined then. */
  readonly unread?: Unread;
}

/** What views showed from one call until another that nobody had said so: an excerpt of a message, or a message that was made. */
export interface Stretch {
  /** The first call, and the first that no longer showed it. */
  readonly from: number;
  readonly to: number;
  /** Of what was shown. */
  readonly tokens: number;
  /** Of an excerpt the place of its message; of what was made the place that it stands behind, -1 at the top. */
  readonly place: number;
  /** Undefined for an excerpt. */
  readonly made?: Omit<MadeMessage, 'tokens'>;
}

/** One course of a session's views: its own, or that under a preset. */
export interface Course {
  /** `recording`, `session`, or a preset. */
  readonly name: string;
  /** Without a window where nobody knows it: a journal of old, and none was stated. */
  readonly budget: { readonly window?: number; readonly trigger?: number; readonly target?: number };
  readonly calls: CallTable;
  readonly cliffs: readonly Cliff[];
  /** Tokens that every request held besides its messages. */
  readonly system: number;
  readonly stretches: readonly Stretch[];
  /** Of every message: call, number of the state from then on, call, state, and so on. */
  readonly lifelines: readonly (readonly number[])[];
}

/** What tokens cost, in US dollars a million. */
export interface PriceList {
  /** The model; `example` where a session of ours does not say which it was for; `yours` for stated ones. */
  readonly name: string;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** Everything about one session that the page shows at first. */
export interface Inspection {
  readonly version: 1;
  readonly title: string;
  /** The format of the recording; `palimpsest` for a session of ours. */
  readonly format: string;
  readonly model?: string;
  readonly id?: string;
  /** Undefined where the model's price is not known. */
  readonly prices?: PriceList;
  readonly messages: MessageTable;
  /** Its own first. */
  readonly courses: readonly Course[];
  readonly pinned: readonly number[];
  /** The command that reads a reference or a message's id of this session, which is put behind it. */
  readonly recallBy?: string;
  /** The walk that undo would take back, of a session of ours. */
  readonly undoable?: number;
  /** What a reader should know: what was left out, what is broken. */
  readonly notes: readonly string[];
}

/** One statement of a summary, and the places of the transcript that prove it. */
export interface ProvenStatement {
  readonly section: string;
  readonly text: string;
  readonly by: 'model' | 'user';
  /** None: nothing there proves it. */
  readonly places: readonly { readonly at: number; readonly by: 'quote' | 'names' }[];
}

/** A summary with its provenance. */
export interface SummaryText {
  /** All that the view shows of it. */
  readonly text: string;
  readonly statements: readonly ProvenStatement[];
  /** Names and numbers in it that the transcript does not hold. */
  readonly flagged: readonly string[];
  /** Statements that it retired, and those that it had no room for. */
  readonly retired: readonly string[];
  readonly aged: readonly string[];
  /** Why no model wrote it, where one was asked. */
  readonly failure?: string;
}

/** A piece of a text, without secrets. */
export interface ReadText {
  readonly text: string;
  /** How long the whole is, in characters. */
  readonly chars: number;
}

/** A place where something was said, and the words there that answer a search. */
export interface Hit {
  readonly at: number;
  readonly line: string;
}

/** What a search found: the best first, else in the order of the transcript, each place once. */
export interface Found {
  readonly hits: readonly Hit[];
  /** `some`: no message holds all words; these hold most. */
  readonly match: 'all' | 'some';
  /** The place that the query is a name of, such as `#15`, `e34`, `m15`; it is the first hit. */
  readonly named?: number;
  /** There are more: the best were taken. */
  readonly isCut: boolean;
}

/** Everything that a page shows without a server. */
export interface Embedded {
  readonly inspection: Inspection;
  /** Texts by place in the transcript, as far as there was room. */
  readonly texts: Readonly<Record<string, string>>;
  /** Texts of messages that nobody said, by course and id. */
  readonly made: Readonly<Record<string, string>>;
  /** By course and number of the compaction. */
  readonly summaries: Readonly<Record<string, SummaryText>>;
  readonly audit?: AuditPage;
}

/** One compaction of an audit: what it kept of each kind of need, what presets would have kept, and examples of what was lost. */
export interface AuditedCompaction {
  /** The place among the compactions of the recording's own course. */
  readonly cliff: number;
  readonly at: number;
  readonly tokensBefore: number;
  readonly tokens: number;
  /** Its summary cannot be read: nothing can be said. */
  readonly unread?: Unread;
  /** Whose view, and for each of `kinds` how much of what was needed it held. */
  readonly kept: readonly {
    readonly by: string;
    readonly held: readonly (readonly [held: number, needed: number])[];
  }[];
  readonly lost: readonly { readonly kind: string; readonly texts: readonly string[]; readonly more: number }[];
  /** What had to be read or run again, and the tokens of the results. */
  readonly again: readonly { readonly what: string; readonly times: number; readonly tokens: number }[];
}

/** An audit as the page shows it. */
export interface AuditPage {
  readonly sentence: string;
  readonly because: readonly string[];
  readonly kinds: readonly string[];
  readonly compactions: readonly AuditedCompaction[];
  /** Calls at which the cache broke without a compaction, dearest first. */
  readonly breaks: readonly { readonly at: number; readonly why: string; readonly money?: number }[];
  readonly markdown: string;
}
