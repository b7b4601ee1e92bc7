import type { CommandEvidence, Outcome } from '../evidence/evidence.ts';

/** A command is run again if it is the same but for its spacing. */
export const normalizeSpaces = (command: string): string => command.replace(/\s+/g, ' ').trim();

/** A longer one carries a document in it and is not typed again as it is. */
const longest = 2_000;

/** Adds commands up: one entry each, with how often it ran and how it went last. */
export function newCommandTally(previous: readonly CommandEvidence[]): {
  addRun(command: string, outcome: Outcome, exitCode: number | undefined, at: number): void;
  toEvidence(): readonly CommandEvidence[];
} {
  const commands = new Map(previous.map((one) => [normalizeSpaces(one.command), one]));
  return {
    addRun(command, outcome, exitCode, at) {
      const key = normalizeSpaces(command.slice(0, longest));
      const runs = (commands.get(key)?.runs ?? 0) + 1;
      commands.delete(key);
      const entry = { command: command.slice(0, longest), runs, outcome, at };
      commands.set(key, exitCode === undefined ? entry : { ...entry, exitCode });
    },
    toEvidence: () => [...commands.values()],
  };
}

const inspecting =
  /^(?:cat|sed|grep|rg|find|ls|head|tail|nl|wc|awk|echo|jq|curl|which|tree|du|stat|python3? -|node -e|git (?:show|log|grep|blame))\b/;
const checking =
  /^(?:git (?:status|diff|add|push|pull|fetch|branch|stash)|\S+ (?:run |x )?(?:test|build|lint|check|typecheck|fmt|vet|format)|make|pytest|tox|cargo|gradle|mvn|tsc|npx (?:tsc|vitest|jest|biome|eslint))\b/;

/** Builds, tests and looks at the working tree come again; a look at one place in one file seldom does. */
export function repeatWeight(command: string): number {
  const bare = command.replace(/^(?:cd \S+ *(?:&&|;) *)+/, '').replace(/^(?:[A-Z_]+=\S+ +)+/, '');
  if (command.includes('\n') || inspecting.test(bare)) return 0.35;
  return checking.test(bare) ? 2.5 : 1;
}

const fence = /```(?:bash|sh|shell|console|mswea_bash_command)?[ \t]*\n([\s\S]*?)\n?```/g;

/** The command of an agent that writes its commands as text: the one fenced block of a message without calls. */
export function readFencedCommand(text: string): string | undefined {
  if (!text.includes('```')) return undefined;
  const blocks = [...text.matchAll(fence)];
  const command = blocks.length === 1 ? blocks[0]![1]!.trim() : '';
  return command === '' ? undefined : command;
}
