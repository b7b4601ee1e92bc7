import type { Json } from '../message.ts';
import { field, taskItems, textField } from '../tool-input.ts';
import { bareName, type ToolKind } from '../tool-kinds.ts';
import type { Todo, TodoStatus } from './evidence.ts';

export function todoStatus(word: string): TodoStatus {
  const bare = word.toLowerCase().replace(/[^a-z]/g, '');
  if (/^(?:completed?|done|finished)$/.test(bare)) return 'done';
  if (/^(?:inprogress|doing|active|started)$/.test(bare)) return 'doing';
  return /^(?:cancell?ed|skipped|deleted|dropped|wontdo)$/.test(bare) ? 'dropped' : 'open';
}

const checkbox = /^\s*(?:[-*]|\d+[.)])?\s*\[([ xX~>/-])\]\s*(\S.*)$/;

function checklist(text: string): readonly Todo[] {
  return text.split('\n').flatMap((line) => {
    const match = checkbox.exec(line);
    if (match === null) return [];
    const mark = match[1]!.toLowerCase();
    return [{ text: match[2]!.trim(), status: mark === 'x' ? 'done' : mark === ' ' ? 'open' : 'doing' } as const];
  });
}

/**
 * The newest state of the todo list, however the host writes it: the whole list each time, or task by task. A list that
 * is written anew replaces the one before; nothing of an older state remains.
 */
export function todoLedger(previous: readonly Todo[]): {
  call(kind: ToolKind, tool: string, input: Json): void;
  result(tool: string, output: string): void;
  done(): readonly Todo[];
  readonly plan: string | undefined;
} {
  let list: readonly Todo[] = previous;
  let tasks = new Map<string, Todo>();
  let unnamed: string | undefined;
  let plan: string | undefined;
  const setTask = (id: string, todo: Todo): void => {
    tasks.set(id, todo);
    list = [...tasks.values()];
  };
  return {
    call(kind, tool, input) {
      if (kind !== 'todo' && kind !== 'plan') return;
      const items = taskItems(input);
      const words = field(input, 'todos') ?? field(input, 'plan');
      if (items.length > 0) list = items.map((item) => ({ text: item.text, status: todoStatus(item.status) }));
      else if (Array.isArray(words) && words.length === 0) list = [];
      else if (typeof words === 'string') {
        const checked = checklist(words);
        if (checked.length > 0) list = checked;
        if (kind === 'plan') plan = words;
      }
      const bare = bareName(tool);
      if (bare === 'taskcreate') {
        if (tasks.size === 0) tasks = new Map();
        unnamed = String(tasks.size + 1);
        setTask(unnamed, { text: textField(input, 'subject', 'title', 'description') ?? '', status: 'open' });
      }
      const id = field(input, 'taskid');
      const known = id === undefined ? undefined : tasks.get(String(id));
      if (bare === 'taskupdate' && known !== undefined) {
        const status = textField(input, 'status');
        setTask(String(id), {
          text: textField(input, 'subject') ?? known.text,
          status: status === undefined ? known.status : todoStatus(status),
        });
      }
    },
    result(tool, output) {
      if (bareName(tool) !== 'taskcreate' || unnamed === undefined) return;
      const id = /#(\d+)/.exec(output)?.[1];
      const todo = tasks.get(unnamed);
      if (id !== undefined && id !== unnamed && todo !== undefined) {
        tasks.delete(unnamed);
        setTask(id, todo);
      }
      unnamed = undefined;
    },
    done: () => list.filter((todo) => todo.text !== ''),
    get plan() {
      return plan;
    },
  };
}
