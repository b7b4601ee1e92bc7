import { readFile } from 'node:fs/promises';
import { type Carry, type CarryItem, callsOf, type Session } from '@palimpsest/core';
import { asFields } from '@palimpsest/core/json';
import { keepHead } from '@palimpsest/terminal';
import type { Folder } from '../world/folder.ts';
import { readSkillText, type Skill } from '../world/skills.ts';
import { type Todo, todoLines, todosSchema } from './todo-write.ts';

/** What the agent knows besides the conversation. */
export interface Desk {
  readonly folder: Folder;
  todos: readonly Todo[];
  /** Newest last. */
  readonly skills: Set<Skill>;
  /** Subagents at work: what they do, by the ids of their sessions. */
  readonly tasks: Map<string, string>;
  readonly recentFiles: () => readonly string[];
}

const MOST_FILES = 5;
/** Core cuts to what there is room for; more than this is not worth reading. */
const FILE_CHARS = 40_000;

/** What code, not the model, takes across a summary: the state of the work first, then what can be read again. */
export const newCarry = (desk: Desk): Carry => ({
  async carry() {
    const { folder, todos, tasks } = desk;
    const items: CarryItem[] = [{ kind: 'cwd', name: 'folder', text: folder.root }];
    if (todos.length > 0) items.push({ kind: 'todo', name: 'todo list', text: todoLines(todos) });
    for (const [id, what] of tasks) items.push({ kind: 'task', name: id, text: `a subagent is at work: ${what}` });
    for (const skill of [...desk.skills].reverse())
      items.push({ kind: 'skill', name: skill.name, text: await readSkillText(skill).catch(() => '') });
    for (const file of desk.recentFiles().slice(0, MOST_FILES)) {
      const text = await readFile(file, 'utf8').catch(() => '');
      items.push({ kind: 'file', name: folder.name(file), text: keepHead(text, FILE_CHARS) });
    }
    return items.filter((item) => item.text !== '');
  },
});

/** The agent's own first, then the host's: one that fails takes nothing from the other. */
export const joinCarries = (own: Carry, others: Carry | undefined): Carry =>
  others === undefined
    ? own
    : {
        async carry(options) {
          const [mine, theirs] = await Promise.allSettled([own.carry(options), others.carry(options)]);
          const items = [mine, theirs].flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
          if (items.length === 0 && theirs.status === 'rejected') throw theirs.reason;
          return items;
        },
      };

/** After a restart the desk is laid out again from what was called: the newest list, the skills in use. */
export function restoreDesk(desk: Desk, session: Session, skills: readonly Skill[]): void {
  for (const call of session.transcript().flatMap(callsOf)) {
    if (call.tool === 'todo_write') desk.todos = todosSchema.safeParse(call.input).data?.todos ?? desk.todos;
    if (call.tool !== 'load_skill') continue;
    const { name } = asFields(call.input);
    const skill = skills.find((one) => one.name === name);
    if (skill !== undefined) desk.skills.add(skill);
  }
}
