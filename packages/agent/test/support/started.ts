import { callsOf, resultsOf } from '@palimpsest/core';
import { memoryStore } from '@palimpsest/store';
import type { Agent, AgentOptions } from '../../src/loop/agent.ts';
import type { AgentEvent } from '../../src/loop/agent-event.ts';
import { createAgent } from '../../src/loop/create-agent.ts';
import { newFolder } from './launch.ts';

export interface Started {
  readonly agent: Agent;
  /** What it told, as it tells it. */
  readonly events: readonly AgentEvent[];
  readonly root: string;
}

/** An agent in a folder of its own, in memory unless a store is given. */
export async function started(
  options: Omit<Partial<AgentOptions>, 'model' | 'on'> & Pick<AgentOptions, 'model'>,
): Promise<Started> {
  const events: AgentEvent[] = [];
  const root = options.root ?? newFolder();
  const agent = await createAgent({ store: memoryStore(), ...options, root, on: (event) => events.push(event) });
  return { agent, events, root };
}

/** Words enough to fill a window with. */
export const page = (name: string, lines: number): string =>
  Array.from({ length: lines }, (_, i) => `${name} line ${i} of the ledger of the mill`).join('\n');

/** Calls of the transcript that have no result. */
export function openCalls({ session }: Agent): number {
  const transcript = session.transcript();
  return transcript.flatMap(callsOf).length - transcript.flatMap(resultsOf).length;
}
