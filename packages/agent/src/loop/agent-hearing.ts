import type { Clock } from '@palimpsest/core';
import type { AgentHooks } from '../hooks/agent-hooks.ts';
import { newCommandHooks } from '../hooks/command-hooks.ts';
import { type HookEar, newHookEar } from '../hooks/hear-hooks.ts';
import { askForHooks, newTrustGate, type SettingsHooks } from '../hooks/trust-gate.ts';
import type { Permission } from '../world/permission.ts';
import type { AgentOptions } from './agent.ts';
import type { Listener } from './agent-event.ts';

/** All that is heard on the way, and what must be asked first. */
export interface AgentHearing {
  readonly ear: HookEar;
  /** The same, for a subagent: it asks nothing anew. */
  readonly hooks: readonly AgentHooks[];
  /** Asks for trust where a folder's commands need it. */
  readonly prepare: (signal: AbortSignal) => Promise<void>;
}

interface HearingParts extends Pick<AgentOptions, 'root' | 'hooks' | 'settingsHooks'> {
  readonly id: string;
  readonly permission: Permission;
  readonly clock: Clock;
  readonly emit: Listener;
}

/** The host's own code is heard first, then the commands of settings files, in their order. */
export function newAgentHearing(parts: HearingParts): AgentHearing {
  const { id, root, hooks: own, settingsHooks = [], permission, clock, emit } = parts;
  const scene = { session: id, folder: root };
  const gateOf = (asked: SettingsHooks) =>
    newTrustGate({
      trust: asked.trust,
      permission,
      ask: askForHooks(asked),
      refused: (why) => emit({ type: 'hooks-refused', source: asked.source, why }),
    });
  const gated = settingsHooks.map((one) => ({ hooks: one, gate: gateOf(one) }));
  const hooks = [
    ...(own === undefined ? [] : [own].flat()),
    ...gated.map(({ hooks: { commands }, gate }) => newCommandHooks(commands, scene, gate.mayRun)),
  ];
  return {
    ear: newHookEar({ hooks, clock, emit }),
    hooks,
    async prepare(signal) {
      for (const { gate } of gated) await gate.settle(signal);
    },
  };
}
