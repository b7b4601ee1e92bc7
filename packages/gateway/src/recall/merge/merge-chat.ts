import { asFields, asList, asString, type Fields, isFields } from '@palimpsest/core/json';
import { newCallPlaces } from '@palimpsest/wire';
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

/** An event that waits for the end of its round, with the client's own calls in it, each at its place. */
interface Held {
  readonly event: StreamEvent;
  readonly own: readonly unknown[];
}

/** Calls grow by index inside chunks; the last chunks say why it stopped, what it cost, and that it is over. */
export function mergeChatStream(): StreamMerger {
  let first: Fields | undefined;
  const places = newPlaces();
  let calls = newCallPlaces();
  let isOver = false;
  let held: Held[] = [];
  const usages: Fields[] = [{}];
  /** Words of two rounds are two paragraphs. */
  let hasSaid = false;
  let needsGap = false;

  /** The calls of a chunk that are the client's own, each at its place in the one message. */
  const showCalls = (pieces: readonly unknown[]): readonly unknown[] =>
    pieces.flatMap((call, at) => {
      const index = calls.find(call, at);
      if (nameOf(call) === TOOL_NAME) places.hide(index);
      return places.isHidden(index) ? [] : [{ ...asFields(call), index: places.find(index) }];
    });

  const remake: Remake = (event, change) => {
    const data = asFields(event.data);
    const choices = asList(data.choices).map((choice) => change(asFields(choice)));
    return frameEvent(event.name, { ...data, id: first?.id, created: first?.created, choices });
  };

  return {
    take(event) {
      if (!isFields(event.data)) {
        if (!isDone(event)) return event.raw;
        isOver = true;
        held.push({ event, own: [] });
        return '';
      }
      const { data } = event;
      if (isFields(data.error)) return event.raw;
      first ??= data;
      if (isFields(data.usage)) usages[places.round - 1] = data.usage;
      const choice = asFields(asList(data.choices)[0]);
      const delta = asFields(choice.delta);
      const pieces = asList(delta.tool_calls);
      const own = showCalls(pieces);
      const content = asString(delta.content) ?? '';
      if (content !== '') hasSaid = true;
      const hasStopped = asString(choice.finish_reason) !== undefined;
      if (hasStopped) isOver = true;
      if (asList(data.choices).length === 0 || hasStopped) {
        held.push({ event, own });
        return '';
      }
      if (places.isWhole) return event.raw;
      const { tool_calls: _, role, ...rest } = delta;
      const saysMore = Object.values(rest).some((value) => value !== null && value !== '');
      if (own.length === 0 && !saysMore && !(places.round === 1 && pieces.length === 0)) return '';
      const begins = places.round === 1 && role !== undefined ? { role } : {};
      const gap = needsGap && content !== '' ? { content: `\n\n${content}` } : {};
      if (content !== '') needsGap = false;
      const made = { ...begins, ...rest, ...gap, ...(own.length === 0 ? {} : { tool_calls: own }) };
      return remake(event, (one) => ({ ...one, delta: made }));
    },
    get isOver() {
      return isOver;
    },
    turnOver() {
      const said = held.map(({ event }) => sayHeld(event, remake)).join('');
      needsGap = hasSaid;
      places.turnOver();
      calls = newCallPlaces();
      isOver = false;
      usages.push({});
      held = [];
      return said;
    },
    finish(words) {
      if (places.isWhole && words === undefined) return held.map(({ event }) => event.raw).join('');
      const usage = sumUsage(usages, USAGE);
      const ends = held.map((one) => endHeld(one, remake, usage, words));
      return sayWords(first, words) + ends.join('');
    },
  };
}

const sayChoice = (content: string): Fields => ({ index: 0, delta: { content }, finish_reason: null });

/** All else that is no JSON keeps the connection alive, and is not held back. */
const isDone = ({ raw }: StreamEvent): boolean => /^data: ?\[DONE\]/m.test(raw);

const sayWords = (like: Fields | undefined, words: string | undefined): string =>
  words === undefined ? '' : frameEvent(undefined, { ...like, usage: null, choices: [sayChoice(words)] });

type Remake = (event: StreamEvent, change: (choice: Fields) => Fields) => string;

/** What was held back of the last round: why it stopped, what all of them cost, and that it is over. */
function endHeld({ event, own }: Held, remake: Remake, usage: Fields, words: string | undefined): string {
  if (!isFields(event.data)) return event.raw;
  const { data } = event;
  const given = isFields(data.usage) ? { ...event, data: { ...data, usage } } : event;
  return remake(given, (choice) => {
    if (choice.finish_reason === undefined || choice.finish_reason === null) return choice;
    const { tool_calls: _, ...delta } = asFields(choice.delta);
    const made = own.length === 0 ? delta : { ...delta, tool_calls: own };
    return { ...choice, delta: made, finish_reason: words === undefined ? choice.finish_reason : 'stop' };
  });
}

/** A last chunk may have words in it too. */
function sayHeld(event: StreamEvent, remake: Remake): string {
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
