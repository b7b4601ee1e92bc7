import type { Fields } from '@palimpsest/core/json';
import type { Answer } from '../api/api.ts';
import { type Sending, sseEvent } from '../api/sending.ts';
import { type SimUsage, totalInput } from '../api/usage.ts';
import { identifier } from '../random.ts';
import { type SimStop, splitText } from '../script/reply.ts';
import type { GeminiPrepared } from './prepare.ts';
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
    return sendBody({ type: 'json', value: response(answer, makeParts(answer, spoken.text, spoken.thinking), true) });
  const chunks = [...makeChunks(answer)];
  return sendBody(
    prepared.sse ? { type: 'events', events: chunks.map((chunk) => sseEvent(chunk)) } : { type: 'json', value: chunks },
  );
}

const sendBody = (body: Sending['body']): Sending => ({ status: 200, headers: {}, body });

/** Only the first of the calls that were made at once is signed. */
function makeParts(
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

function* makeChunks(answer: Answer<GeminiPrepared>): Generator<Fields, void> {
  const { spoken } = answer;
  const thoughts = splitText(spoken.thinking, CHARS).map((text) => [{ text, thought: true }]);
  const words = splitText(spoken.text, CHARS).map((text) => [{ text }]);
  const calls = spoken.calls.length === 0 ? [] : [makeParts(answer, '', '')];
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
    ...(usage === undefined ? {} : { usageMetadata: writeUsage(usage) }),
    modelVersion: model.name,
    responseId: identifier('', seed, n, 'response'),
  };
}

const writeUsage = (usage: SimUsage): Fields => ({
  promptTokenCount: totalInput(usage),
  candidatesTokenCount: usage.output - usage.reasoning,
  totalTokenCount: totalInput(usage) + usage.output,
  ...(usage.cacheRead === 0 ? {} : { cachedContentTokenCount: usage.cacheRead }),
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalInput(usage) }],
  ...(usage.reasoning === 0 ? {} : { thoughtsTokenCount: usage.reasoning }),
});
