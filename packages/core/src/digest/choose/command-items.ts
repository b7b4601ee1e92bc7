import { readCommandLine } from '../evidence/command-line.ts';
import type { CommandEvidence, Evidence } from '../evidence/evidence.ts';
import { shorten } from '../evidence/shorten.ts';
import { freshness, type Item, toOneLine } from './item.ts';

/** Longer ones are shown by their head. */
const longestCommand = 240;

/** Commands by how likely they are run again, under how they went. */
export function commandItems(evidence: Evidence): readonly Item[] {
  const scoreCommand = ({ command, runs, at }: CommandEvidence): number =>
    ((1 + 2.5 * Math.log2(runs) + freshness(at, evidence)) * repeatWeight(command)) / (20 + command.length);
  const running = evidence.open.flatMap((part) => (part.callId === '' ? [] : (readCommandLine(part) ?? [])));
  const run = evidence.commands.filter(({ command }) => !running.includes(command));
  const going = running.map((command) => ({ command, runs: 1, outcome: 'pending', at: evidence.messages }) as const);
  return [...run, ...going]
    .sort((a, b) => scoreCommand(b) - scoreCommand(a))
    .map((one) => {
      const state =
        one.outcome !== 'failed' ? one.outcome : one.exitCode === undefined ? 'failed' : `exit ${one.exitCode}`;
      const times = one.runs > 1 ? ` (×${one.runs})` : '';
      const line = toOneLine(one.command);
      return { text: `$ ${line.length <= longestCommand ? line : shorten(line, 120)}${times}`, group: state };
    });
}

const inspecting =
  /^(?:cat|sed|grep|rg|find|ls|head|tail|nl|wc|awk|echo|jq|curl|which|tree|du|stat|python3? -|node -e|git (?:show|log|grep|blame))\b/;
const checking =
  /^(?:git (?:status|diff|add|push|pull|fetch|branch|stash)|\S+ (?:run |x )?(?:test|build|lint|check|typecheck|fmt|vet|format)|make|pytest|tox|cargo|gradle|mvn|tsc|npx (?:tsc|vitest|jest|biome|eslint))\b/;

/** Builds, tests and looks at the working tree come again; a look at one place in one file seldom does. */
function repeatWeight(command: string): number {
  const bare = command.replace(/^(?:cd \S+ *(?:&&|;) *)+/, '').replace(/^(?:[A-Z_]+=\S+ +)+/, '');
  if (command.includes('\n') || inspecting.test(bare)) return 0.35;
  return checking.test(bare) ? 2.5 : 1;
}
