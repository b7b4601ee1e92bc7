import type { Trust } from '../hooks/trust-gate.ts';

/** A server as the settings write it: a program that speaks MCP over its input and output. */
export interface ServerCommand {
  readonly command: string;
  readonly args?: readonly string[];
  /** Besides the few variables that every server gets. `${NAME}` stands for a variable of the agent's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** How long one call may take: 120 by default, 600 at most. No start takes longer than 30 either way. */
  readonly timeoutSeconds?: number;
}

/** The servers of one settings file, by name, and whether they may be started. */
export interface SettingsServers {
  readonly servers: Readonly<Record<string, ServerCommand>>;
  /** The file that they stand in, as people write it. */
  readonly source: string;
  /** Missing where they are the user's own: those are always started. */
  readonly trust?: Trust;
}

/** How a server stands. */
export type ServerState =
  /** Until the first thing is said. */
  | { readonly type: 'waiting' }
  | { readonly type: 'ready'; readonly tools: number }
  /** It could not be started, or has ended; the next call of one of its tools starts it again. */
  | { readonly type: 'gone'; readonly why: string }
  | { readonly type: 'refused'; readonly why: string };

/** A server as a reader is told of it. */
export interface ServerReport {
  readonly name: string;
  readonly source: string;
  /** With its arguments, as one line. */
  readonly command: string;
  readonly state: ServerState;
  /** The names of its tools, as the model calls them. */
  readonly tools: readonly string[];
}

/** What whoever watches is told of servers. */
export type ServerEvent =
  | { readonly type: 'server-ready'; readonly server: string; readonly tools: number; readonly note?: string }
  | { readonly type: 'server-failed'; readonly server: string; readonly why: string }
  /** Servers that a folder's settings name are not started. */
  | { readonly type: 'servers-refused'; readonly source: string; readonly why: string };

export const commandLine = ({ command, args = [] }: ServerCommand): string => [command, ...args].join(' ');
