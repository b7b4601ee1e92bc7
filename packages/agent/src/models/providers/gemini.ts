import { randomUUID } from 'node:crypto';
import type { Part } from '@palimpsest/core';
import { type GeminiBody, gemini } from '@palimpsest/wire';
import { asFields, asList, asString, type Fields } from '../fields.ts';
import type { ModelRequest, Stop } from '../model.ts';
import type { Answer, Collector, Delta, Provider, ProviderSettings } from './provider.ts';

const bodyFor = ({ maxOutput }: ProviderSettings, request: ModelRequest): GeminiBody & Fields => ({
  ...(request.system === '' ? {} : { systemInstruction: { parts: [{ text: request.system }] } }),
  ...(request.tools.length === 0
    ? {}
    : {
        tools: [
          {
            functionDeclarations: request.tools.map(({ name, description, parameters }) => ({
              name,
              description,
              parametersJsonSchema: parameters,
            })),
          },
        ],
      }),
  generationConfig: { maxOutputTokens: request.maxOutput ?? maxOutput },
  contents: [],
});

export const geminiProvider: Provider = {
  baseUrl: 'https://generativelanguage.googleapis.com',
  keyName: 'GEMINI_API_KEY',
  rules: (settings) => gemini.decode(bodyFor(settings, { system: '', tools: [], messages: [] })).rules,
  request(request, settings) {
    const { body } = gemini.encode(request.messages, bodyFor(settings, request));
    const headers = settings.key === undefined ? {} : { 'x-goog-api-key': settings.key };
    const model = encodeURIComponent(settings.model);
    return { path: `/v1beta/models/${model}:streamGenerateContent?alt=sse`, headers, body };
  },
  collect: () => newCollector(),
  failure: gemini.failure,
};

const STOPS: Readonly<Record<string, Stop>> = { STOP: 'end', MAX_TOKENS: 'length' };

/** Calls need no ids here; the agent's must differ from round to round, so that a screen can tell them apart. */
const named = (part: Part): Part =>
  part.type === 'call' && part.callId.startsWith('gemini-')
    ? { ...part, callId: `call-${randomUUID().slice(0, 8)}` }
    : part;

function newCollector(): Collector {
  const parts: Fields[] = [];
  let usage: Answer['usage'] = {};
  let stop: Stop | undefined;

  return {
    take(event) {
      const fields = asFields(event);
      const found = gemini.usage(fields).usage;
      if (Object.keys(found).length > 0) usage = found;
      const candidate = asFields(asList(fields.candidates)[0]);
      if (typeof candidate.finishReason === 'string') stop = STOPS[candidate.finishReason] ?? 'other';
      return asList(asFields(candidate.content).parts).flatMap((piece) => taken(asFields(piece)));
    },
    end() {
      if (stop === undefined) return undefined;
      const [message] = gemini.decode({ contents: [{ role: 'model', parts }] }).messages;
      const read = (message?.parts ?? []).map(named);
      return { parts: read, stop: read.some((part) => part.type === 'call') ? 'tool' : stop, usage };
    },
  };

  /** Pieces of one text come one by one; a signature closes the piece that it is on. */
  function taken(piece: Fields): readonly Delta[] {
    const last = parts.at(-1);
    const text = asString(piece.text);
    const continues =
      typeof piece.text === 'string' &&
      typeof last?.text === 'string' &&
      (last.thought === true) === (piece.thought === true) &&
      last.thoughtSignature === undefined;
    if (continues) parts[parts.length - 1] = { ...last, ...piece, text: `${last.text}${text}` };
    else parts.push(piece);
    if (text === '') return [];
    return [{ type: piece.thought === true ? 'reasoning-added' : 'text-added', text }];
  }
}
