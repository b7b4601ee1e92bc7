import type { Json } from '../../message/message.ts';
import { field, taskItems, textField } from '../../message/tool-input.ts';
import { bareName, type ToolKind } from '../../message/tool-kinds.ts';
import type { Todo, TodoStatus } from '../evidence/evidence.ts';

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

export interface TodoLedger {
  /** A call that went well. */
  did(kind: ToolKind, tool: string, input: Json, output: string): void;
  done(): readonly Todo[];
  readonly plan: string | undefined;
}

/**
 * The newest state of the todo list, however the host writes it: the whole list each time, or task by task. A list that
 * is written anew replaces the one before; nothing of an older state remains.
 */
export function todoLedger(previous: readonly Todo[], previousPlan: string | undefined): TodoLedger {
  let list: readonly Todo[] = previous;
  let plan = previousPlan;

  const rewrite = (kind: ToolKind, input: Json): void => {
    const items = taskItems(input);
    const words = field(input, 'todos') ?? field(input, 'plan');
    if (items.length > 0) list = items.map((item) => ({ text: item.text, status: todoStatus(item.status) }));
    else if (Array.isArray(words) && words.length === 0) list = [];
    else if (typeof words === 'string') {
      const checked = checklist(words);
      if (checked.length > 0) list = checked;
      if (kind === 'plan') plan = words;
    }
  };

  const create = (input: Json, output: string): void => {
    const named = list.filter((todo) => todo.id !== undefined);
    const id = /#(\w+)/.exec(output)?.[1] ?? String(named.length + 1);
    const words = textField(input, 'subject', 'title', 'description');
    if (words !== undefined) list = [...named.filter((todo) => todo.id !== id), { id, text: words, status: 'open' }];
  };

  const update = (input: Json): void => {
    const id = String(field(input, 'taskid') ?? '');
    const status = textField(input, 'status');
    list = list.map((todo) =>
      todo.id === id
        ? {
            id,
            text: textField(input, 'subject') ?? todo.text,
            status: status === undefined ? todo.status : todoStatus(status),
          }
        : todo,
    );
  };

  return {
    did(kind, tool, input, output) {
      if (kind !== 'todo' && kind !== 'plan') return;
      const bare = bareName(tool);
      if (bare === 'taskcreate') create(input, output);
      else if (bare === 'taskupdate') update(input);
      else rewrite(kind, input);
    },
    done: () => list,
    get plan() {
      return plan;
    },
  };
}
