import { explain, isAbort } from '../agent-error.ts';
import type { Model } from '../models/model.ts';
import { freeTaskId } from '../sessions/session-ids.ts';
import type { Desk } from '../tools/desk.ts';
import type { StartTask, Task } from '../tools/task.ts';
import type { Tool, ToolAnswer } from '../tools/tool.ts';
import type { Agent, AgentOptions } from './agent.ts';
import type { Listener } from './agent-event.ts';

type Parent = Omit<AgentOptions, 'model' | 'preset' | 'layers' | 'id' | 'resume' | 'on' | 'tools'> & {
  readonly create: (options: AgentOptions) => Promise<Agent>;
  readonly id: string;
  readonly model: () => Model;
  readonly preset: Agent['preset'];
  readonly layers: Agent['layers'];
  readonly tools: () => readonly Tool[];
  readonly emit: Listener;
  readonly desk: () => Desk;
};

/** The subagents of an agent: those that a call waits for, and those that work in the background. */
export interface Subagents {
  readonly start: StartTask;
  /** What the model must be told of those that have ended meanwhile; each is told once. */
  takeReports(): readonly string[];
  /** Stops those that still work, and waits for them. */
  end(): Promise<void>;
}

/** Subagents have a context, a window and a journal of their own; what they do is told to whoever watches the parent. */
export function newSubagents(parent: Parent): Subagents {
  const stop = new AbortController();
  const reports: string[] = [];
  const running = new Set<Promise<void>>();
  const taken = new Set<string>();
  const nameTask = async (): Promise<string> => {
    const id = await freeTaskId(parent.store, parent.id, taken);
    taken.add(id);
    return id;
  };

  return {
    async start(task, signal) {
      const id = await nameTask();
      signal.throwIfAborted();
      parent.desk().tasks.set(id, task.description);
      if (task.background !== true) return runTask(parent, id, task, signal);
      const work = runTask(parent, id, task, stop.signal).then(
        ({ text }) => void reports.push(`The task ${id} (${task.description}) has ended. ${text}`),
        (error: unknown) => {
          if (!isAbort(error)) reports.push(`The task ${id} (${task.description}) failed: ${explain(error)}`);
        },
      );
      running.add(work);
      void work.finally(() => running.delete(work));
      return { text: `The task ${id} is at work in the background. You are told when it has ended; go on meanwhile.` };
    },
    takeReports: () => reports.splice(0),
    async end() {
      stop.abort(new DOMException('the agent ends', 'AbortError'));
      await Promise.all(running);
    },
  };
}

/** One subagent from its beginning to its last words. */
async function runTask(parent: Parent, id: string, task: Task, signal: AbortSignal): Promise<ToolAnswer> {
  const { create, id: _, model, preset, layers, tools, emit, desk, ...options } = parent;
  const { description, prompt } = task;
  const named = preset();
  let agent: Agent | undefined;
  const stop = (): void => void agent?.interrupt();
  try {
    agent = await create({
      ...options,
      model: model(),
      ...(named === undefined ? { layers: layers() } : { preset: named }),
      id,
      tools: tools(),
      subagent: true,
      on: (event) => emit({ type: 'task-reported', task: description, event }),
    });
    signal.throwIfAborted();
    signal.addEventListener('abort', stop, { once: true });
    const { outcome, error } = await agent.say(prompt);
    signal.throwIfAborted();
    const said = agent.lastWords();
    if (outcome !== 'failed') return { text: `${said}\n[by a subagent; its own session is ${id}]` };
    return {
      text: `The subagent failed: ${explain(error)}${said === '' ? '' : `\nIts last words: ${said}`}`,
      isError: true,
    };
  } finally {
    signal.removeEventListener('abort', stop);
    desk().tasks.delete(id);
    await agent?.close();
  }
}
