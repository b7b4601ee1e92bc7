import { text as textOfStream } from 'node:stream/consumers';
import { jsonText, oneLine, openWriter, paintFor, toScreenText, type Writer } from '@palimpsest/terminal';
import { AgentError, EXIT, exitCodeOf, lostOutput } from '../agent-error.ts';
import { commandIn } from '../commands/index.ts';
import type { Agent, AgentOptions } from '../loop/agent.ts';
import type { AgentEvent } from '../loop/agent-event.ts';
import { createAgent } from '../loop/create-agent.ts';
import { eventLines } from '../printing/event-lines.ts';
import { columnsFor, complaintOf, PROGRAM, type World } from '../world/world.ts';

interface OneShot {
  readonly prompts: readonly string[];
  readonly json: boolean;
}

/** One run, from the first request to the exit code. */
interface Run extends OneShot {
  readonly options: AgentOptions;
  readonly world: World;
  readonly out: Writer;
  readonly log: Writer;
  /** Set by the first thing that goes wrong: a request, a signal, an output that nobody reads. */
  exitCode: number;
  agent?: Agent;
}

/** Answers and ends. The answers go to stdout, what happens on the way to stderr; with `json` every event to stdout. */
export async function runOneShot(asked: OneShot, options: AgentOptions, world: World): Promise<number> {
  const log = openWriter(world.stderr, world.environment);
  const out = openWriter(world.stdout, world.environment, (error) => {
    const { code, why } = lostOutput(error);
    if (why !== undefined) log.print(complaintOf(why));
    stop(code);
  });
  const run: Run = { ...asked, options, world, out, log, exitCode: EXIT.done };
  const stop = (code: number): void => {
    run.exitCode ||= code;
    run.agent?.interrupt();
  };
  const onSignal = (): void => stop(EXIT.interrupted);
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, onSignal);
  try {
    return await answerAll(run);
  } catch (error) {
    log.print(complaintOf(error));
    return exitCodeOf(error);
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, onSignal);
  }
}

async function answerAll(run: Run): Promise<number> {
  const { prompts, json, out, log, options, world } = run;
  const requests = await Promise.all(prompts.map((prompt) => (prompt === '-' ? textOfStream(world.stdin) : prompt)));
  if (requests.some((request) => request.trim() === '')) throw new AgentError('bad-option', '-p needs words.');
  const tell = tellerOf(run);
  const agent = await createAgent({ ...options, on: tell });
  run.agent = agent;
  try {
    for (const request of requests) {
      if (run.exitCode !== EXIT.done) break;
      const lines = await answerRequest(request, agent, run);
      if (json && request.startsWith('/')) tell({ type: 'command-answered', command: request, lines });
      if (!json) for (const line of lines) out.print(line);
    }
  } catch (error) {
    run.exitCode ||= exitCodeOf(error);
    if (!json) log.print(complaintOf(error));
  }
  await agent.close().catch((error: unknown) => {
    if (run.exitCode === EXIT.done) throw error;
  });
  if (run.exitCode !== EXIT.done) log.print(oneLine(`${PROGRAM}: the session is whole: --resume ${agent.id}`));
  return run.exitCode;
}

function tellerOf({ json, out, log }: Run): (event: AgentEvent) => void {
  if (json) return (event) => out.print(jsonText(event));
  const { paint } = log;
  const columns = columnsFor(log);
  return (event) => {
    // What a turn failed with is said at the end, once.
    if (event.type === 'turn-ended' && event.problem !== undefined) return;
    for (const line of eventLines(event, paint, columns)) log.print(line);
  };
}

/** The lines that answer a request or a command. */
async function answerRequest(request: string, agent: Agent, { options, world }: Run): Promise<readonly string[]> {
  const asked = commandIn(request);
  if (asked === undefined) {
    const { outcome, error } = await agent.say(request);
    if (outcome === 'failed') throw error;
    return outcome === 'interrupted' ? [] : [toScreenText(agent.lastWords())];
  }
  if ('unknown' in asked) throw new AgentError('bad-option', `there is no command /${asked.unknown}; try /help.`);
  const lines: string[] = [];
  const { environment } = world;
  await asked.command.run(asked.argument, {
    agent,
    store: options.store,
    environment,
    paint: paintFor(environment, false),
    columns: 100,
    print: (more) => void lines.push(...more),
  });
  return lines;
}
