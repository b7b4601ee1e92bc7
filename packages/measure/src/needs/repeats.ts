import { type CallPart, estimatePart, type Message, toolKind, toolTargets } from '@palimpsest/core';
import { readCommands, readRuns } from '../words/read-commands.ts';

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

const listCalls = (messages: readonly Message[]): readonly CallPart[] =>
  messages.flatMap((message) => message.parts.filter((part): part is CallPart => part.type === 'call'));

const listFiles = (messages: readonly Message[], cleared: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(
    listCalls(messages).flatMap(({ callId, tool, input }) =>
      !cleared.has(callId) && FILE_WORK.has(toolKind(tool, input)) ? toolTargets(tool, input) : [],
    ),
  );

const listCommands = (messages: readonly Message[]): ReadonlySet<string> => new Set(messages.flatMap(readCommands));

/** What was run once. A command that an agent ran again while it could still see how it went (a test, a look at what is running) it polls. */
function listRunOnce(messages: readonly Message[]): ReadonlySet<string> {
  const times = new Map<string, number>();
  for (const command of messages.flatMap(readCommands)) times.set(command, (times.get(command) ?? 0) + 1);
  return new Set([...times].filter(([, count]) => count === 1).map(([command]) => command));
}

/** What went out of view with a compaction, and was then read or run again. Polling is not repetition. */
export function findRepeats(
  before: readonly Message[],
  left: readonly Message[],
  after: readonly Message[],
  cleared: readonly string[],
): Repeats {
  const [files, shownFiles] = [listFiles(before, new Set()), listFiles(left, new Set(cleared))];
  const [commands, shownCommands] = [listRunOnce(before), listCommands(left)];
  const sizes = sizeResults(after);
  const reads = newTally();
  const runs = newTally();
  const ranAfter = new Set<string>();
  for (const message of after) {
    for (const { callId, tool, input } of listCalls([message])) {
      if (toolKind(tool, input) !== 'read') continue;
      for (const path of toolTargets(tool, input))
        if (files.has(path) && !shownFiles.has(path)) reads.add(path, sizes.get(callId) ?? 0);
    }
    for (const { callId, command } of readRuns(message)) {
      const isAgain = commands.has(command) && !shownCommands.has(command) && !ranAfter.has(command);
      if (isAgain) runs.add(command, sizes.get(callId) ?? 0);
      ranAfter.add(command);
    }
  }
  return { reads: reads.list(), commands: runs.list() };
}

function sizeResults(messages: readonly Message[]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const message of messages)
    for (const part of message.parts) if (part.type === 'result') sizes.set(part.callId, estimatePart(part));
  return sizes;
}

function newTally() {
  const found = new Map<string, { times: number; tokens: number }>();
  return {
    add(what: string, tokens: number): void {
      const before = found.get(what) ?? { times: 0, tokens: 0 };
      found.set(what, { times: before.times + 1, tokens: before.tokens + tokens });
    },
    /** Dearest first. */
    list: (): readonly Repeat[] =>
      [...found].map(([what, counted]) => ({ what, ...counted })).sort((one, other) => other.tokens - one.tokens),
  };
}
