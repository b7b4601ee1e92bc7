import {
  assistant,
  type CallPart,
  type Clock,
  type Overhead,
  type Part,
  type Session,
  text,
  type View,
} from '@palimpsest/core';
import { AgentError } from '../agent-error.ts';
import type { HookEar } from '../hooks/hear-hooks.ts';
import type { Model, ModelEvent } from '../models/model.ts';
import { resolveCompactAsk } from '../tools/compact-ask.ts';
import type { Tool } from '../tools/tool.ts';
import type { Listener, TurnOutcome } from './agent-event.ts';
import type { Prompt } from './model-seat.ts';
import { runCalls } from './run-calls.ts';

export interface TurnParts {
  readonly session: Session;
  readonly model: () => Model;
  readonly prompt: Prompt;
  readonly tools: readonly Tool[];
  readonly emit: Listener;
  readonly clock: Clock;
  /** Blanks the keys that an output may show. */
  readonly blankKeys: (text: string) => string;
  readonly hooks: HookEar;
  /** What is sent besides the messages, where that has changed. */
  readonly takeBesides: () => Overhead;
  /** Settles what must be settled before anything runs. */
  readonly prepare: (signal: AbortSignal) => Promise<void>;
  /** Appends and saves what the user said meanwhile. */
  readonly deliver: () => Promise<void>;
}

type Answer = Pick<Extract<ModelEvent, { type: 'answer-ended' }>, 'parts' | 'stop' | 'usage'>;

/** Layers → model → tools → layers, until the model has nothing more to call. Only aborts and failures are thrown. */
export async function runTurn(parts: TurnParts, signal: AbortSignal): Promise<TurnOutcome> {
  const { session, emit, clock, deliver, model, prepare } = parts;
  await deliver();
  await prepare(signal);
  for (let round = 1; ; round++) {
    if (round > 1 && model().isLanguageModel) await deliver();
    const answer = await answerView(await makeView(parts, signal), parts, signal);
    const message = answer.parts.filter((part) => part.type !== 'text' || part.text.trim() !== '');
    if (message.length === 0)
      throw new AgentError('empty-answer', `${model().name} answered with nothing; say it again.`);
    session.append({ ...assistant(message), at: clock.now() });
    if (Object.values(answer.usage).some((count) => (count ?? 0) > 0)) session.observe(answer.usage);
    try {
      await session.saved();
    } finally {
      emit({ type: 'answer-ended', text: textOf(message), stop: answer.stop, usage: answer.usage });
    }
    const calls = message.filter((part): part is CallPart => part.type === 'call');
    if (calls.length === 0) return 'done';
    const compaction = await runCalls(calls, parts, signal);
    signal.throwIfAborted();
    if (compaction === undefined) continue;
    const asked = resolveCompactAsk(compaction, session.transcript());
    await session.compact({ trigger: 'tool', ...asked, now: clock.now(), signal });
    return 'compacted';
  }
}

export const textOf = (parts: readonly Part[]): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');

const makeView = ({ session, clock, takeBesides }: TurnParts, signal: AbortSignal): Promise<View> =>
  session.view({ now: clock.now(), signal, ...takeBesides() });

/** A view that the provider refuses as too long is made smaller; the session says how often that is tried. */
async function answerView(view: View, parts: TurnParts, signal: AbortSignal): Promise<Answer> {
  const { session, clock } = parts;
  for (let sent = view; ; ) {
    try {
      return await streamAnswer(sent, parts, signal);
    } catch (error) {
      if (!(error instanceof AgentError) || error.code !== 'overflow') throw error;
      const { maximum, actual } = error;
      const refusal = {
        ...(maximum === undefined ? {} : { maximum }),
        ...(actual === undefined ? {} : { actual }),
      };
      sent = await session.overflowed(refusal, { now: clock.now(), signal });
    }
  }
}

async function streamAnswer(view: View, parts: TurnParts, signal: AbortSignal): Promise<Answer> {
  const { model, prompt, emit, session, clock } = parts;
  let soFar = '';
  try {
    const { maxOutput: most } = model();
    // Providers refuse a request whose answer might not fit behind it.
    const room = most === undefined ? {} : { maxOutput: Math.min(most, view.maxOutput) };
    const request = { ...prompt, messages: view.messages, native: view.native, ...room };
    for await (const event of model().stream(request, { signal })) {
      signal.throwIfAborted();
      if (event.type === 'answer-ended') return event;
      if (event.type === 'text-added') soFar += event.text;
      if (event.type === 'wait-started') soFar = '';
      emit(event);
    }
  } catch (error) {
    // What the user has read on the screen is part of what was said.
    if (signal.aborted && soFar.trim() !== '') session.append({ ...assistant([text(soFar)]), at: clock.now() });
    throw error;
  }
  throw new AgentError('broken-stream', `${model().name} ended without an answer; say it again.`, { retryable: true });
}
