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
  /** Asks the person for yes or no; undefined where nobody can be asked. */
  readonly confirm?: (question: string, signal: AbortSignal) => Promise<boolean>;
  /** Lets the person change a text in an editor of their own; undefined where there is no terminal for it. */
  readonly edit?: (text: string) => Promise<string>;
  /** Hands a text to the terminal's clipboard; undefined where there is no terminal. */
  readonly copy?: (text: string) => void;
  /** Goes on with another session in this one's place, or with a new one where none is named; undefined where there is only this one. */
  readonly open?: (id?: string) => Promise<void>;
}

export interface Command {
  readonly name: string;
  readonly usage: string;
  readonly help: string;
  /** It changes the conversation: while the agent works it has to wait. */
  readonly waits?: boolean;
  run(argument: string, desk: CommandDesk): Promise<void> | void;
}
