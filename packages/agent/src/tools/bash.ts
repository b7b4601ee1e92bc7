import { z } from 'zod';
import { findPrefix } from '../world/command-prefix.ts';
import type { Folder } from '../world/folder.ts';
import type { Permission } from '../world/permission.ts';
import { type Ran, runCommand } from './process-group.ts';
import { failure, type Tool, type ToolAnswer, tool } from './tool.ts';

const USUAL_SECONDS = 120;
const MOST_SECONDS = 600;

export const bashTool = (folder: Folder, permission: Permission): Tool =>
  tool({
    name: 'bash',
    description: `Runs a shell command in the folder and answers with its output and exit code. Each call starts anew: cd and variables do not stay. It has no terminal and no input. After ${USUAL_SECONDS} s (timeout_seconds, at most ${MOST_SECONDS}) it is ended with all it started.`,
    input: z.object({
      command: z.string().min(1),
      timeout_seconds: z.number().positive().max(MOST_SECONDS).optional(),
    }),
    async run({ command, timeout_seconds = USUAL_SECONDS }, { signal, onOutput }) {
      const prefix = findPrefix(command);
      const asked = {
        tool: 'bash',
        what: command,
        why: 'it runs a command',
        ...(prefix === undefined ? {} : { prefix }),
      };
      const refusal = await permission.refusal(asked, signal);
      if (refusal !== undefined) return failure(refusal);
      const ran = await runCommand(command, {
        cwd: folder.root,
        timeoutMs: timeout_seconds * 1_000,
        signal,
        ...(onOutput === undefined ? {} : { onOutput }),
      });
      return describeRun(ran, timeout_seconds);
    },
  });

/** What it said and how it ended, as a model or a reader is told it. */
export function describeRun({ output, exitCode, killedBy }: Ran, seconds: number): ToolAnswer {
  const said = output.trimEnd();
  const ends = {
    timeout: `[ended after ${seconds} s]`,
    abort: '[stopped by the user]',
    signal: '[ended by a signal]',
  };
  const end = killedBy === undefined ? `[exit code ${exitCode}]` : ends[killedBy];
  const text = said === '' ? end : `${said}\n${end}`;
  return exitCode === 0 && killedBy === undefined ? { text } : failure(text);
}
