import { text as textOfStream } from 'node:stream/consumers';
import { createAgent } from './agent.ts';
import { AgentError, EXIT, exitCodeOf, explain } from './agent-error.ts';
import type { AgentEvent } from './agent-event.ts';
import type { AgentOptions } from './agent-types.ts';
import { eventLines } from './screen/event-lines.ts';
import { clean, paintFor } from './screen/text.ts';
import { outputTo, type World } from './world.ts';

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
  const out = outputTo(world.stdout, () => stop(EXIT.pipeClosed));
  const log = outputTo(world.stderr, () => {});
  const paint = paintFor(world.environment, world.stderr.isTTY === true);
  const onSignal = (): void => stop(EXIT.interrupted);
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);

  const tell = (event: AgentEvent): void => {
    if (json) out.print(JSON.stringify(event));
    else for (const line of eventLines(event, paint, log.columns)) log.print(line);
  };
  try {
    const requests = await Promise.all(prompts.map((prompt) => (prompt === '-' ? textOfStream(world.stdin) : prompt)));
    if (requests.some((request) => request.trim() === '')) throw new AgentError('bad-option', '-p needs words.');
    const agent = await createAgent({ ...options, on: tell });
    interrupt = () => void agent.interrupt();
    try {
      for (const request of requests) {
        if (exitCode !== EXIT.done) break;
        const { outcome, error } = await agent.say(request);
        if (outcome === 'failed') exitCode ||= exitCodeOf(error);
        if (outcome !== 'failed' && !json) out.print(clean(agent.lastWords()));
      }
    } finally {
      await agent.close();
    }
    if (exitCode !== EXIT.done && !json) log.print(`palimpsest-agent: the session is kept: --resume ${agent.id}`);
    return exitCode;
  } catch (error) {
    log.print(`palimpsest-agent: ${explain(error)}`);
    return exitCodeOf(error);
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}
