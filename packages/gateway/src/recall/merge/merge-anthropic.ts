import { asFields, asList, asNumber, type Fields } from '@palimpsest/core/json';
import { frameEvent, type StreamEvent } from '../read-events.ts';
import { type AnswerMerger, type StreamMerger, TOOL_NAME } from './merger.ts';
import { newPlaces } from './places.ts';
import { sumUsage, type UsageFields } from './sum-usage.ts';

const USAGE: UsageFields = {
  input: 'input_tokens',
  output: ['output_tokens'],
  read: ['cache_read_input_tokens'],
  isReadInside: false,
  written: 'cache_creation_input_tokens',
};

const isOurs = (block: unknown): boolean => asFields(block).type === 'tool_use' && asFields(block).name === TOOL_NAME;

/** Blocks begin and grow by index; the end of the message says why it stopped and what it cost. */
export function mergeAnthropicStream(): StreamMerger {
  const places = newPlaces();
  let held: StreamEvent[] = [];
  const usages: Fields[] = [{}];

  const noteUsage = (usage: unknown): void => {
    usages[places.round - 1] = { ...usages[places.round - 1], ...asFields(usage) };
  };
  const showBlock = (event: StreamEvent, index: number): string => {
    const place = places.find(index);
    return place === index ? event.raw : frameEvent(event.name, { ...asFields(event.data), index: place }, event.raw);
  };
  return {
    take(event) {
      const data = asFields(event.data);
      const index = asNumber(data.index) ?? 0;
      switch (data.type) {
        case 'message_start':
          noteUsage(asFields(data.message).usage);
          return places.round === 1 ? event.raw : '';
        case 'content_block_start':
          if (isOurs(data.content_block)) places.hide(index);
          return places.isHidden(index) ? '' : showBlock(event, index);
        case 'content_block_delta':
        case 'content_block_stop':
          return places.isHidden(index) ? '' : showBlock(event, index);
        case 'message_delta':
          noteUsage(data.usage);
          held.push(event);
          return '';
        case 'message_stop':
          held.push(event);
          return '';
        default:
          return event.raw;
      }
    },
    get isOver() {
      return held.length > 0;
    },
    turnOver() {
      places.turnOver();
      usages.push({});
      held = [];
      return '';
    },
    finish(words) {
      const text = words === undefined ? '' : sayWords(words, places.end);
      if (places.isWhole) return text + held.map(({ raw }) => raw).join('');
      const ends = held.map((event) => {
        const data = asFields(event.data);
        if (data.type !== 'message_delta') return event.raw;
        const delta = asFields(data.delta);
        const stop = words === undefined ? delta.stop_reason : 'end_turn';
        const usage = { ...asFields(data.usage), ...pickStated(sumUsage(usages, USAGE), asFields(data.usage)) };
        return frameEvent(event.name, { ...data, delta: { ...delta, stop_reason: stop }, usage });
      });
      return text + ends.join('');
    },
  };
}

/** A message's end states what it states, and no more. */
const pickStated = (all: Fields, stated: Fields): Fields =>
  Object.fromEntries(Object.entries(all).filter(([name]) => name in stated || /_tokens$/.test(name)));

const sayWords = (text: string, index: number): string =>
  frameEvent('content_block_start', { type: 'content_block_start', index, content_block: { type: 'text', text: '' } }) +
  frameEvent('content_block_delta', { type: 'content_block_delta', index, delta: { type: 'text_delta', text } }) +
  frameEvent('content_block_stop', { type: 'content_block_stop', index });

export const mergeAnthropicAnswers: AnswerMerger = (answers, words) => {
  const last = answers.at(-1) ?? {};
  const content = answers.flatMap((answer) => asList(answer.content)).filter((block) => !isOurs(block));
  return {
    ...last,
    id: answers[0]?.id,
    content: words === undefined ? content : [...content, { type: 'text', text: words }],
    ...(words === undefined ? {} : { stop_reason: 'end_turn' }),
    usage: sumUsage(
      answers.map(({ usage }) => asFields(usage)),
      USAGE,
    ),
  };
};
