import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { switchesFrom } from '@palimpsest/core';
import { fileStore, type Store } from '@palimpsest/store';
import { CommanderError } from 'commander';
import { AgentError, EXIT, exitCodeOf, explain } from '../agent-error.ts';
import { systemClock } from '../clock.ts';
import type { AgentOptions } from '../loop/agent.ts';
import { chooseModel } from '../models/choose-model.ts';
import { playSample } from '../sample/play-sample.ts';
import { runScreen } from '../screen/run-screen.ts';
import { homeOf, sessionToResume } from '../sessions/session-ids.ts';
import { allowAll } from '../world/permission.ts';
import { processWorld, type World } from '../world/world.ts';
import { runOneShot } from './one-shot.ts';
import { type RunOptions, readOptions } from './options.ts';

/** A person can follow the offline model at this pace. */
const PACE_MS = 12;

/** The whole program: words of a command line in, an exit code out. */
export async function runAgent(words: readonly string[], world: World = processWorld()): Promise<number> {
  const complain = (line: string): void => void world.stderr.write(`${line.trimEnd()}\n`);
  try {
    const options = readOptions(words, (text) => world.stdout.write(text), complain);
    const isTerminal = world.stdin.isTTY === true && world.stdout.isTTY === true;
    if (options.json && options.prompts.length === 0)
      throw new AgentError('bad-option', '--json goes with -p: say what is to be answered.');
    if (options.prompts.length === 0 && !isTerminal) {
      if (words.length === 0) return await playSample(world);
      throw new AgentError('bad-option', 'there is no terminal here: say what is to be done with -p "…".');
    }
    if (options.prompts.length === 0 && world.environment.TERM === 'dumb')
      throw new AgentError('bad-option', 'this terminal cannot be drawn on (TERM=dumb): use -p "…", or set TERM.');
    const store = fileStore({ dir: join(homeOf(world.environment), 'sessions') });
    const agentOptions = await prepared(options, store, world);
    if (options.prompts.length > 0) return await runOneShot(options, agentOptions, world);
    return await runScreen(agentOptions, world);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.misused;
    complain(`palimpsest-agent: ${explain(error)}`);
    return exitCodeOf(error);
  }
}

async function prepared(options: RunOptions, store: Store, world: World): Promise<AgentOptions> {
  const root = resolve(world.cwd, options.cwd ?? '.');
  if ((await stat(root).catch(() => undefined))?.isDirectory() !== true)
    throw new AgentError('bad-option', `${root} is no folder: pass --cwd DIR.`);
  await readdir(root).catch((error: Error) => {
    throw new AgentError('bad-option', `${root} cannot be read: mend its permissions, or pass --cwd DIR.`, {
      cause: error,
    });
  });
  const { environment } = world;
  const stated = options.window ?? switchesFrom(environment).window;
  const model = chooseModel(
    { ...options, ...(stated === undefined ? {} : { window: stated }) },
    { environment, clock: systemClock, ...(options.prompts.length === 0 ? { paceMs: PACE_MS } : {}) },
  );
  const resume =
    options.resume === undefined
      ? undefined
      : await sessionToResume(store, root, options.resume === true ? undefined : options.resume);
  return {
    root,
    model,
    store,
    environment,
    ...(resume === undefined ? {} : { resume }),
    ...(options.allow ? { permission: allowAll } : {}),
    ...(options.skills === undefined ? {} : { skillsDir: resolve(world.cwd, options.skills) }),
  };
}
