import { asFields, asList, asString, type Fields, isFields } from '@palimpsest/core/json';
import { frameEvent, type StreamEvent } from '../read-events.ts';
import { type AnswerMerger, type StreamMerger, TOOL_NAME } from './merger.ts';
import { sumUsage, type UsageFields } from './sum-usage.ts';

const USAGE: UsageFields = {
  input: 'promptTokenCount',
  output: ['candidatesTokenCount', 'thoughtsTokenCount'],
  read: ['cachedContentTokenCount'],
  isReadInside: true,
  total: 'totalTokenCount',
};

const isOurs = (part: unknown): boolean => asFields(asFields(part).functionCall).name === TOOL_NAME;

const candidateOf = (data: unknown): Fields => asFields(asList(asFields(data).candidates)[0]);
const partsOf = (candidate: Fields): readonly unknown[] => asList(asFields(candidate.content).parts);

/** A chunk with these parts in the place of its own. */
function withParts(data: Fields, parts: readonly unknown[], more: Fields = {}): Fields {
  const candidate = candidateOf(data);
  const content = { ...asFields(candidate.content), parts };
  return { ...data, candidates: [{ ...candidate, content, ...more }] };
}

/** Every chunk is a whole small response; the last one says why it stopped. */
export function mergeGeminiStream(): StreamMerger {
  let id: unknown;
  let round = 1;
  let hasHidden = false;
  let held: StreamEvent | undefined;
  const usages: Fields[] = [{}];

  const isWhole = (): boolean => round === 1 && !hasHidden;
  const name = (data: Fields): Fields => (id === undefined ? data : { ...data, responseId: id });
  return {
    take(event) {
      if (!isFields(event.data) || isFields(event.data.error)) return event.raw;
      const { data } = event;
      id ??= data.responseId;
      if (isFields(data.usageMetadata)) usages[round - 1] = data.usageMetadata;
      const candidate = candidateOf(data);
      const parts = partsOf(candidate);
      const own = parts.filter((part) => !isOurs(part));
      if (own.length < parts.length) hasHidden = true;
      if (asString(candidate.finishReason) !== undefined) {
        held = event;
        return '';
      }
      if (isWhole()) return event.raw;
      return own.length === 0 ? '' : frameEvent(event.name, name(withParts(data, own)), event.raw);
    },
    get isOver() {
      return held !== undefined;
    },
    turnOver() {
      const data = asFields(held?.data);
      const { finishReason: _, ...candidate } = candidateOf(data);
      const own = partsOf(candidate).filter((part) => !isOurs(part));
      const madeOf = held?.raw;
      held = undefined;
      round++;
      usages.push({});
      if (own.length === 0) return '';
      const { usageMetadata: __, ...rest } = withParts({ ...data, candidates: [candidate] }, own);
      return frameEvent(undefined, name(rest), madeOf);
    },
    finish(words) {
      if (held === undefined) return '';
      if (isWhole() && words === undefined) return held.raw;
      const data = asFields(held.data);
      const own = partsOf(candidateOf(data)).filter((part) => !isOurs(part));
      const parts = words === undefined ? own : [...own, { text: words }];
      const whole = { ...name(withParts(data, parts)), usageMetadata: sumUsage(usages, USAGE) };
      return frameEvent(held.name, whole, held.raw);
    },
  };
}

export const mergeGeminiAnswers: AnswerMerger = (answers, words) => {
  const last = answers.at(-1) ?? {};
  const parts = answers.flatMap((answer) => partsOf(candidateOf(answer))).filter((part) => !isOurs(part));
  return {
    ...withParts(last, words === undefined ? parts : [...parts, { text: words }]),
    ...(answers[0]?.responseId === undefined ? {} : { responseId: answers[0].responseId }),
    usageMetadata: sumUsage(
      answers.map(({ usageMetadata }) => asFields(usageMetadata)),
      USAGE,
    ),
  };
};
