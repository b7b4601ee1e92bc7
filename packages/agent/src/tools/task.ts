import { z } from 'zod';
import { type Tool, type ToolAnswer, tool } from './tool.ts';

/** Hands a task to a subagent, which ends before this does. */
export type StartTask = (
  task: { readonly description: string; readonly prompt: string },
  signal: AbortSignal,
) => Promise<ToolAnswer>;

export const taskTool = (start: StartTask): Tool =>
  tool({
    name: 'task',
    description:
      'Gives a task to a subagent with a context and window of its own and answers with what it found. It knows nothing of this conversation: the prompt must say all it needs. Good for work that reads much and reports little.',
    input: z.object({
      description: z.string().min(1).describe('in three to five words'),
      prompt: z.string().min(1),
    }),
    run: (task, { signal }) => start(task, signal),
  });
