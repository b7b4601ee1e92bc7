import type { Json } from '../message/message.ts';
import { readField, readTasks, readText } from '../message/tool-input.ts';
import { type ToolKind, toBareName } from '../message/tool-kinds.ts';

/** `dropped`: taken off the list without being done. */
export type TodoStatus = 'doing' | 'open' | 'done' | 'dropped';

/** An item of the newest list of tasks. */
export interface Todo {
  readonly text: string;
  /** Where the host names tasks one by one. */
  readonly id?: string;
  readonly status: TodoStatus;
}

function readStatus(word: string): TodoStatus {
  const bare = word.toLowerCase().replace(/[^a-z]/g, '');
  if (/^(?:completed?|done|finished)$/.test(bare)) return 'done';
  if (/^(?:inprogress|doing|active|started)$/.test(bare)) return 'doing';
  return /^(?:cancell?ed|skipped|deleted|dropped|wontdo)$/.test(bare) ? 'dropped' : 'open';
}

const checkbox = /^\s*(?:[-*]|\d+[.)])?\s*\[([ xX~>/-])\]\s*(\S.*)$/;

function readChecklist(text: string): readonly Todo[] {
  return text.split('\n').flatMap((line) => {
    const [, mark, words] = checkbox.exec(line) ?? [];
    if (mark === undefined || words === undefined) return [];
    return [{ text: words.trim(), status: /x/i.test(mark) ? 'done' : mark === ' ' ? 'open' : 'doing' } as const];
  });
}

/** The list of tasks as it stands. */
export interface TodoList {
  /** A call that went well. */
  change(kind: ToolKind, tool: string, input: Json, output: string): void;
  readonly list: readonly Todo[];
  readonly plan: string | undefined;
}

/**
 * The newest state of the todo list, however the host writes it: the whole list each time, or task by task. A list that
 * is written anew replaces the one before; nothing of an older state remains.
 */
export function newTodoList(): TodoList {
  let list: readonly Todo[] = [];
  let plan: string | undefined;

  const rewrite = (kind: ToolKind, input: Json): void => {
    const items = readTasks(input);
    const words = readField(input, 'todos') ?? readField(input, 'plan');
    if (items.length > 0) list = items.map((item) => ({ text: item.text, status: readStatus(item.status) }));
    else if (Array.isArray(words) && words.length === 0) list = [];
    else if (typeof words === 'string') {
      const checked = readChecklist(words);
      if (checked.length > 0) list = checked;
      if (kind === 'plan') plan = words;
    }
  };

  const create = (input: Json, output: string): void => {
    const named = list.filter((todo) => todo.id !== undefined);
    const id = /#(\w+)/.exec(output)?.[1] ?? String(named.length + 1);
    const words = readText(input, 'subject', 'title', 'description');
    if (words !== undefined) list = [...named.filter((todo) => todo.id !== id), { id, text: words, status: 'open' }];
  };

  const update = (input: Json): void => {
    const id = String(readField(input, 'taskid') ?? '');
    const status = readText(input, 'status');
    list = list.map((todo) =>
      todo.id === id
        ? {
            id,
            text: readText(input, 'subject') ?? todo.text,
            status: status === undefined ? todo.status : readStatus(status),
          }
        : todo,
    );
  };

  return {
    change(kind, tool, input, output) {
      if (kind !== 'todo' && kind !== 'plan') return;
      const bare = toBareName(tool);
      if (bare === 'taskcreate') create(input, output);
      else if (bare === 'taskupdate') update(input);
      else rewrite(kind, input);
    },
    get list() {
      return list;
    },
    get plan() {
      return plan;
    },
  };
}
