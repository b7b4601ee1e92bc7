import { asFields, asList, asNumber, asString, type Fields, isBlank, parseJson } from '@palimpsest/core/json';
import { type AnswerCollector, type AnswerDelta, addReasoning, addText, readStop, type StopReason } from '../answer.ts';
import { decode } from './decode.ts';

const STOPS: Readonly<Record<string, StopReason>> = {
  end_turn: 'end',
  stop_sequence: 'end',
  tool_use: 'tool',
  max_tokens: 'length',
  model_context_window_exceeded: 'window',
};

/** Collects the events of `POST /v1/messages`: blocks that begin and grow. */
export function collectAnswer(): AnswerCollector {
  const blocks = new Map<number, Fields>();
  const inputs = new Map<number, string>();
  let stop: StopReason | undefined;

  const begin = (index: number, block: Fields): readonly AnswerDelta[] => {
    blocks.set(index, block);
    return [...addReasoning(block.thinking), ...addText(block.text)];
  };

  const grow = (index: number, field: string, more: unknown): void => {
    const block = blocks.get(index);
    if (block !== undefined)
      blocks.set(index, { ...block, [field]: `${asString(block[field]) ?? ''}${asString(more) ?? ''}` });
  };

  const takeDelta = (index: number, delta: Fields): readonly AnswerDelta[] => {
    switch (delta.type) {
      case 'text_delta':
        grow(index, 'text', delta.text);
        return addText(delta.text);
      case 'thinking_delta':
        grow(index, 'thinking', delta.thinking);
        return addReasoning(delta.thinking);
      case 'signature_delta':
        grow(index, 'signature', delta.signature);
        return [];
      case 'input_json_delta':
        inputs.set(index, (inputs.get(index) ?? '') + (asString(delta.partial_json) ?? ''));
        return [];
      default:
        return [];
    }
  };

  return {
    take(event) {
      const fields = asFields(event);
      const index = asNumber(fields.index) ?? 0;
      switch (fields.type) {
        case 'content_block_start':
          return begin(index, asFields(fields.content_block));
        case 'content_block_delta':
          return takeDelta(index, asFields(fields.delta));
        case 'message_delta':
          stop = readStop(asFields(fields.delta).stop_reason, STOPS) ?? stop;
          return [];
        case 'message':
          stop = readStop(fields.stop_reason, STOPS) ?? stop;
          return asList(fields.content).flatMap((block, i) => begin(i, asFields(block)));
        default:
          return [];
      }
    },
    get stop() {
      return stop;
    },
    parts() {
      const content = [...blocks].map(([index, block]) => {
        const input = inputs.get(index);
        return input === undefined ? block : { ...block, input: isBlank(input) ? {} : (parseJson(input) ?? input) };
      });
      return decode({ messages: [{ role: 'assistant', content }] }).messages.flatMap((message) => message.parts);
    },
  };
}
