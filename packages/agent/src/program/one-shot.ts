import { text as textOfStream } from 'node:stream/consumers';
import { paintFor, toScreenText } from '@palimpsest/terminal';
import { AgentError, EXIT, exitCodeOf, explain, lostOutput } from '../agent-error.ts';
import { commandIn } from '../commands/index.ts';
import type { Agent, AgentOptions } from '../loop/agent.ts';
import type { AgentEvent } from '../loop/agent-event.ts';
import { createAgent } from '../loop/create-agent.ts';
import { eventLines } from '../printing/event-lines.ts';
import { outputTo, type World } from '../world/world.ts';

interface OneShot {
  readonly prompts: readonly string[];
  readonly json: boolean;
}

/** Answers and ends. The answers go to stdout, what happens on the way to stderr; with `json` every event to stdout. */
export async function runOneShot({ prompts, json }: OneShot, options: AgentOptions, world: World): Promise<number> {
  let exitCode: number = EXIT.done;
  let interrupt = (): void => {};
  const stop = (code: number): void => {
    exitCode ||= code;
    interrupt();
  };
  const log = outputTo(world.stderr, () => {});
  const out = outputTo(world.stdout, (error) => {
    const { code, why } = lostOutput(error);
    if (why !== undefined) log.print(`palimpsest-agent: ${why}`);
    stop(code);
  });
  const paint = paintFor(world.environment, world.stderr.isTTY === true);
  const onSignal = (): void => stop(EXIT.interrupted);
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, onSignal);

  const tell = (event: AgentEvent): void => {
    if (json) out.print(JSON.stringify(event));
    // What a turn failed with is said at the end, once.
    else if (event.type !== 'turn-ended' || event.problem === undefined)
      for (const line of eventLines(event, paint, log.columns)) log.print(line);
  };
  try {
    const requests = await Promise.all(prompts.map((prompt) => (prompt === '-' ? textOfStream(world.stdin) : prompt)));
    if (requests.some((request) => request.trim() === '')) throw new AgentError('bad-option', '-p needs words.');
    const agent = await createAgent({ ...options, on: tell });
    interrupt = () => void agent.interrupt();
    try {
      for (const request of requests) {
        if (exitCode !== EXIT.done) break;
        const lines = await answered(request, agent, options, world);
        if (json && request.startsWith('/')) tell({ type: 'command-answered', command: request, lines });
        if (!json) for (const line of lines) out.print(line);
      }
    } catch (error) {
      exitCode ||= exitCodeOf(error);
      if (!json) log.print(`palimpsest-agent: ${explain(error)}`);
    }
    await agent.close().catch((error: unknown) => {
      if (exitCode === EXIT.done) throw error;
    });
    if (exitCode !== EXIT.done) log.print(`palimpsest-agent: the session is whole: --resume ${agent.id}`);
    return exitCode;
  } catch (error) {
    log.print(`palimpsest-agent: ${explain(error)}`);
    return exitCodeOf(error);
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, onSignal);
  }
}

/** The lines that answer a request or a command. */
async function answered(
  request: string,
  agent: Agent,
  { store }: AgentOptions,
  { environment }: World,
): Promise<readonly string[]> {
  const asked = commandIn(request);
  if (asked === undefined) {
    const { outcome, error } = await agent.say(request);
    if (outcome === 'failed') throw error;
    return outcome === 'interrupted' ? [] : [toScreenText(agent.lastWords())];
  }
  if ('unknown' in asked) throw new AgentError('bad-option', `there is no command /${asked.unknown}; try /help.`);
  const lines: string[] = [];
  const print = (more: readonly string[]): void => void lines.push(...more);
  await asked.command.run(asked.argument, {
    agent,
    store,
    environment,
    paint: paintFor(environment, false),
    columns: 100,
    print,
  });
  return lines;
}
