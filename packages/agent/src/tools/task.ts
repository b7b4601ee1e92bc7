import { z } from 'zod';
import { type Tool, type ToolAnswer, tool } from './tool.ts';

export interface Task {
  readonly description: string;
  readonly prompt: string;
  /** It is not waited for: what it found is told to the model when it has ended. */
  readonly background?: boolean | undefined;
}

/** Hands a task to a subagent, which ends before this does unless it works in the background. */
export type StartTask = (task: Task, signal: AbortSignal) => Promise<ToolAnswer>;

export const taskTool = (start: StartTask): Tool =>
  tool({
    name: 'task',
    description:
      'Gives a task to a subagent with a context and window of its own and answers with what it found. It knows nothing of this conversation: the prompt must say all it needs. Good for work that reads much and reports little. With background: true you go on meanwhile, and are told when it has ended.',
    input: z.object({
      description: z.string().min(1).describe('in three to five words'),
      prompt: z.string().min(1),
      background: z.boolean().optional(),
    }),
    run: (task, { signal }) => start(task, signal),
  });
