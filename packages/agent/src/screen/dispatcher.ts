import { explain } from '../agent-error.ts';
import { type CommandDesk, commandIn } from '../commands/index.ts';
import { problemLines } from '../printing/event-lines.ts';

/** Takes lines that were typed where they belong: to the agent, to a command, or in line until the agent is idle. */
export interface Dispatcher {
  enter(line: string): void;
  /** Commands that wait. */
  waiting(): readonly string[];
}

interface DispatcherParts {
  readonly desk: () => CommandDesk;
  readonly changed: () => void;
  readonly leave: () => void;
}

export function dispatcher({ desk, changed, leave }: DispatcherParts): Dispatcher {
  const waiting: string[] = [];
  let isDraining = false;

  async function run(line: string): Promise<void> {
    const asked = commandIn(line);
    const { agent, paint, print, columns } = desk();
    if (asked === undefined) {
      void agent.say(line).finally(drain);
      return;
    }
    if ('unknown' in asked) {
      if (['exit', 'quit'].includes(asked.unknown)) leave();
      else
        print(['', paint.bold(`> ${line}`), paint.yellow(`There is no command /${asked.unknown}; /help lists them.`)]);
      return;
    }
    if (asked.command.waits === true && agent.isBusy()) {
      waiting.push(line);
      return;
    }
    print(['', paint.bold(`> ${line}`)]);
    try {
      await asked.command.run(asked.argument, desk());
    } catch (error) {
      print(problemLines(explain(error), paint, columns));
    }
  }

  async function drain(): Promise<void> {
    if (isDraining) return;
    isDraining = true;
    while (waiting.length > 0 && !desk().agent.isBusy()) await run(waiting.shift()!);
    isDraining = false;
    changed();
  }

  return {
    enter: (line) => void run(line).then(drain),
    waiting: () => waiting,
  };
}
