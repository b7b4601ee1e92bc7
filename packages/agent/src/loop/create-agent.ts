import { createSession, estimateText, type Json, type Message, type Ports, switchesFrom, user } from '@palimpsest/core';
import { AgentError, explain } from '../agent-error.ts';
import { abortable, systemClock } from '../clock.ts';
import { keyBlanker } from '../models/api-keys.ts';
import type { Model } from '../models/model.ts';
import { summarizerOf } from '../models/summarizer.ts';
import { keptBefore, keptFromNowOn } from '../sessions/kept-session.ts';
import { INTERRUPTED, mend, note } from '../sessions/mend-session.ts';
import { newSessionId } from '../sessions/session-ids.ts';
import { carryOf } from '../tools/desk.ts';
import { definitionOf } from '../tools/tool.ts';
import { layOut, newToolbox } from '../tools/toolbox.ts';
import { folderAt } from '../world/folder.ts';
import { readInstructions, showsInstructions } from '../world/instructions.ts';
import { refuseAll } from '../world/permission.ts';
import { skillsIn } from '../world/skills.ts';
import type { Agent, AgentOptions, TurnEnd } from './agent.ts';
import type { Listener } from './agent-event.ts';
import { contextUse } from './context-use.ts';
import { runTurn, textOf } from './run-turn.ts';
import { subagents } from './subagent.ts';
import { systemPrompt } from './system-prompt.ts';

/** Instructions may take this share of the window, at about 4 characters a token. */
const INSTRUCTIONS_SHARE = 0.1;
/** What is sent with every request may take this share of the window; with less than the rest no work can be done. */
const FIXED_SHARE = 0.5;

/**
 * Opens or begins the session and reads the folder's instructions; then `say()` starts turns. Rejects where the window is
 * too small for the agent's own prompt and tools.
 */
