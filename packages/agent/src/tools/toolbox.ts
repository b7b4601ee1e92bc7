import type { Session } from '@palimpsest/core';
import type { Folder } from '../world/folder.ts';
import type { Permission } from '../world/permission.ts';
import type { Skill } from '../world/skills.ts';
import { bashTool } from './bash.ts';
import { compactTool } from './compact.ts';
import type { Desk } from './desk.ts';
import { editFileTool } from './edit-file.ts';
import { globTool } from './glob.ts';
import { grepTool } from './grep.ts';
import { loadSkillTool } from './load-skill.ts';
import { readFileTool } from './read-file.ts';
import { newReadMemory, type ReadMemory } from './read-memory.ts';
import { recallTool } from './recall.ts';
import { snipTool } from './snip.ts';
import { type StartTask, taskTool } from './task.ts';
import { todoWriteTool } from './todo-write.ts';
import type { Tool } from './tool.ts';
import { writeFileTool } from './write-file.ts';

export interface Toolbox {
  /** The host's own and those of servers are added behind. */
  readonly tools: Tool[];
  readonly desk: Desk;
  readonly memory: ReadMemory;
}

interface ToolboxParts {
  readonly folder: Folder;
  readonly permission: Permission;
  readonly skills: readonly Skill[];
  readonly session: () => Session;
  /** Subagents start none of their own, and are never snipped. */
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
  const desk: Desk = { folder, todos: [], skills: new Set(), tasks: new Map(), recentFiles: memory.recent };
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
    compactTool(session),
    ...(startTask === undefined ? [] : [snipTool(session)]),
    recallTool(session, Math.min(LARGEST_PAGE_CHARS, Math.floor(window * 4 * PAGE_SHARE))),
  ];
  return { tools, desk, memory };
}
