import type { Json } from '@palimpsest/core';
import { asFields, asString, isBlank, isFields } from '@palimpsest/core/json';
import { keepHead } from '@palimpsest/terminal';
import { runCommand } from '../tools/process-group.ts';
import type { AfterToolAnswer, AgentHooks, BeforeToolAnswer, HookMoment } from './agent-hooks.ts';

/** A command that is run at a moment, as the settings write it. */
export interface HookCommand {
  readonly command: string;
  /** Only for calls of these tools; for all by default. */
  readonly tools?: readonly string[];
  /** 10 by default, 60 at most; before and after a compaction 10 at most. */
  readonly timeoutSeconds?: number;
}

/** The commands of one settings file, by moment. */
export type HookCommands = { readonly [Moment in HookMoment]?: readonly HookCommand[] };

/** What every command is told besides. */
export interface HookScene {
  readonly session: string;
  readonly folder: string;
}

const USUAL_SECONDS = 10;
const BLOCKS = 2;
const MOST_COMPLAINT_CHARS = 500;

/** Hooks that run commands: JSON on their input, their answer on their output. None runs while `mayRun` says no. */
export function newCommandHooks(commands: HookCommands, scene: HookScene, mayRun: () => boolean): AgentHooks {
  const ask = async (moment: HookMoment, about: Fields, signal: AbortSignal): Promise<readonly Fields[]> => {
    if (!mayRun()) return [];
    const tool = asString(about.tool);
    const wanted = (commands[moment] ?? []).filter(
      ({ tools }) => tool === undefined || tools === undefined || tools.includes(tool),
    );
    const answers: Fields[] = [];
    for (const command of wanted) {
      const said = await askCommand(command, moment, { moment, ...scene, ...about }, scene.folder, signal);
      answers.push(said);
      if (said.block !== undefined || said.veto !== undefined) break;
    }
    return answers;
  };
  return {
    beforeTool: async ({ tool, input, signal }) =>
      joinAnswers<BeforeToolAnswer>(await ask('beforeTool', { tool, input }, signal)),
    afterTool: async ({ tool, input, text, isError, signal }) =>
      joinAnswers<AfterToolAnswer>(await ask('afterTool', { tool, input, output: text, isError }, signal)),
    compaction: {
      // A session that is told of a hook waits for it: only where there is one.
      ...(commands.beforeCompaction === undefined
        ? {}
        : {
            before: async ({ trigger, instructions, signal }) =>
              joinAnswers(await ask('beforeCompaction', { trigger, instructions: instructions ?? null }, signal)),
          }),
      ...(commands.afterCompaction === undefined
        ? {}
        : {
            after: async ({ receipt, signal }) =>
              joinAnswers(await ask('afterCompaction', { receipt: receipt as unknown as Json }, signal)),
          }),
    },
  };
}

type Fields = { readonly [key: string]: Json };

async function askCommand(
  { command, timeoutSeconds = USUAL_SECONDS }: HookCommand,
  moment: HookMoment,
  about: Fields,
  cwd: string,
  signal: AbortSignal,
): Promise<Fields> {
  const input = `${JSON.stringify(about)}\n`;
  const ran = await runCommand(command, { cwd, timeoutMs: timeoutSeconds * 1_000, signal, input });
  signal.throwIfAborted();
  const { stdout = '', stderr = '', exitCode, killedBy } = ran;
  if (killedBy === 'timeout') throw new Error(`“${command}” took longer than ${timeoutSeconds} s and was ended`);
  const why = keepHead((stderr.trim() || stdout.trim()).replace(/\s+/g, ' '), MOST_COMPLAINT_CHARS);
  if (exitCode === BLOCKS && moment === 'beforeTool') return { block: why || `“${command}” is against it` };
  if (exitCode === BLOCKS && moment === 'beforeCompaction') return { veto: why || `“${command}” is against it` };
  if (exitCode !== 0) throw new Error(`“${command}” ended with ${exitCode ?? killedBy}${why === '' ? '' : `: ${why}`}`);
  return readAnswer(stdout, moment);
}

/** An object, or plain words: what they are for depends on the moment. */
function readAnswer(stdout: string, moment: HookMoment): Fields {
  const said = stdout.trim();
  if (said === '') return {};
  if (!said.startsWith('{')) return moment === 'beforeCompaction' ? { instructions: said } : { context: said };
  let parsed: unknown;
  try {
    parsed = JSON.parse(said);
  } catch (error) {
    throw new Error(`its output begins like JSON and is none: ${(error as Error).message}`, { cause: error });
  }
  return isFields(parsed) ? (asFields(parsed) as Fields) : {};
}

/** Words of several stand behind each other; of anything else the last counts. */
function joinAnswers<Said extends object>(answers: readonly Fields[]): Said | undefined {
  if (answers.length === 0) return undefined;
  const joined: Record<string, Json> = {};
  for (const answer of answers)
    for (const [key, value] of Object.entries(answer)) {
      const before = joined[key];
      const areWords = typeof before === 'string' && typeof value === 'string' && !isBlank(before);
      joined[key] = areWords && ['context', 'instructions', 'message'].includes(key) ? `${before}\n${value}` : value;
    }
  return joined as Said;
}
