import { asFields, asList, asString, type Fields } from '@palimpsest/core/json';
import { type AnswerCollector, addReasoning, addText, readStop, type StopReason } from '../answer.ts';
import { newCallPlaces } from './call-places.ts';
import { decode } from './decode.ts';

const STOPS: Readonly<Record<string, StopReason>> = {
  stop: 'end',
  tool_calls: 'tool',
  function_call: 'tool',
  length: 'length',
  model_context_window_exceeded: 'window',
};

interface CallSoFar {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

const NO_CALL: CallSoFar = { id: '', name: '', arguments: '' };

/** Where servers put what the model thought. */
const REASONING_FIELDS = ['reasoning_content', 'reasoning'] as const;

/** Collects the chunks of `POST /chat/completions`; a completion that came whole has a message in place of a delta. */
export function collectAnswer(): AnswerCollector {
  const calls: CallSoFar[] = [];
  const reasoning: Record<string, string> = {};
  let content = '';
  let stop: StopReason | undefined;

  const places = newCallPlaces();

  const addCall = (piece: Fields, place: number): void => {
    const at = places.find(piece, place);
    const made = asFields(piece.function);
    const before = calls[at] ?? NO_CALL;
    calls[at] = {
      id: before.id === '' ? (asString(piece.id) ?? '') : before.id,
      name: before.name + (asString(made.name) ?? ''),
      arguments: before.arguments + (asString(made.arguments) ?? ''),
    };
  };

  const spellCalls = (): readonly Fields[] =>
    calls.map(({ id, name, arguments: input }, i) => ({
      id: id === '' ? `call_${i}` : id,
      type: 'function',
      function: { name, arguments: input },
    }));

  return {
    take(event) {
      const choice = asFields(asList(asFields(event).choices)[0]);
      const delta = asFields(choice.delta ?? choice.message);
      stop = readStop(choice.finish_reason, STOPS) ?? stop;
      for (const [i, piece] of asList(delta.tool_calls).entries()) addCall(asFields(piece), i);
      for (const field of REASONING_FIELDS)
        if (typeof delta[field] === 'string') reasoning[field] = (reasoning[field] ?? '') + delta[field];
      content += asString(delta.content) ?? '';
      return [...REASONING_FIELDS.flatMap((field) => addReasoning(delta[field])), ...addText(delta.content)];
    },
    get stop() {
      return stop;
    },
    parts() {
      const message = {
        role: 'assistant',
        content: content === '' ? null : content,
        ...reasoning,
        ...(calls.length === 0 ? {} : { tool_calls: spellCalls() }),
      };
      return decode({ messages: [message] }).messages.flatMap(({ parts }) => parts);
    },
  };
}
