import type { Store } from '@palimpsest/store';
import type { Paint } from '@palimpsest/terminal';
import type { Agent } from '../loop/agent.ts';

/** What a command may use. */
export interface CommandDesk {
  readonly agent: Agent;
  readonly store: Store;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly paint: Paint;
  readonly columns: number;
  print(lines: readonly string[]): void;
  /** Goes on with another session in this one's place; undefined where there is only this one. */
  readonly open?: (id: string) => Promise<void>;
}

export interface Command {
  readonly name: string;
  readonly usage: string;
  readonly help: string;
  /** It changes the conversation: while the agent works it has to wait. */
  readonly waits?: boolean;
  run(argument: string, desk: CommandDesk): Promise<void> | void;
}
