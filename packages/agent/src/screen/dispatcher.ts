import { oneLine } from '@palimpsest/terminal';
import { explain } from '../agent-error.ts';
import { type CommandDesk, typedCommandIn } from '../commands/index.ts';
import { problemLines } from '../printing/event-lines.ts';

/** Takes lines that were typed where they belong: to the agent, to a command, or in line until the agent is idle. */
export interface Dispatcher {
  enter(line: string): void;
  /** Commands that wait. */
  queue(): readonly string[];
}

interface DispatcherParts {
  readonly desk: () => CommandDesk;
  readonly onChange: () => void;
  readonly leave: () => void;
}

export function newDispatcher({ desk, onChange, leave }: DispatcherParts): Dispatcher {
  const queue: string[] = [];
  let isDraining = false;

  async function run(line: string): Promise<void> {
    const asked = typedCommandIn(line);
    const { agent, paint, print, columns } = desk();
    if (asked === undefined) {
      void agent.say(line).finally(drain);
      return;
    }
    if ('unknown' in asked) {
      if (['exit', 'quit'].includes(asked.unknown)) leave();
      else
        print([
          '',
          paint.bold(`> ${oneLine(line)}`),
          paint.yellow(`There is no command /${asked.unknown}; /help lists them.`),
        ]);
      return;
    }
    if (asked.command.waits === true && agent.isBusy()) {
      queue.push(line);
      return;
    }
    print(['', paint.bold(`> ${oneLine(line)}`)]);
    try {
      await asked.command.run(asked.argument, desk());
    } catch (error) {
      print(problemLines(explain(error), paint, columns));
    }
  }

  const next = (): string | undefined => (desk().agent.isBusy() ? undefined : queue.shift());

  async function drain(): Promise<void> {
    if (isDraining) return;
    isDraining = true;
    for (let line = next(); line !== undefined; line = next()) await run(line);
    isDraining = false;
    onChange();
  }

  return {
    enter: (line) => void run(line).then(drain),
    queue: () => queue,
  };
}
