import {
  assistant,
  call,
  type Json,
  type MediaPart,
  type NewMessage,
  type Part,
  reasoning,
  result,
  results,
  text,
  user,
} from '@palimpsest/core';

/** What happens in a session besides what is said: a host does these when it comes to them. */
export type Beat =
  | { readonly type: 'said'; readonly message: NewMessage }
  /** The user pins the message before. */
  | { readonly type: 'pinned' }
  /** The user types /compact. */
  | { readonly type: 'compact-asked' }
  /** The provider refuses the next request as too long. */
  | { readonly type: 'request-refused' };

/** A tool call and what comes of it, given the project's files. */
export interface Action {
  readonly tool: string;
  readonly input: Json;
  run(files: Map<string, string>): string | readonly (MediaPart | { type: 'text'; text: string })[] | Failure;
}

interface Failure {
  readonly failed: string;
}

const isFailure = (outcome: ReturnType<Action['run']>): outcome is Failure =>
  typeof outcome === 'object' && 'failed' in outcome;

export interface Tale {
  readonly beats: readonly Beat[];
  human(words: string, ...pictures: readonly MediaPart[]): void;
  /** One model call: perhaps a thought, perhaps words, and actions side by side, whose results come back together. */
  round(told: { readonly thought?: string; readonly words?: string }, ...actions: readonly Action[]): void;
  say(words: string): void;
  pause(minutes: number): void;
  happens(type: Exclude<Beat['type'], 'said'>): void;
}

/** Writes a session down as it goes: the files change under the actions, the clock runs, calls are numbered. */
export function newTale(startsAt: number, files: Map<string, string>): Tale {
  const beats: Beat[] = [];
  let clock = startsAt;
  let calls = 0;

  const record = (message: NewMessage, seconds: number): void => {
    clock += seconds * 1_000;
    beats.push({ type: 'said', message: { ...message, at: clock } });
  };
  /** Opaque as a provider's would be, and different for each thought. */
  const signThought = (thought: string): Part =>
    reasoning(
      thought,
      Buffer.from(`thought ${beats.length} of ${thought.length} characters`.repeat(3)).toString('base64'),
    );

  return {
    beats,
    human: (words, ...pictures) => record(user([text(words), ...pictures]), 40),
    round({ thought, words }, ...actions) {
      const made = actions.map(({ tool, input }) => call(`call_${++calls}`, tool, input));
      const before = [
        ...(thought === undefined ? [] : [signThought(thought)]),
        ...(words === undefined ? [] : [text(words)]),
      ];
      record(assistant([...before, ...made]), 6);
      const answers = actions.map((action, i) => {
        const outcome = action.run(files);
        return isFailure(outcome) ? result(made[i]!.callId, outcome.failed, true) : result(made[i]!.callId, outcome);
      });
      record(results(answers), 3);
    },
    say: (words) => record(assistant(words), 8),
    pause(minutes) {
      clock += minutes * 60_000;
    },
    happens: (type) => void beats.push({ type }),
  };
}
