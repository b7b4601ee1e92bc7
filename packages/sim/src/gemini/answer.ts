import type { Answer } from '../api/api.ts';
import { inputOf, type SimUsage } from '../api/usage.ts';
import { type Sending, sse } from '../http/transmit.ts';
import type { Fields } from '../json.ts';
import { identifier } from '../random.ts';
import { pieces, type SimStop } from '../script/reply.ts';
import type { GeminiPrepared } from './api.ts';
import { signCall } from './sign.ts';

const STOPS: Readonly<Record<SimStop, string>> = {
  end: 'STOP',
  calls: 'STOP',
  length: 'MAX_TOKENS',
  window: 'MAX_TOKENS',
  refused: 'SAFETY',
};
const CHARS = 60;

export function answerContent(answer: Answer<GeminiPrepared>): Sending {
  const { prepared, spoken } = answer;
  if (!prepared.stream)
    return sent({ type: 'json', value: response(answer, partsOf(answer, spoken.text, spoken.thinking), true) });
  const chunks = [...chunksOf(answer)];
  return sent(
    prepared.sse ? { type: 'events', events: chunks.map((chunk) => sse(chunk)) } : { type: 'json', value: chunks },
  );
}

const sent = (body: Sending['body']): Sending => ({ status: 200, headers: {}, body });

/** Only the first of the calls that were made at once is signed. */
function partsOf(
  { seed, n, spoken, model }: Answer<GeminiPrepared>,
  text: string,
  thinking: string,
): readonly Fields[] {
  const calls = spoken.calls.map(({ name, input }, i) => ({
    functionCall: { id: identifier('', seed, n, i, 'call'), name, args: input },
    ...(model.thoughtSignatures === true && i === 0 ? { thoughtSignature: signCall(name, input) } : {}),
  }));
  return [
    ...(thinking === '' ? [] : [{ text: thinking, thought: true }]),
    ...(text === '' && calls.length > 0 ? [] : [{ text }]),
    ...calls,
  ];
}

function* chunksOf(answer: Answer<GeminiPrepared>): Generator<Fields, void> {
  const { spoken } = answer;
  const thoughts = pieces(spoken.thinking, CHARS).map((text) => [{ text, thought: true }]);
  const words = pieces(spoken.text, CHARS).map((text) => [{ text }]);
  const calls = spoken.calls.length === 0 ? [] : [partsOf(answer, '', '')];
  const all: readonly (readonly Fields[])[] = [...thoughts, ...words, ...calls];
  const list = all.length === 0 ? [[{ text: '' }]] : all;
  for (const [i, parts] of list.entries()) yield response(answer, parts, i === list.length - 1);
}

function response(answer: Answer<GeminiPrepared>, parts: readonly Fields[], isLast: boolean): Fields {
  const { seed, n, model, spoken, usage } = answer;
  return {
    candidates: [
      {
        content: { parts, role: 'model' },
        ...(isLast ? { finishReason: STOPS[spoken.stop] } : {}),
        index: 0,
      },
    ],
    ...(usage === undefined ? {} : { usageMetadata: usageOf(usage) }),
    modelVersion: model.name,
    responseId: identifier('', seed, n, 'response'),
  };
}

const usageOf = (usage: SimUsage): Fields => ({
  promptTokenCount: inputOf(usage),
  candidatesTokenCount: usage.output - usage.reasoning,
  totalTokenCount: inputOf(usage) + usage.output,
  ...(usage.cacheRead === 0 ? {} : { cachedContentTokenCount: usage.cacheRead }),
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: inputOf(usage) }],
  ...(usage.reasoning === 0 ? {} : { thoughtsTokenCount: usage.reasoning }),
});
