import type { Json, Overhead } from '@palimpsest/core';
import type { Model } from '../models/model.ts';
import type { ServerReport } from '../servers/server-settings.ts';
import { newServers } from '../servers/servers.ts';
import { definitionOf, type Tool } from '../tools/tool.ts';
import type { Permission } from '../world/permission.ts';
import type { AgentOptions } from './agent.ts';
import type { Listener } from './agent-event.ts';
import { type Prompt, roomBeside } from './model-seat.ts';

/** The MCP servers of an agent, and what they bring into its prompt. */
export interface ServerSeat {
  /** Before the first view: asks, starts, and adds their tools; they stay as they are then, since the cached prefix does. */
  settle(signal: AbortSignal): Promise<void>;
  /** What is sent besides the messages, once after it has changed. */
  takeBesides(): Overhead;
  reports(): readonly ServerReport[];
  end(): Promise<void>;
}

interface SeatParts extends Pick<AgentOptions, 'root' | 'settingsServers'> {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly permission: Permission;
  readonly emit: Listener;
  readonly model: () => Model;
  readonly prompt: { -readonly [Key in keyof Prompt]: Prompt[Key] };
  readonly tools: Tool[];
}

export function newServerSeat(parts: SeatParts): ServerSeat {
  const { settingsServers = [], prompt, tools, model } = parts;
  const servers = newServers({ ...parts, settings: settingsServers, room: () => roomBeside(model(), prompt) });
  let hasChanged = false;
  return {
    async settle(signal) {
      const brought = await servers.settle(signal);
      if (brought === undefined) return;
      tools.push(...brought.tools);
      prompt.tools = tools.map(definitionOf);
      if (brought.instructions !== '') prompt.system = `${prompt.system}\n\n${brought.instructions}`;
      hasChanged = true;
    },
    takeBesides() {
      if (!hasChanged) return {};
      hasChanged = false;
      return besidesOf(prompt);
    },
    reports: servers.reports,
    end: servers.end,
  };
}

/** The prompt as core takes it: definitions are JSON to it. */
export const besidesOf = ({ system, tools }: Prompt): { readonly system: string; readonly tools: Json } => ({
  system,
  tools: tools as unknown as Json,
});
