import type { Message, MessageId, Usage } from '@palimpsest/core';

/** The agents whose recordings are read; the two Gemini ones are its command line and bare `contents` of the API. */
export type FormatName =
  | 'claude-code'
  | 'codex'
  | 'opencode'
  | 'pi'
  | 'gemini-chat'
  | 'gemini-contents'
  | 'cline'
  | 'copilot'
  | 'swe-agent'
  | 'mini-swe-agent'
  | 'openhands';

/** What a provider reported for one response. `input` never counts what the cache served. */
export interface RecordedUsage {
  /** Index of the response in `messages`. */
  readonly after: number;
  readonly usage: Usage;
  /** The model's context window, where the recording states it. */
  readonly window?: number;
  /** The model that answered, where it is not the recording's `model`. */
  readonly model?: string;
  /** The request's id: copied, forked and resumed sessions hold the same requests again. */
  readonly request?: string;
}

/** One change that the recording agent made to what its model saw. Plain data. */
export interface RecordedCompaction {
  /** `summary`: history gave way to a text. `clear`: results were blanked. `snapshot`: a whole new history was put in. */
  readonly type: 'summary' | 'clear' | 'snapshot';
  /** How many of `messages` had been said. */
  readonly at: number;
  /** Milliseconds since 1970, when known. */
  readonly when?: number;
  /** As the recording words it; usually `auto` or `manual`. */
  readonly trigger?: string;
  readonly tokensBefore?: number;
  readonly tokensAfter?: number;
  readonly summary?: string;
  readonly summaryId?: MessageId;
  /** A summary was made, and the file does not say what it holds: its provider encrypted it, or it is not in the file. */
  readonly unread?: 'encrypted' | 'unrecorded';
  /** What the model saw right after it, in order. */
  readonly visible: readonly MessageId[];
  /** Of those, the ones that `messages` does not hold, or holds in another form (a blanked result keeps its id). */
  readonly inserted: readonly Message[];
  /** Messages that were visible right before it and are no more. */
  readonly hidden: readonly MessageId[];
  /** Calls whose results it blanked. */
  readonly cleared: readonly string[];
  /** What the summary call itself cost. */
  readonly usage?: Usage;
}

/** A session as data: what the writers take. Every `Recording` is one. */
export interface SessionRecord {
  readonly id?: string;
  readonly cwd?: string;
  readonly model?: string;
  /** Of the agent that recorded it. */
  readonly version?: string;
  /** The system prompt, where the recording holds it. */
  readonly system?: string;
  /** All that was said, in order, complete; summaries are not part of it. Ids are unique. */
  readonly messages: readonly Message[];
  readonly usage: readonly RecordedUsage[];
  readonly compactions: readonly RecordedCompaction[];
}

/** What the file holds besides the conversation: a subagent's own one, or a course that the user took back. */
export interface Branch {
  readonly type: 'sidechain' | 'abandoned';
  readonly messages: readonly Message[];
}

/** A recorded session as it was read: all that was said, and what the model saw of it at any time. */
export interface Recording extends SessionRecord {
  readonly format: FormatName;
  readonly branches: readonly Branch[];
  /** What a reader of the recording should know: what was left out, what is broken in it. */
  readonly notes: readonly string[];
  /** What the model saw when the first `count` messages had been said, after all compactions up to there. */
  viewAt(count: number): readonly Message[];
  /** What the model saw right before the `index`-th compaction. */
  viewBefore(index: number): readonly Message[];
  /** What the model saw right after the `index`-th compaction. */
  viewAfter(index: number): readonly Message[];
}

/** The view that a compaction left, from data alone. */
export function viewOf(compaction: RecordedCompaction, messages: readonly Message[]): readonly Message[] {
  const known = new Map<MessageId, Message>();
  for (const message of messages) known.set(message.id, message);
  for (const message of compaction.inserted) known.set(message.id, message);
  return compaction.visible.flatMap((id) => known.get(id) ?? []);
}