export async function createAgent(options: AgentOptions): Promise<Agent> {
  const { root, store, clock = systemClock, permission = refuseAll } = options;
  const listen = options.on ?? (() => {});
  const emit: Listener = (event) => {
    if (event.type === 'view-compacted' || event.type === 'walk-reverted') {
      // Whatever was hidden, an earlier read or the folder's instructions may have been it.
      memory.forget();
      isChecked = false;
    }
    listen(event);
  };
  const folder = folderAt(root);
  const skills = await skillsIn(options.skillsDir ?? folder.at('skills'));
  const keeping =
    options.resume === undefined
      ? keptFromNowOn(store, options.id ?? newSessionId(root, new Date(clock.now())), clock.now)
      : await keptBefore(store, options.resume);
  let model = options.model;
  let running: Promise<unknown> | undefined;
  let speaking: Promise<TurnEnd> | undefined;
  /** The view was looked at since something was hidden. */
  let isChecked = true;
  let stop = new AbortController();
  const queue: string[] = [];

  const { tools, desk, memory } = newToolbox({
    folder,
    permission,
    skills,
    session: () => session,
    window: model.window,
    ...(options.subagent === true
      ? {}
      : {
          startTask: subagents({
            ...options,
            create: createAgent,
            permission,
            id: keeping.id,
            model: () => model,
            emit,
            desk: () => desk,
          }),
        }),
  });
  const system = systemPrompt(root);
  const definitions = tools.map(definitionOf);
  const blanked = keyBlanker(options.environment ?? {});
  const ports: { -readonly [Port in keyof Ports]: Ports[Port] } = {
    stash: keeping.stash,
    carry: carryOf(desk),
    clock,
  };
  try {
    use(model);
  } catch (error) {
    await keeping.journal.close();
    throw error;
  }
  const session = createSession({
    ...sizes(model),
    switches: switchesFrom(options.environment ?? {}),
    system,
    tools: definitions as unknown as Json,
    journal: keeping.journal,
    records: keeping.records,
    subagent: options.subagent === true,
    ports,
    on: emit,
  });

  const mended = options.resume === undefined ? undefined : mend(session, clock.now());
  layOut(desk, session, skills);
  const hadMessages = session.transcript().length;
  emit({
    type: 'session-opened',
    id: keeping.id,
    resumed: options.resume !== undefined,
    messages: hadMessages,
    model: model.name,
    window: model.window,
  });
  const repairs = [
    ...(keeping.repaired === undefined ? [] : [`half a record was set aside in ${keeping.repaired}`]),
    ...(mended === undefined ? [] : [mended]),
  ];
  for (const what of repairs) emit({ type: 'session-mended', what });
  if (hadMessages === 0) await instruct(false);

  function use(next: Model): void {
    const fixed = estimateText(system) + estimateText(JSON.stringify(definitions));
    if (fixed > next.window * FIXED_SHARE)
      throw new AgentError(
        'bad-option',
        `a window of ${next.window} tokens is too small: the agent's own prompt and tools take ${fixed}; use ${Math.ceil(fixed / FIXED_SHARE)} or more.`,
      );
    model = next;
    delete ports.summarizer;
    if (!next.isLanguageModel) return;
    const progressed = (chars: number): void => emit({ type: 'summary-progressed', chars });
    ports.summarizer = summarizerOf(next, { system, tools: definitions }, progressed);
  }

  async function instruct(again: boolean): Promise<boolean> {
    const found = await readInstructions(root, Math.floor(model.window * 4 * INSTRUCTIONS_SHARE));
    if (found === undefined) return false;
    session.append({ ...found.message, at: clock.now() });
    emit({ type: 'instructions-read', files: found.files, again });
    return true;
  }

  async function deliver(): Promise<void> {
    const delivered = queue.splice(0).map((words) => {
      const message = session.append({ ...user(words), at: clock.now() });
      return { type: 'input-delivered', text: words, message } as const;
    });
    if (delivered.length === 0) return;
    try {
      await session.saved();
    } finally {
      for (const event of delivered) emit(event);
    }
  }

  async function turns(): Promise<TurnEnd> {
    for (;;) {
      stop = new AbortController();
      const end = await turn(stop.signal);
      emit({
        type: 'turn-ended',
        outcome: end.outcome,
        ...(end.error === undefined ? {} : { problem: explain(end.error) }),
      });
      // What was typed meanwhile is what the user wants next, also after an interruption.
      if (queue.length === 0 || end.outcome === 'failed') return end;
    }
  }

  async function turn(signal: AbortSignal): Promise<TurnEnd> {
    try {
      const complete = async (view: { readonly messages: readonly Message[] }): Promise<boolean> => {
        const isMissing = !isChecked && !showsInstructions(view);
        isChecked = true;
        return isMissing && instruct(true);
      };
      const outcome = await runTurn(
        { session, model: () => model, system, tools, emit, clock, blanked, deliver, complete },
        signal,
      );
      return { outcome };
    } catch (error) {
      if (!signal.aborted) return { outcome: 'failed', error };
      session.append({ ...note(INTERRUPTED), at: clock.now() });
      const unsaved = await session.saved().then(
        () => undefined,
        (failure: unknown) => ({ outcome: 'failed', error: failure }) as const,
      );
      return unsaved ?? { outcome: 'interrupted' };
    }
  }

  function begin<Result>(work: () => Promise<Result>): Promise<Result> {
    const begun = work().finally(() => {
      running = undefined;
    });
    running = begun;
    return begun;
  }

  const refuseWhileBusy = (): void => {
    if (running !== undefined) throw new AgentError('bad-option', 'the agent is at work: wait, or press Ctrl-C.');
  };

  const speak = (): Promise<TurnEnd> => {
    speaking ??= begin(turns).finally(() => {
      speaking = undefined;
    });
    return speaking;
  };

  return {
    id: keeping.id,
    root,
    session,
    tools,
    model: () => model,
    say(words) {
      queue.push(words);
      if (running === undefined) return speak();
      emit({ type: 'input-queued', text: words });
      return speaking ?? running.then(speak, speak);
    },
    waiting: () => queue.slice(),
    isBusy: () => running !== undefined,
    interrupt() {
      if (running === undefined || stop.signal.aborted) return false;
      stop.abort(new DOMException('interrupted by the user', 'AbortError'));
      return true;
    },
    async compact(instructions) {
      refuseWhileBusy();
      stop = new AbortController();
      const { signal } = stop;
      const asked = instructions === undefined || instructions === '' ? {} : { instructions };
      return begin(() => abortable(session.compact({ ...asked, now: clock.now(), signal }), signal));
    },
    async switchModel(next) {
      refuseWhileBusy();
      use(next);
      await begin(() => session.switchTo(sizes(next)));
    },
    contextUse: () => contextUse(session, { system, tools: definitions as unknown as Json }),
    lastWords() {
      const last = session.transcript().findLast((message) => message.role === 'assistant');
      return textOf(last?.parts ?? []);
    },
    async close() {
      stop.abort(new DOMException('the agent ends', 'AbortError'));
      await running?.catch(() => {});
      try {
        if (session.transcript().some((message) => message.origin === 'human')) await session.saved();
      } finally {
        await keeping.journal.close();
      }
    },
  };
}

const sizes = ({ window, maxOutput, wire }: Model) => ({
  window,
  ...(maxOutput === undefined ? {} : { maxOutput }),
  ...(wire === undefined ? {} : { wire }),
});
