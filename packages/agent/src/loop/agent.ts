import type {
  Carry,
  Clock,
  CompactionSettings,
  Layer,
  PresetName,
  Preview,
  Receipt,
  Session,
  Summarizer,
} from '@palimpsest/core';
import type { Store } from '@palimpsest/store';
import type { CacheBreak } from '@palimpsest/wire';
import type { AgentHooks } from '../hooks/agent-hooks.ts';
import type { SettingsHooks } from '../hooks/trust-gate.ts';
import type { Model } from '../models/model.ts';
import type { ServerReport, SettingsServers } from '../servers/server-settings.ts';
import type { CompactAsk } from '../tools/compact-ask.ts';
import type { Tool } from '../tools/tool.ts';
import type { Permission } from '../world/permission.ts';
import type { Listener, TurnOutcome } from './agent-event.ts';
import type { ContextUse } from './context-use.ts';

/** `root`, `model` and `store` are needed; most hosts also set `permission` and `on`. */
export interface AgentOptions {
  /** The folder to work in. */
  readonly root: string;
  /** What answers: `chooseModel()`, `offlineModel()`, or a `Model` of your own. */
  readonly model: Model;
  /** Where the session is kept: `fileStore()`, or `memoryStore()` to keep nothing. */
  readonly store: Store;
  /** A session that the store holds: it goes on. Without it a new one begins. */
  readonly resume?: string;
  /** How the conversation is kept within its window. Where nothing is said: as a resumed session was, else `default`. */
  readonly preset?: PresetName;
  /** Layers of your own, in place of a preset. They are not remembered with the session: state them when it is resumed. */
  readonly layers?: readonly Layer[];
  /** Heard before and after tools and compactions. */
  readonly hooks?: AgentHooks | readonly AgentHooks[];
  /** Commands of settings files that are heard likewise; those that need trust are asked for by `permission`. */
  readonly settingsHooks?: readonly SettingsHooks[];
  /** Tools of your own, behind the agent's; whether a call may be made is theirs to ask. Subagents have them too. */
  readonly tools?: readonly Tool[];
  /** MCP servers of settings files: started with the first turn, those that need trust are asked for by `permission`. */
  readonly settingsServers?: readonly SettingsServers[];
  /** Who writes summaries; the model itself by default, or code where it is no language model. */
  readonly summarizer?: Summarizer | Model;
  /** What else is to be told again after a summary, such as tools that come later, or what servers say of themselves. */
  readonly carry?: Carry;
  /** What a settings file says about compaction: the preset of new sessions, its layers, `auto`, `prune`, `reserved` … */
  readonly settings?: CompactionSettings;
  /** The id of a new session; by default made of the folder and the time. */
  readonly id?: string;
  /** Asked before commands and before writes outside the folder. Without it they are refused. */
  readonly permission?: Permission;
  /** `NAME/SKILL.md` each; `skills` in the folder by default. */
  readonly skillsDir?: string;
  /** For the PALIMPSEST_* switches, and for keys that must not reach a transcript. Empty by default. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The system's by default. */
  readonly clock?: Clock;
  /** Hears all that happens, the session's own events among it. */
  readonly on?: Listener;
  /** Set where the agent starts one for a task: it can start none of its own. */
  readonly subagent?: boolean;
}

/** Says yes or no to a compaction before it is made. */
export type Approve = (preview: Preview, signal: AbortSignal) => Promise<boolean>;

/** How a turn ended; what went wrong is here and not thrown. */
export interface TurnEnd {
  readonly outcome: TurnOutcome;
  readonly error?: unknown;
}

/** A coding agent at work in a folder, without a screen. Close it when done. */
export interface Agent {
  readonly id: string;
  readonly root: string;
  /** The conversation itself, for status, receipts, undo and recall. */
  readonly session: Session;
  /** Those of MCP servers come with the first turn. */
  readonly tools: readonly Tool[];
  /** The MCP servers that settings name, and how they stand. */
  servers(): readonly ServerReport[];
  /** Who is asked, and what was allowed for always. */
  readonly permission: Permission;
  model(): Model;
  /** Undefined where the host brought layers of its own. */
  preset(): PresetName | undefined;
  /** What views are led through, in order. */
  layers(): readonly Layer[];
  /**
   * Begins a turn. While one runs, the words wait and are delivered once: to a language model before its next step, else
   * when the turn is over.
   */
  say(words: string): Promise<TurnEnd>;
  /** What waits to be delivered. */
  queue(): readonly string[];
  isBusy(): boolean;
  /** Stops the step at hand, be it a model's, a tool's or a compaction. False where nothing ran. */
  interrupt(): boolean;
  /**
   * As the user's `/compact`, with instructions or a form; refused while the agent is at work. With `approve` it is shown
   * first what would go, and done as shown where the answer is yes; where the session has changed meanwhile it asks again.
   */
  compact(ask?: string | CompactAsk, approve?: Approve): Promise<Receipt | undefined>;
  /** Runs a command that the user typed, unasked; the model is told of it, or only the user is. Refused while the agent is at work. */
  runCommand(command: string, told: 'model' | 'user'): Promise<void>;
  /** Puts the user's words in the place of the summary's statements; resolves when they are on disk. Refused while the agent is at work. */
  editSummary(words: string): Promise<Receipt>;
  /** Calls whose cached prefix could not be used though no compaction had changed it, and why. */
  cacheBreaks(): readonly CacheBreak[];
  /** Goes on with another model; a smaller window compacts at once. Refused while the agent is at work. */
  switchModel(model: Model): Promise<void>;
  /**
   * Goes on with another preset, also when the session is resumed. What was compacted stays so, with its receipt, and can be
   * undone as before. Refused while the agent is at work.
   */
  switchPreset(preset: PresetName): Promise<void>;
  /** What `/context` shows. */
  contextUse(): ContextUse;
  /** The model's newest words. */
  lastWords(): string;
  /** Resolves when all is on disk and the session is free for others. */
  close(): Promise<void>;
}
