import { z } from 'zod';
import { type Tool, tool } from './tool.ts';

export interface Todo {
  readonly content: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
}

export const todosSchema = z.object({
  todos: z.array(z.object({ content: z.string().min(1), status: z.enum(['pending', 'in_progress', 'completed']) })),
});

const MARKS = { pending: '[ ]', in_progress: '[>]', completed: '[x]' } as const;

export const todoLines = (todos: readonly Todo[]): string =>
  todos.map(({ content, status }) => `${MARKS[status]} ${content}`).join('\n');

export const todoWriteTool = (keep: (todos: readonly Todo[]) => void): Tool =>
  tool({
    name: 'todo_write',
    description:
      'Keeps the list of what is to be done. Each call replaces the whole list. At most one item is in_progress.',
    input: todosSchema,
    run({ todos }) {
      keep(todos);
      return { text: todos.length === 0 ? 'The list is empty.' : todoLines(todos) };
    },
  });
