import type { Clock, Receipt, Session } from '@palimpsest/core';
import type { Store } from '@palimpsest/store';
import type { Listener, TurnOutcome } from './agent-event.ts';
import type { ContextUse } from './context-use.ts';
import type { Model } from './models/model.ts';
import type { Permission } from './permission.ts';
import type { Tool } from './tools/tool.ts';

export interface AgentOptions {
  /** The folder to work in. */
  readonly root: string;
  readonly model: Model;
  readonly store: Store;
  /** A session that the store holds: it goes on. Without it a new one begins. */
  readonly resume?: string;
  /** The id of a new session. */
  readonly id?: string;
  /** Without it, what must be asked for is refused. */
  readonly permission?: Permission;
  /** `NAME/SKILL.md` each; `skills` in the folder by default. */
  readonly skillsDir?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
  readonly on?: Listener;
  readonly subagent?: boolean;
}

export interface TurnEnd {
  readonly outcome: TurnOutcome;
  readonly error?: unknown;
}

export interface Agent {
  readonly id: string;
  readonly root: string;
  readonly session: Session;
  readonly tools: readonly Tool[];
  model(): Model;
  /**
   * Begins a turn. While one runs, the words wait and are delivered once: to a language model before its next step, else
   * when the turn is over.
   */
  say(words: string): Promise<TurnEnd>;
  /** What waits to be delivered. */
  waiting(): readonly string[];
  isBusy(): boolean;
  /** Stops the step at hand, be it a model's, a tool's or a compaction. False where nothing ran. */
  interrupt(): boolean;
  compact(instructions?: string): Promise<Receipt | undefined>;
  switchModel(model: Model): Promise<void>;
  contextUse(): ContextUse;
  /** The model's newest words. */
  lastWords(): string;
  /** Resolves when all is on disk and the session is free for others. */
  close(): Promise<void>;
}
