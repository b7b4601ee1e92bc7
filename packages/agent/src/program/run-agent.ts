import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { switchesFrom } from '@palimpsest/core';
import { fileStore, type Store } from '@palimpsest/store';
import { openWriter } from '@palimpsest/terminal';
import { knownModel, systemClock } from '@palimpsest/wire';
import { AgentError, exitCodeOf } from '../agent-error.ts';
import type { AgentOptions } from '../loop/agent.ts';
import { requirePreset } from '../loop/preset-seat.ts';
import { chooseModel } from '../models/choose-model.ts';
import type { Model } from '../models/model.ts';
import { preparePractice } from '../practice/practice-folder.ts';
import { runScreen } from '../screen/run-screen.ts';
import { homeOf, sessionToResume } from '../sessions/session-ids.ts';
import { allowAll } from '../world/permission.ts';
import { complaintOf, processWorld, type World } from '../world/world.ts';
import { runOneShot } from './one-shot.ts';
import type { RunOptions } from './run-options.ts';
import { readSettings } from './settings.ts';

/** A person can follow the offline model at this pace. */
const PACE_MS = 12;

/** The whole agent as a program runs it: answers and ends, or a screen until the person leaves. Answers with an exit code. */
export async function runAgent(options: RunOptions = {}, world: World = processWorld()): Promise<number> {
  const { prompts = [], json = false } = options;
  try {
    checkWorld(prompts, json, world);
    const store = fileStore({ dir: join(homeOf(world.environment), 'sessions') });
    const isPractice = options.practice === true;
    const agentOptions = await prepareAgent(isPractice ? await practiceOptions(options, world) : options, store, world);
    if (prompts.length > 0) return await runOneShot({ prompts, json }, agentOptions, world);
    return await runScreen(agentOptions, world, isPractice);
  } catch (error) {
    openWriter(world.stderr, world.environment).print(complaintOf(error));
    return exitCodeOf(error);
  }
}

async function practiceOptions(options: RunOptions, { environment }: World): Promise<RunOptions> {
  return { ...options, provider: 'offline', cwd: await preparePractice(homeOf(environment)) };
}

function checkWorld(prompts: readonly string[], json: boolean, { stdin, stdout, environment }: World): void {
  if (prompts.length > 0) return;
  if (json) throw new AgentError('bad-option', '--json goes with -p: say what is to be answered.');
  if (stdin.isTTY !== true || stdout.isTTY !== true)
    throw new AgentError('bad-option', 'there is no terminal here: say what is to be done with -p "…".');
  if (environment.TERM === 'dumb')
    throw new AgentError('bad-option', 'this terminal cannot be drawn on (TERM=dumb): use -p "…", or set TERM.');
}

async function prepareAgent(options: RunOptions, store: Store, world: World): Promise<AgentOptions> {
  const root = resolve(world.cwd, options.cwd ?? '.');
  await checkFolder(root);
  const { environment } = world;
  const { prompts = [], skills } = options;
  const { compaction, summaryModel, prices, settingsHooks, settingsServers } = await readSettings(
    root,
    homeOf(environment),
  );
  const stated = options.window ?? switchesFrom(environment).window ?? compaction.window;
  const model = chooseModel(
    { ...options, ...(stated === undefined ? {} : { window: stated }) },
    { environment, clock: systemClock, prices, ...(prompts.length === 0 ? { paceMs: PACE_MS } : {}) },
  );
  const summarizer = chooseSummarizer(options.summaryModel ?? summaryModel, options, environment);
  const resume =
    options.resume === undefined
      ? undefined
      : await sessionToResume(store, root, options.resume === true ? undefined : options.resume);
  return {
    root,
    model,
    store,
    environment,
    settings: compaction,
    settingsHooks,
    settingsServers,
    ...(summarizer === undefined ? {} : { summarizer }),
    ...(resume === undefined ? {} : { resume }),
    ...(options.preset === undefined ? {} : { preset: requirePreset(options.preset) }),
    ...(options.allow === true ? { permission: allowAll } : {}),
    ...(skills === undefined ? {} : { skillsDir: resolve(world.cwd, skills) }),
  };
}

/** `NAME@WINDOW`, or a name whose window is known; at the same server as the conversation's own where one is named. */
function chooseSummarizer(
  wanted: string | undefined,
  { provider, baseUrl }: RunOptions,
  environment: World['environment'],
): Model | undefined {
  if (wanted === undefined) return undefined;
  const [, name = wanted, window] = /^(.+)@([\d_,]+)$/.exec(wanted) ?? [];
  const own = knownModel(name) === undefined || baseUrl !== undefined;
  const choice = {
    model: name,
    ...(own && provider !== undefined ? { provider } : {}),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(window === undefined ? {} : { window: Number(window.replace(/[_,]/g, '')) }),
  };
  try {
    const model = chooseModel(choice, { environment, clock: systemClock });
    if (model.isLanguageModel) return model;
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    throw new AgentError(error.code, `the model for summaries: ${error.message}`, { cause: error });
  }
  throw new AgentError(
    'bad-option',
    `the model for summaries: "${wanted}" is no language model; leave it away, and code writes them.`,
  );
}

async function checkFolder(root: string): Promise<void> {
  if ((await stat(root).catch(() => undefined))?.isDirectory() !== true)
    throw new AgentError('bad-option', `${root} is no folder: pass --cwd DIR.`);
  await readdir(root).catch((error: Error) => {
    throw new AgentError('bad-option', `${root} cannot be read: mend its permissions, or pass --cwd DIR.`, {
      cause: error,
    });
  });
}
