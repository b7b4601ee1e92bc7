import { asFields, asList, asNumber, asString, type Fields } from '@palimpsest/core/json';
import { frameEvent, type StreamEvent } from '../read-events.ts';
import { type AnswerMerger, type StreamMerger, TOOL_NAME } from './merger.ts';
import { newPlaces } from './places.ts';
import { sumUsage, type UsageFields } from './sum-usage.ts';

const USAGE: UsageFields = {
  input: 'input_tokens',
  output: ['output_tokens'],
  read: ['input_tokens_details', 'cached_tokens'],
  isReadInside: true,
  total: 'total_tokens',
};

const isOurs = (item: unknown): boolean => asFields(item).type === 'function_call' && asFields(item).name === TOOL_NAME;

/** A response repeats the tools that it was given, and ours is among them. */
const omitTool = (response: Fields): Fields =>
  Array.isArray(response.tools)
    ? { ...response, tools: response.tools.filter((tool) => asFields(tool).name !== TOOL_NAME) }
    : response;

const BEGINS = ['response.created', 'response.queued', 'response.in_progress'];
const ENDS = ['response.completed', 'response.incomplete', 'response.failed', 'response.cancelled'];

/** Items begin and grow by index; the last event repeats the whole response. */
export function mergeResponsesStream(): StreamMerger {
  let id: unknown;
  const places = newPlaces();
  let number = 0;
  let held: StreamEvent | undefined;
  const output: unknown[] = [];
  const usages: Fields[] = [{}];

  const remake = (event: StreamEvent, fields: Fields): string => {
    const data = asFields(event.data);
    const sequence = asNumber(data.sequence_number) === undefined ? {} : { sequence_number: number++ };
    return frameEvent(event.name, { ...data, ...fields, ...sequence });
  };
  const pass = (event: StreamEvent, fields: Fields = {}): string => {
    if (!places.isWhole) return remake(event, fields);
    number = (asNumber(asFields(event.data).sequence_number) ?? number - 1) + 1;
    return event.raw;
  };

  return {
    take(event) {
      const data = asFields(event.data);
      const type = asString(data.type) ?? '';
      const response = asFields(data.response);
      if (BEGINS.includes(type)) {
        if (places.round > 1) return '';
        id ??= response.id;
        return remake(event, { response: omitTool(response) });
      }
      if (ENDS.includes(type)) {
        usages[places.round - 1] = asFields(response.usage);
        output.push(...asList(response.output).filter((item) => !isOurs(item)));
        held = event;
        return '';
      }
      const index = asNumber(data.output_index);
      if (index === undefined) return pass(event);
      if (type === 'response.output_item.added' && isOurs(data.item)) places.hide(index);
      return places.isHidden(index) ? '' : pass(event, { output_index: places.find(index) });
    },
    get isOver() {
      return held !== undefined;
    },
    turnOver() {
      places.turnOver();
      usages.push({});
      held = undefined;
      return '';
    },
    finish(words) {
      if (held === undefined) return '';
      const said = words === undefined ? [] : [makeWords(words)];
      const index = places.end;
      const text = said.flatMap((item) => [
        remakeNew('response.output_item.added', { output_index: index, item: { ...item, content: [] } }),
        remakeNew('response.output_text.delta', {
          ...{ item_id: item.id, output_index: index, content_index: 0 },
          delta: words,
        }),
        remakeNew('response.output_item.done', { output_index: index, item }),
      ]);
      const response = omitTool(asFields(asFields(held.data).response));
      const whole = { ...response, id, output: [...output, ...said], usage: sumUsage(usages, USAGE) };
      return text.join('') + remake(held, { response: whole });
    },
  };

  function remakeNew(type: string, fields: Fields): string {
    return frameEvent(type, { type, ...fields, sequence_number: number++ });
  }
}

const makeWords = (text: string) => ({
  type: 'message',
  id: 'msg_palimpsest',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
});

export const mergeResponsesAnswers: AnswerMerger = (answers, words) => {
  const last = answers.at(-1) ?? {};
  const output = answers.flatMap((answer) => asList(answer.output)).filter((item) => !isOurs(item));
  return {
    ...omitTool(last),
    id: answers[0]?.id,
    output: words === undefined ? output : [...output, makeWords(words)],
    usage: sumUsage(
      answers.map(({ usage }) => asFields(usage)),
      USAGE,
    ),
  };
};
