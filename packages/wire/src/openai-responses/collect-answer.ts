import { asFields, asList, asNumber, asString, type Fields } from '@palimpsest/core/json';
import { type AnswerCollector, type AnswerDelta, addReasoning, addText, type StopReason } from '../answer.ts';
import { decode } from './decode.ts';

/** Collects the events of `POST /responses`: items that are done one by one, and the response at the end. */
export function collectAnswer(): AnswerCollector {
  const items = new Map<number, unknown>();
  let said = '';
  let output: readonly unknown[] = [];
  let stop: StopReason | undefined;

  const end = (response: Fields, isCut: boolean): void => {
    output = asList(response.output);
    stop = isCut ? readCut(asFields(response.incomplete_details).reason) : 'end';
  };

  /** A stream that names no items has said its words all the same. */
  const spellOutput = (): readonly unknown[] => {
    if (items.size > 0) return [...items].sort(([a], [b]) => a - b).map(([, item]) => item);
    if (output.length > 0 || said === '') return output;
    return [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: said }] }];
  };

  return {
    take(event) {
      const fields = asFields(event);
      switch (fields.type) {
        case 'response.output_text.delta':
          said += asString(fields.delta) ?? '';
          return addText(fields.delta);
        case 'response.reasoning_summary_text.delta':
          return addReasoning(fields.delta);
        case 'response.output_item.done':
          items.set(asNumber(fields.output_index) ?? items.size, fields.item);
          return [];
        case 'response.completed':
        case 'response.incomplete':
          end(asFields(fields.response), fields.type === 'response.incomplete');
          return [];
        default:
          if (fields.object !== 'response') return [];
          end(fields, fields.status === 'incomplete');
          return output.flatMap((item) => readWords(asFields(item)));
      }
    },
    get stop() {
      return stop;
    },
    parts: () => decode({ input: spellOutput() }).messages.flatMap(({ parts }) => parts),
  };
}

const readCut = (reason: unknown): StopReason => (reason === 'max_output_tokens' ? 'length' : 'other');

const readWords = (item: Fields): readonly AnswerDelta[] =>
  item.type === 'reasoning'
    ? asList(item.summary).flatMap((piece) => addReasoning(asFields(piece).text))
    : asList(item.content).flatMap((piece) => addText(asFields(piece).text));
