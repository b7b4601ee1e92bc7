import type { CallPart, MessageId } from '../../message/message.ts';
import type { IdentifierKind } from './scan-identifiers.ts';

/** Evidence: what code can read off a span of messages. Plain JSON. */

/** What somebody said, and where. */
export interface Words {
  readonly text: string;
  readonly message: MessageId;
  /** The ordinal of the message, counted from the first span on; so wherever it says `at`. */
  readonly at: number;
}

/** A call that the user did not allow. */
export interface Refusal {
  readonly tool: string;
  readonly what: string;
  readonly at: number;
}

/** `dropped`: taken off the list without being done. */
export type TodoStatus = 'doing' | 'open' | 'done' | 'dropped';

/** An item of the newest list of tasks. */
export interface Todo {
  readonly text: string;
  /** Where the host names tasks one by one. */
  readonly id?: string;
  readonly status: TodoStatus;
}

/** What a call did to a file. */
export type FileAct = 'read' | 'edited' | 'created' | 'deleted';

/** What was done with one file, all calls together. */
export interface FileEvidence {
  readonly path: string;
  readonly reads: number;
  readonly edits: number;
  /** The state it was left in: what was last done to it, reading aside. */
  readonly state: FileAct;
  /** The lines last read, where the reads were partial. */
  readonly lines?: readonly (readonly [from: number, to: number])[];
  readonly at: number;
}

/** `pending`: no result yet. */
export type Outcome = 'ok' | 'failed' | 'pending';

/** A shell command, all its runs together; outcome and exit code are of the last one. */
export interface CommandEvidence {
  readonly command: string;
  readonly runs: number;
  readonly outcome: Outcome;
  readonly exitCode?: number;
  readonly at: number;
}

/** An error that a tool or a command showed. */
export interface ErrorEvidence {
  /** The exact line. */
  readonly text: string;
  /** The command or the tool that showed it. */
  readonly source: string;
  /** The same command went well later. */
  readonly gone: boolean;
  readonly at: number;
}

/** How often and where an identifier stood. Positions are characters from the first span on. */
export interface IdentifierEvidence {
  readonly identifier: string;
  readonly kind: IdentifierKind;
  readonly inWords: number;
  readonly inCalls: number;
  readonly inWritten: number;
  readonly inSaid: number;
  readonly inResults: number;
  readonly inErrors: number;
  readonly first: number;
  readonly last: number;
  /** Where the user or the model last used it themselves; -1 when only results show it. */
  readonly used: number;
}

/** `said`: by the model. `called`: in the input of a call. `shown`: in a result. */
export type StatementSource = 'said' | 'called' | 'shown';

/** A line or a sentence of the transcript, as it stood. */
export interface StatementEvidence {
  readonly text: string;
  readonly source: StatementSource;
  /** The file or the command that it stood in; empty in prose. */
  readonly about: string;
  readonly at: number;
}

/** All that code read off a span: what the sections of a digest are written from. */
export interface Evidence {
  readonly messages: number;
  readonly chars: number;
  readonly refusals: readonly Refusal[];
  readonly todos: readonly Todo[];
  /** The newest plan the model wrote as a text. */
  readonly plan?: string;
  readonly files: readonly FileEvidence[];
  readonly commands: readonly CommandEvidence[];
  readonly errors: readonly ErrorEvidence[];
  /** What the model concluded: the last words of its turns, and sentences that decide something. */
  readonly conclusions: readonly Words[];
  /** The model's newest words in the turn that is going on, and the newest call. */
  readonly lastSaid?: Words;
  readonly lastCall?: { readonly tool: string; readonly what: string; readonly outcome: Outcome };
  /** Calls that nothing has answered yet, as they were made: the one place where secrets may still stand. */
  readonly open: readonly CallPart[];
  /** Lines and sentences that name something, each once, in the order in which they last stood. Absent in evidence of an older version. */
  readonly statements?: readonly StatementEvidence[];
  /** In the order in which they first stood. */
  readonly identifiers: readonly IdentifierEvidence[];
}

/** What is known before anything was read. */
export const noEvidence: Evidence = {
  messages: 0,
  chars: 0,
  refusals: [],
  todos: [],
  files: [],
  commands: [],
  errors: [],
  conclusions: [],
  open: [],
  identifiers: [],
};
