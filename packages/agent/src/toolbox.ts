import { callsOf, type Session } from '@palimpsest/core';
import type { Desk } from './carried.ts';
import type { Folder } from './folder.ts';
import type { Permission } from './permission.ts';
import type { Skill } from './skills.ts';
import { bashTool } from './tools/bash.ts';
import { compactTool } from './tools/compact.ts';
import { editFileTool } from './tools/edit-file.ts';
import { globTool } from './tools/glob.ts';
import { grepTool } from './tools/grep.ts';
import { loadSkillTool } from './tools/load-skill.ts';
import { readFileTool } from './tools/read-file.ts';
import { newReadMemory, type ReadMemory } from './tools/read-memory.ts';
import { recallTool } from './tools/recall.ts';
import { type StartTask, taskTool } from './tools/task.ts';
import { todosSchema, todoWriteTool } from './tools/todo-write.ts';
import type { Tool } from './tools/tool.ts';
import { writeFileTool } from './tools/write-file.ts';

export interface Toolbox {
  readonly tools: readonly Tool[];
  readonly desk: Desk;
  readonly memory: ReadMemory;
}

interface ToolboxParts {
  readonly folder: Folder;
  readonly permission: Permission;
  readonly skills: readonly Skill[];
  readonly session: () => Session;
  /** Subagents start none of their own. */
  readonly startTask?: StartTask;
  readonly window: number;
}

/** Recall shows at most this share of the window a page, at about 4 characters a token. */
const PAGE_SHARE = 0.1;
const LARGEST_PAGE_CHARS = 16_000;

/** All tools of an agent and what they share. `createAgent` calls it; hosts find the tools as `agent.tools`. */
export function newToolbox(parts: ToolboxParts): Toolbox {
  const { folder, permission, skills, session, startTask, window } = parts;
  const memory = newReadMemory();
  const desk: Desk = { folder, todos: [], skills: new Set(), tasks: new Set(), recentFiles: memory.recent };
  const writing = { folder, memory, permission };
  const tools = [
    bashTool(folder, permission),
    readFileTool(folder, memory),
    writeFileTool(writing),
    editFileTool(writing),
    globTool(folder),
    grepTool(folder),
    todoWriteTool((todos) => {
      desk.todos = todos;
    }),
    ...(startTask === undefined ? [] : [taskTool(startTask)]),
    loadSkillTool(skills, (skill) => {
      desk.skills.delete(skill);
      desk.skills.add(skill);
    }),
    compactTool(),
    recallTool(session, Math.min(LARGEST_PAGE_CHARS, Math.floor(window * 4 * PAGE_SHARE))),
  ];
  return { tools, desk, memory };
}

/** After a restart the desk is laid out again from what was called: the newest list, the skills in use. */
export function layOut(desk: Desk, session: Session, skills: readonly Skill[]): void {
  for (const call of session.transcript().flatMap(callsOf)) {
    if (call.tool === 'todo_write') desk.todos = todosSchema.safeParse(call.input).data?.todos ?? desk.todos;
    if (call.tool !== 'load_skill' || typeof call.input !== 'object' || call.input === null) continue;
    const name = 'name' in call.input ? call.input.name : undefined;
    const skill = skills.find((one) => one.name === name);
    if (skill !== undefined) desk.skills.add(skill);
  }
}
