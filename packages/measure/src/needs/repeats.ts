import { type CallPart, estimatePart, type Message, toolKind, toolTargets } from '@palimpsest/core';
import { commandsOf, runsOf } from '../words/read-commands.ts';

export interface Repeat {
  /** A file, or a command. */
  readonly what: string;
  readonly times: number;
  /** What the results came to. */
  readonly tokens: number;
}

export interface Repeats {
  readonly reads: readonly Repeat[];
  readonly commands: readonly Repeat[];
}

const FILE_WORK: ReadonlySet<string> = new Set(['read', 'edit', 'write']);

const callsIn = (messages: readonly Message[]): readonly CallPart[] =>
  messages.flatMap((message) => message.parts.filter((part): part is CallPart => part.type === 'call'));

const filesIn = (messages: readonly Message[], cleared: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(
    callsIn(messages).flatMap(({ callId, tool, input }) =>
      !cleared.has(callId) && FILE_WORK.has(toolKind(tool, input)) ? toolTargets(tool, input) : [],
    ),
  );

const commandsIn = (messages: readonly Message[]): ReadonlySet<string> => new Set(messages.flatMap(commandsOf));

/** What went out of view with a compaction, and was then read or run again. */
export function repeatsAfter(
  before: readonly Message[],
  left: readonly Message[],
  after: readonly Message[],
  cleared: readonly string[],
): Repeats {
  const blank = new Set(cleared);
  const [files, shownFiles] = [filesIn(before, new Set()), filesIn(left, blank)];
  const [commands, shownCommands] = [commandsIn(before), commandsIn(left)];
  const sizes = resultSizes(after);
  const reads = newTally();
  const runs = newTally();
  for (const message of after) {
    for (const { callId, tool, input } of callsIn([message])) {
      if (toolKind(tool, input) !== 'read') continue;
      for (const path of toolTargets(tool, input))
        if (files.has(path) && !shownFiles.has(path)) reads.add(path, sizes.get(callId) ?? 0);
    }
    for (const { callId, command } of runsOf(message))
      if (commands.has(command) && !shownCommands.has(command)) runs.add(command, sizes.get(callId) ?? 0);
  }
  return { reads: reads.all(), commands: runs.all() };
}

function resultSizes(messages: readonly Message[]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const message of messages)
    for (const part of message.parts) if (part.type === 'result') sizes.set(part.callId, estimatePart(part));
  return sizes;
}

function newTally() {
  const found = new Map<string, { times: number; tokens: number }>();
  return {
    add(what: string, tokens: number): void {
      const so = found.get(what) ?? { times: 0, tokens: 0 };
      found.set(what, { times: so.times + 1, tokens: so.tokens + tokens });
    },
    /** Dearest first. */
    all: (): readonly Repeat[] =>
      [...found].map(([what, so]) => ({ what, ...so })).sort((one, other) => other.tokens - one.tokens),
  };
}
