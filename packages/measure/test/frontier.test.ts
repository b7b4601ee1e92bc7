import { assistant, user } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { holdsFrontier, readFrontier } from '../src/digest/frontier.ts';
import { readTodoItems } from '../src/digest/todo-items.ts';
import { callTool, numberMessages } from './conversation.ts';

const todos = [
  { content: 'Write the parser', status: 'completed' },
  { content: 'Wire the parser into the loader', status: 'in_progress' },
];
const messages = numberMessages([
  user('Make the loader use the new parser.'),
  ...callTool('TodoWrite', { todos }, 'saved'),
  ...callTool('Edit', { file_path: '/app/src/parser.ts', old_string: 'a', new_string: 'b' }, 'ok'),
  ...callTool('Bash', { command: 'cd /app && npm test -- loader' }, 'FAIL loader.test.ts: 2 of 9\nsee above'),
  assistant('Two tests of the loader fail.\nNext I will pass the parser to the loader.'),
  user('yes'),
]);
const frontier = readFrontier(messages);
const good = [
  '> Make the loader use the new parser.',
  '[x] Write the parser',
  '[ ] Wire the parser into the loader',
  'edited: parser.ts',
  '$ npm test -- loader (failed)',
  'next: Next I will pass the parser to the loader.',
];
const without = (at: number): string => good.filter((_, i) => i !== at).join('\n');

describe('the frontier of the work', () => {
  it('is all held by a text that has every part, and nothing of it by an empty one', () => {
    expect(holdsFrontier(frontier, good.join('\n'))).toEqual({
      request: true,
      todos: true,
      edits: true,
      command: true,
      next: true,
    });
    expect(Object.values(holdsFrontier(frontier, ''))).toEqual([false, false, false, false, false]);
  });

  it('misses the part that is taken out', () => {
    expect(holdsFrontier(frontier, without(0)).request).toBe(false);
    expect(holdsFrontier(frontier, without(2)).todos).toBe(false);
    expect(holdsFrontier(frontier, without(3)).edits).toBe(false);
    expect(holdsFrontier(frontier, without(4)).command).toBe(false);
    expect(holdsFrontier(frontier, `${without(5)}`).next).toBe(true);
    expect(holdsFrontier(frontier, `${without(5)}`.replace('$ npm test', '$ npm run')).next).toBe(false);
  });

  it('wants open items told from done ones, and a command with its outcome', () => {
    const hold = (line: string) => holdsFrontier(frontier, line);
    expect(hold('[x] Wire the parser into the loader').todos).toBe(false);
    expect(hold('## Done\nWire the parser into the loader').todos).toBe(false);
    expect(hold('$ npm test -- loader').command).toBe(false);
    expect(hold('$ npm test -- loader\n> FAIL loader.test.ts: 2 of 9').command).toBe(true);
  });

  it('knows a call without a command by its tool and its file, in one line', () => {
    const read = readFrontier(numberMessages(callTool('Read', { file_path: 'D:\\app\\loader.ts' }, 'x')));
    expect(holdsFrontier(read, 'Last call: Read loader.ts').next).toBe(true);
    expect(holdsFrontier(read, 'Read\nloader.ts').next).toBe(false);
  });

  it('may stand in the tail', () => {
    expect(Object.values(holdsFrontier(frontier, '', messages))).toEqual([true, true, true, true, true]);
  });

  it('reads todo lists of several tools', () => {
    expect(readTodoItems(messages)).toEqual([
      { text: 'Write the parser', isDone: true },
      { text: 'Wire the parser into the loader', isDone: false },
    ]);
    const tasks = numberMessages([
      ...callTool('TaskCreate', { subject: 'First task' }, 'Task #1 created'),
      ...callTool('TaskCreate', { subject: 'Second task' }, 'Task #2 created'),
      ...callTool('TaskUpdate', { taskId: '1', status: 'completed' }, 'ok'),
    ]);
    expect(readTodoItems(tasks)).toEqual([
      { text: 'First task', isDone: true },
      { text: 'Second task', isDone: false },
    ]);
    const boxes = numberMessages(callTool('update_todo_list', { todos: '[x] One\n[-] Two' }, 'ok'));
    expect(readTodoItems(boxes).map(({ isDone }) => isDone)).toEqual([true, false]);
    expect(readTodoItems(numberMessages([user('x')]))).toEqual([]);
  });
});
