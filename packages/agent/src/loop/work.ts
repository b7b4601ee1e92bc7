import { user } from '@palimpsest/core';
import { AgentError, explain } from '../agent-error.ts';
import { INTERRUPTED, noteToModel } from '../sessions/mend-session.ts';
import type { TurnEnd } from './agent.ts';
import { runTurn, type TurnParts } from './run-turn.ts';

/** What an agent does, one thing at a time: turns that begin with what was said, and what must not run beside them. */
export interface Work {
  /** Begins a turn, or queues the words for the one that runs. */
  say(words: string): Promise<TurnEnd>;
  queue(): readonly string[];
  isBusy(): boolean;
  interrupt(): boolean;
  /** Refused while something runs. */
  runAlone<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  /** Stops what runs, and waits for it. */
  end(): Promise<void>;
}

type WorkParts = Omit<TurnParts, 'deliver'> & {
  /** What the model must be told besides what the user says; each is told once. */
  readonly takeReports: () => readonly string[];
};

interface WorkState {
  readonly queue: string[];
  running?: Promise<unknown> | undefined;
  speaking?: Promise<TurnEnd> | undefined;
  abort: AbortController;
}

export function newWork(parts: WorkParts): Work {
  const state: WorkState = { queue: [], abort: new AbortController() };
  const speak = (): Promise<TurnEnd> => {
    state.speaking ??= begin(state, () => runTurns(state, parts)).finally(() => {
      state.speaking = undefined;
    });
    return state.speaking;
  };
  return {
    say(words) {
      state.queue.push(words);
      if (state.running === undefined) return speak();
      parts.emit({ type: 'input-queued', text: words });
      return state.speaking ?? state.running.then(speak, speak);
    },
    queue: () => state.queue.slice(),
    isBusy: () => state.running !== undefined,
    interrupt() {
      if (state.running === undefined || state.abort.signal.aborted) return false;
      abortWork(state, 'interrupted by the user');
      return true;
    },
    async runAlone(work) {
      if (state.running !== undefined)
        throw new AgentError('bad-option', 'the agent is at work: wait, or press Ctrl-C.');
      state.abort = new AbortController();
      return begin(state, () => work(state.abort.signal));
    },
    async end() {
      abortWork(state, 'the agent ends');
      await state.running?.catch(() => {});
    },
  };
}

const abortWork = ({ abort }: WorkState, why: string): void => abort.abort(new DOMException(why, 'AbortError'));

function begin<Result>(state: WorkState, work: () => Promise<Result>): Promise<Result> {
  const begun = work().finally(() => {
    state.running = undefined;
  });
  state.running = begun;
  return begun;
}

async function runTurns(state: WorkState, parts: WorkParts): Promise<TurnEnd> {
  for (;;) {
    state.abort = new AbortController();
    const { signal } = state.abort;
    const end = await runOneTurn({ ...parts, deliver: () => deliverQueue(state, parts) }, signal);
    const problem = end.error === undefined ? {} : { problem: explain(end.error) };
    parts.emit({ type: 'turn-ended', outcome: end.outcome, ...problem });
    // What was typed meanwhile is what the user wants next, also after an interruption.
    if (state.queue.length === 0 || end.outcome === 'failed') return end;
  }
}

async function runOneTurn(parts: TurnParts, signal: AbortSignal): Promise<TurnEnd> {
  const { session, clock } = parts;
  try {
    return { outcome: await runTurn(parts, signal) };
  } catch (error) {
    if (!signal.aborted) return { outcome: 'failed', error };
    session.append({ ...noteToModel(INTERRUPTED), at: clock.now() });
    return session.saved().then(
      () => ({ outcome: 'interrupted' }),
      (failure: unknown) => ({ outcome: 'failed', error: failure }),
    );
  }
}

/** Appends and saves what waits; nobody is told before it is saved. */
async function deliverQueue({ queue }: WorkState, parts: WorkParts): Promise<void> {
  const { session, clock, emit, takeReports, blankKeys } = parts;
  const reports = takeReports();
  for (const report of reports) session.append({ ...noteToModel(blankKeys(report)), at: clock.now() });
  const delivered = queue.splice(0).map((words) => {
    const message = session.append({ ...user(words), at: clock.now() });
    return { type: 'input-delivered', text: words, message } as const;
  });
  if (delivered.length + reports.length === 0) return;
  try {
    await session.saved();
  } finally {
    for (const event of delivered) emit(event);
  }
}
