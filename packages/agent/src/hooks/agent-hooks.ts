import type { Hooks, Json } from '@palimpsest/core';

/** A call that a hook hears of. */
export interface HookedCall {
  readonly tool: string;
  readonly input: Json;
  /** Aborted when nobody waits for the hook any more. */
  readonly signal: AbortSignal;
}

/** A call that is over, and what the model will be told of it. */
export interface EndedCall extends HookedCall {
  readonly text: string;
  readonly isError: boolean;
}

/** What a hook may say before a tool runs; saying nothing lets it run. */
export interface BeforeToolAnswer {
  /** A reason why it must not run, which the model is told in place of a result. */
  readonly block?: string;
  /** Told to the model behind the result; 10,000 characters at most. */
  readonly context?: string;
  /** Shown to the user. */
  readonly message?: string;
}

/** What a hook may say once a tool has run. */
export type AfterToolAnswer = Omit<BeforeToolAnswer, 'block'>;

type Answer<Said> = Promise<Said | undefined> | Said | undefined;

/**
 * What a host may say on the way. Each is waited for, 65 s at most, before and after a compaction 10 s; one that fails or is late is as if it said nothing, and
 * a `hook-failed` event tells.
 */
export interface AgentHooks {
  beforeTool?(call: HookedCall): Answer<BeforeToolAnswer>;
  afterTool?(call: EndedCall): Answer<AfterToolAnswer>;
  /** Before and after history is summarized: instructions, a veto, another prompt, context. */
  readonly compaction?: Hooks;
}

/** When a command of the settings is run. */
export type HookMoment = 'beforeTool' | 'afterTool' | 'beforeCompaction' | 'afterCompaction';
