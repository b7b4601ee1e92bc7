import { asFields, asList, asNumber, asString, type Fields, isFields } from '@palimpsest/core/json';
import { frameEvent, type StreamEvent } from '../read-events.ts';
import { type AnswerMerger, type StreamMerger, TOOL_NAME } from './merger.ts';
import { newPlaces } from './places.ts';
import { sumUsage, type UsageFields } from './sum-usage.ts';

const USAGE: UsageFields = {
  input: 'prompt_tokens',
  output: ['completion_tokens'],
  read: ['prompt_tokens_details', 'cached_tokens'],
  isReadInside: true,
  total: 'total_tokens',
};

const nameOf = (call: unknown): unknown => asFields(asFields(call).function).name;

/** Calls grow by index inside chunks; the last chunks say why it stopped, what it cost, and that it is over. */
export function mergeChatStream(): StreamMerger {
  let first: Fields | undefined;
  const places = newPlaces();
  let held: StreamEvent[] = [];
  const usages: Fields[] = [{}];
  /** Words of two rounds are two paragraphs. */
  let hasSaid = false;
  let needsGap = false;

  /** The calls of a chunk that are the client's own, each at its place in the one message. */
  const showCalls = (calls: readonly unknown[]): readonly unknown[] =>
    calls.flatMap((call) => {
      const index = asNumber(asFields(call).index) ?? 0;
      if (nameOf(call) === TOOL_NAME) places.hide(index);
      return places.isHidden(index) ? [] : [{ ...asFields(call), index: places.find(index) }];
    });

  const remake = (event: StreamEvent, change: (choice: Fields) => Fields): string => {
    const data = asFields(event.data);
    const choices = asList(data.choices).map((choice) => change(asFields(choice)));
    return frameEvent(event.name, { ...data, id: first?.id, created: first?.created, choices });
  };

  return {
    take(event) {
      if (!isFields(event.data)) {
        held.push(event);
        return '';
      }
      const { data } = event;
      first ??= data;
      if (isFields(data.usage)) usages[places.round - 1] = data.usage;
      const choice = asFields(asList(data.choices)[0]);
      const delta = asFields(choice.delta);
      const calls = asList(delta.tool_calls);
      const own = showCalls(calls);
      const content = asString(delta.content) ?? '';
      if (content !== '') hasSaid = true;
      if (asList(data.choices).length === 0 || asString(choice.finish_reason) !== undefined) {
        held.push(event);
        return '';
      }
      if (places.isWhole) return event.raw;
      const { tool_calls: _, role, ...rest } = delta;
      const saysMore = Object.values(rest).some((value) => value !== null && value !== '');
      if (own.length === 0 && !saysMore && !(places.round === 1 && calls.length === 0)) return '';
      const begins = places.round === 1 && role !== undefined ? { role } : {};
      const gap = needsGap && content !== '' ? { content: `\n\n${content}` } : {};
      if (content !== '') needsGap = false;
      const made = { ...begins, ...rest, ...gap, ...(own.length === 0 ? {} : { tool_calls: own }) };
      return remake(event, (one) => ({ ...one, delta: made }));
    },
    turnOver() {
      const said = held.map((event) => sayHeld(event, remake)).join('');
      needsGap = hasSaid;
      places.turnOver();
      usages.push({});
      held = [];
      return said;
    },
    finish(words) {
      if (places.isWhole && words === undefined) return held.map(({ raw }) => raw).join('');
      const usage = sumUsage(usages, USAGE);
      const ends = held.map((event) => {
        if (!isFields(event.data)) return event.raw;
        const { data } = event;
        const given = isFields(data.usage) ? { ...event, data: { ...data, usage } } : event;
        return remake(given, (choice) => {
          if (choice.finish_reason === undefined || choice.finish_reason === null) return choice;
          const { tool_calls: _, ...delta } = asFields(choice.delta);
          const reason = words === undefined ? choice.finish_reason : 'stop';
          return { ...choice, delta, finish_reason: reason };
        });
      });
      const text =
        words === undefined ? '' : frameEvent(undefined, { ...first, usage: null, choices: [sayChoice(words)] });
      return text + ends.join('');
    },
  };
}

const sayChoice = (content: string): Fields => ({ index: 0, delta: { content }, finish_reason: null });

/** A last chunk may have words in it too. */
function sayHeld(
  event: StreamEvent,
  remake: (event: StreamEvent, change: (choice: Fields) => Fields) => string,
): string {
  const content = asString(asFields(asFields(asList(asFields(event.data).choices)[0]).delta).content);
  return content === undefined || content === '' ? '' : remake(event, () => sayChoice(content));
}

export const mergeChatAnswers: AnswerMerger = (answers, words) => {
  const last = answers.at(-1) ?? {};
  const messages = answers.map((answer) => asFields(asFields(asList(answer.choices)[0]).message));
  const texts = messages.flatMap(({ content }) => asString(content) ?? []);
  const content = [...texts, ...(words === undefined ? [] : [words])].filter((text) => text !== '').join('\n\n');
  const calls = messages.flatMap(({ tool_calls }) => asList(tool_calls)).filter((call) => nameOf(call) !== TOOL_NAME);
  const { tool_calls: _, ...message } = messages.at(-1) ?? {};
  const choice = asFields(asList(last.choices)[0]);
  return {
    ...last,
    id: answers[0]?.id,
    choices: [
      {
        ...choice,
        message: {
          ...message,
          content: content === '' ? null : content,
          ...(calls.length === 0 ? {} : { tool_calls: calls }),
        },
        ...(words === undefined ? {} : { finish_reason: 'stop' }),
      },
    ],
    usage: sumUsage(
      answers.map(({ usage }) => asFields(usage)),
      USAGE,
    ),
  };
};
