import type { Summarizer, SummaryAnswer } from '@palimpsest/core';
import { AgentError } from '../agent-error.ts';
import type { Model, ToolDefinition } from './model.ts';

interface Conversation {
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
}

/** What core wants to be told about a failure: it shrinks, waits or gives up by these. */
const retellError = (code: string, error: AgentError): Error =>
  Object.assign(new Error(error.message, { cause: error }), {
    code,
    retryable: error.retryable,
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
  });

const ALONE: Conversation = { system: '', tools: [] };

/**
 * A model as the one that writes summaries. With the live prefix of the conversation's own model goes all that stood before
 * it, tools too, since one byte less and the provider's cache serves nothing; another model has no such prefix (`live` is
 * undefined), and is sent what is to be summarized.
 */
export function summarizerOf(
  model: Model,
  live: Conversation | undefined,
  progressed: (chars: number) => void,
): Summarizer {
  return {
    window: model.window,
    sharesPrefix: live !== undefined,
    async summarize({ form, messages, maxOutput }, { signal }): Promise<SummaryAnswer> {
      const besides = form === 'same-prefix' && live !== undefined ? live : ALONE;
      let chars = 0;
      try {
        for await (const event of model.stream(
          { ...besides, messages, maxOutput },
          signal === undefined ? {} : { signal },
        )) {
          if (event.type === 'wait-started') chars = 0;
          if (event.type === 'text-added') {
            chars += event.text.length;
            progressed(chars);
          }
          if (event.type !== 'answer-ended') continue;
          const said = event.parts.filter((part) => part.type === 'text').map((part) => part.text);
          const calls = event.parts.some((part) => part.type === 'call');
          return { text: said.join('\n'), stop: calls ? 'tool' : event.stop, usage: event.usage };
        }
      } catch (error) {
        if (error instanceof AgentError && error.code === 'overflow') throw retellError('too-long', error);
        if (error instanceof AgentError && error.code === 'rate-limited') throw retellError('rate-limited', error);
        throw error;
      }
      throw new Error(`${model.name} ended its answer without an end`);
    },
  };
}
