import type { Json, Message } from '@palimpsest/core';
import { readPart } from './message-text.ts';

export interface TodoItem {
  readonly text: string;
  readonly isDone: boolean;
}

type Fields = Readonly<Record<string, Json>>;

const asString = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
const isFields = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isDoneStatus = (status: Json | undefined): boolean => status === 'completed' || status === 'done';

const CHECKBOX = /^\s*(?:[-*]\s*)?\[(.)\]\s+(.*\S)/;

/** A whole list in one call: a list of steps with a status, or lines with boxes. */
function readList(input: Fields): readonly TodoItem[] | undefined {
  const list = input.todos ?? input.plan;
  if (typeof list === 'string') {
    const boxes = list.split('\n').flatMap((line) => {
      const [, box = '', text = ''] = CHECKBOX.exec(line) ?? [];
      return text === '' ? [] : [{ text, isDone: box.toLowerCase() === 'x' }];
    });
    return boxes.length === 0 ? undefined : boxes;
  }
  if (!Array.isArray(list)) return undefined;
  return (list as readonly Json[]).filter(isFields).flatMap(({ content, step, text, status }) => {
    const named = asString(content) ?? asString(step) ?? asString(text);
    return named === undefined ? [] : [{ text: named, isDone: isDoneStatus(status) }];
  });
}

/** The newest state of the agent's todo list; empty where it kept none. */
export function readTodoItems(messages: readonly Message[]): readonly TodoItem[] {
  let items: readonly TodoItem[] = [];
  const tasks = new Map<string, TodoItem>();
  const created = new Map<string, string>();
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (part.type === 'result') {
      // One call makes one task; its number stands in the result.
      const subject = created.get(part.callId);
      const id = /#(\d+)/.exec(readPart(part))?.[1];
      if (subject !== undefined && id !== undefined) tasks.set(id, { text: subject, isDone: false });
    }
    if (part.type !== 'call' || !isFields(part.input)) continue;
    items = readList(part.input) ?? items;
    const { subject, taskId, status } = part.input;
    if (typeof subject === 'string' && taskId === undefined) created.set(part.callId, subject);
    const task = tasks.get(asString(taskId) ?? '');
    if (typeof taskId !== 'string' || task === undefined || status === undefined) continue;
    if (status === 'deleted') tasks.delete(taskId);
    else tasks.set(taskId, { ...task, isDone: isDoneStatus(status) });
  }
  return [...items, ...tasks.values()];
}
