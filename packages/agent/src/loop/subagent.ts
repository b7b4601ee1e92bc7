import { explain } from '../agent-error.ts';
import type { Model } from '../models/model.ts';
import { freeTaskId } from '../sessions/session-ids.ts';
import type { Desk } from '../tools/desk.ts';
import type { StartTask } from '../tools/task.ts';
import type { Agent, AgentOptions } from './agent.ts';
import type { Listener } from './agent-event.ts';

type Parent = Omit<AgentOptions, 'model' | 'preset' | 'layers' | 'id' | 'resume' | 'on'> & {
  readonly create: (options: AgentOptions) => Promise<Agent>;
  readonly id: string;
  readonly model: () => Model;
  readonly preset: Agent['preset'];
  readonly layers: Agent['layers'];
  readonly emit: Listener;
  readonly desk: () => Desk;
};

/** Subagents have a context, a window and a journal of their own; what they do is told to whoever watches the parent. */
export function newTaskStarter({ create, id, model, preset, layers, emit, desk, ...options }: Parent): StartTask {
  return async ({ description, prompt }, signal) => {
    const task = await freeTaskId(options.store, id);
    signal.throwIfAborted();
    const { tasks } = desk();
    tasks.add(description);
    const named = preset();
    let agent: Agent | undefined;
    const stop = (): void => void agent?.interrupt();
    try {
      agent = await create({
        ...options,
        model: model(),
        ...(named === undefined ? { layers: layers() } : { preset: named }),
        id: task,
        subagent: true,
        on: (event) => emit({ type: 'task-reported', task: description, event }),
      });
      signal.throwIfAborted();
      signal.addEventListener('abort', stop, { once: true });
      const { outcome, error } = await agent.say(prompt);
      signal.throwIfAborted();
      const said = agent.lastWords();
      if (outcome !== 'failed') return { text: `${said}\n[by a subagent; its own session is ${task}]` };
      return {
        text: `The subagent failed: ${explain(error)}${said === '' ? '' : `\nIts last words: ${said}`}`,
        isError: true,
      };
    } finally {
      signal.removeEventListener('abort', stop);
      tasks.delete(description);
      await agent?.close();
    }
  };
}
