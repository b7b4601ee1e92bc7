import type { Json, MessageId, SessionEvent, Usage } from '@palimpsest/core';
import type { HookMoment } from '../hooks/agent-hooks.ts';
import type { Stop } from '../models/model.ts';
import type { ServerEvent } from '../servers/server-settings.ts';

/** What those who watch are told. Noun and verb, past tense; each is one line of `--json`. */
export type AgentEvent =
  | SessionEvent
  | ServerEvent
  | {
      readonly type: 'session-opened';
      readonly id: string;
      readonly resumed: boolean;
      /** Messages that the transcript held when it was opened. */
      readonly messages: number;
      readonly model: string;
      readonly window: number;
      /** Missing where the host brought layers of its own. */
      readonly preset?: string;
    }
  | { readonly type: 'session-mended'; readonly what: string }
  | { readonly type: 'input-queued'; readonly text: string }
  | { readonly type: 'input-delivered'; readonly text: string; readonly message: MessageId }
  | { readonly type: 'text-added'; readonly text: string }
  | { readonly type: 'reasoning-added'; readonly text: string }
  | { readonly type: 'wait-started'; readonly why: string; readonly waitMs: number }
  | { readonly type: 'answer-ended'; readonly text: string; readonly stop: Stop; readonly usage: Usage }
  | { readonly type: 'call-started'; readonly callId: string; readonly tool: string; readonly input: Json }
  /** Lines that a command has printed so far, as they come; all of them stand in the result too. */
  | { readonly type: 'output-added'; readonly callId: string; readonly text: string }
  | {
      readonly type: 'call-ended';
      readonly callId: string;
      readonly tool: string;
      readonly input: Json;
      readonly text: string;
      readonly isError: boolean;
    }
  /** A hook of the agent's failed or was late; it counts as if it had said nothing. */
  | { readonly type: 'hook-failed'; readonly moment: HookMoment; readonly why: string }
  /** Commands that a settings file wants run by themselves are not run. */
  | { readonly type: 'hooks-refused'; readonly source: string; readonly why: string }
  /** A summary is being written; so many characters so far. */
  | { readonly type: 'summary-progressed'; readonly chars: number }
  /** The files of the folder, such as AGENTS.md, that the conversation begins with. */
  | { readonly type: 'instructions-read'; readonly files: readonly string[] }
  /** What a subagent told. */
  | { readonly type: 'task-reported'; readonly task: string; readonly event: AgentEvent }
  /** What a slash command printed, where it was given in place of a request. */
  | { readonly type: 'command-answered'; readonly command: string; readonly lines: readonly string[] }
  | { readonly type: 'turn-ended'; readonly outcome: TurnOutcome; readonly problem?: string };

/** `compacted`: the model asked for a compaction, which ends its turn. */
export type TurnOutcome = 'done' | 'compacted' | 'interrupted' | 'failed';

/** Called as things happen; it should not throw. */
export type Listener = (event: AgentEvent) => void;
