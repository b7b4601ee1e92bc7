import { type Message, type Part, partText } from '@palimpsest/core';
import type { Model, ModelRequest } from '../../src/models/model.ts';

export interface ScriptedModel extends Model {
  /** What it was sent, in order. */
  readonly requests: readonly ModelRequest[];
}

interface Script {
  readonly window?: number;
  readonly isLanguageModel?: boolean;
  /** What it answers with; what it throws is thrown. */
  answer(
    request: ModelRequest,
    number: number,
    signal: AbortSignal | undefined,
  ): readonly Part[] | Promise<readonly Part[]>;
}

/** A model by script: the one part of an agent that cannot be had for real in a test. */
export function scriptedModel({ window = 16_000, isLanguageModel = true, answer }: Script): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    name: 'scripted',
    window,
    isLanguageModel,
    requests,
    async *stream(request, { signal }) {
      requests.push(request);
      const parts = await answer(request, requests.length, signal);
      for (const part of parts) if (part.type === 'text') yield { type: 'text-added', text: part.text };
      signal?.throwIfAborted();
      yield {
        type: 'answer-ended',
        parts,
        stop: parts.some((part) => part.type === 'call') ? 'tool' : 'end',
        usage: {},
      };
    },
  };
}

/** Everything that the messages say, for a quick look. */
export const saidIn = (messages: readonly Message[]): string =>
  messages.map((message) => `${message.origin}: ${message.parts.map(partText).join('\n')}`).join('\n');
