import { estimateText, type Ports, type Summarizer } from '@palimpsest/core';
import { AgentError } from '../agent-error.ts';
import type { Model, ToolDefinition } from '../models/model.ts';
import { summarizerOf } from '../models/summarizer.ts';
import type { Listener } from './agent-event.ts';

/** What is sent with every request may take this share of the window; with less than the rest no work can be done. */
const FIXED_SHARE = 0.5;

/** What stands before the messages of every request. */
export interface Prompt {
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
}

/** Tokens that more tools may take beside a prompt. */
export const roomBeside = ({ window }: Model, prompt: Prompt): number =>
  Math.max(0, Math.floor(window * FIXED_SHARE) - sizeOfPrompt(prompt));

const sizeOfPrompt = ({ system, tools }: Prompt): number => estimateText(system) + estimateText(JSON.stringify(tools));

/** The model at work, which can be changed; a language model also writes the summaries. */
export interface ModelSeat {
  model(): Model;
  /** Throws where the window is too small for the prompt. */
  seat(next: Model): void;
}

type MutablePorts = { -readonly [Port in keyof Ports]: Ports[Port] };

interface Seated {
  readonly model: Model;
  /** Who writes the summaries whatever model is at work. */
  readonly summarizer?: Summarizer | Model;
}

/** `ports` are the session's own: it looks there for the summarizer whenever it needs one. */
export function newModelSeat(
  { model: first, summarizer: own }: Seated,
  prompt: Prompt,
  ports: MutablePorts,
  emit: Listener,
): ModelSeat {
  const onProgress = (chars: number): void => emit({ type: 'summary-progressed', chars });
  let seated = first;
  const seat = (next: Model): void => {
    checkWindow(next, prompt);
    seated = next;
    delete ports.summarizer;
    if (own !== undefined) ports.summarizer = 'stream' in own ? summarizerOf(own, undefined, onProgress) : own;
    else if (next.isLanguageModel) ports.summarizer = summarizerOf(next, prompt, onProgress);
  };
  seat(first);
  return { model: () => seated, seat };
}

function checkWindow({ window }: Model, prompt: Prompt): void {
  const fixed = sizeOfPrompt(prompt);
  if (fixed <= window * FIXED_SHARE) return;
  throw new AgentError(
    'bad-option',
    `a window of ${window} tokens is too small: the agent's own prompt and tools take ${fixed}; use ${Math.ceil(fixed / FIXED_SHARE)} or more.`,
  );
}

/** What a session is told of a model. */
export const sizesOf = ({ window, maxOutput, wire, prices }: Model) => ({
  window,
  ...(prices === undefined ? {} : { prices }),
  ...(maxOutput === undefined ? {} : { maxOutput }),
  ...(wire === undefined ? {} : { wire }),
});
