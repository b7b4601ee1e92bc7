import { type CallPart, type Message, type Part, partText, type ResultPart } from '@palimpsest/core';
import {
  asFields,
  asList,
  asString,
  type Fields,
  isBlank,
  isFields,
  isSameJson,
  omitFields,
} from '@palimpsest/core/json';
import type { Decoded, EncodeOptions } from '@palimpsest/wire';
import {
  callsIn,
  changeByType,
  changeEach,
  changeFields,
  isMessageFields,
  makeWellFormed,
  messageFieldsOf,
  nameMessages,
  nativeOf,
  OPENING,
  type Piece,
  splice,
} from '@palimpsest/wire/body';
import type { Format } from '../conversations/keep-options.ts';
import { createRenames } from '../mend-calls.ts';
import { reasoningRules } from '../reasoning-rules.ts';
import { placeBreakpoints } from './ai-sdk-breakpoints.ts';
import { AI_SDK, type PromptBody, type PromptSource, readPrompt } from './ai-sdk-read.ts';

export type { PromptBody } from './ai-sdk-read.ts';

/** Prompts of specification v2, v3 and v4. What is not changed is handed on as the very object it was. */
export const aiSdkPrompt: Format<PromptBody> = { name: AI_SDK, decode, encode };

function decode({ prompt: given, tools, model, providerOptions }: PromptBody): Decoded {
  const prompt = makeWellFormed(given);
  const { lead, reads } = readPrompt(prompt);
  return {
    messages: nameMessages(reads),
    system: prompt
      .slice(0, lead)
      .map((message) => String(asFields(message).content))
      .join('\n'),
    tools: asList(tools).map((tool) => JSON.parse(JSON.stringify(tool))),
    partial: Object.values(asFields(providerOptions)).some(hasServerHistory),
    rules: reasoningRules(model),
  };
}

const hasServerHistory = (options: unknown): boolean => {
  const { previousResponseId, conversation, cachedContent } = asFields(options);
  return (previousResponseId ?? conversation ?? cachedContent ?? null) !== null;
};

function encode(
  view: readonly Message[],
  body: PromptBody,
  { cacheBreakpoints = false }: EncodeOptions = {},
): { body: PromptBody; headers: Record<string, string> } {
  const given = changeFields({ prompt: makeWellFormed })(body) as PromptBody;
  const laid = mendCalls(layView(makeWellFormed(view), given));
  return { body: cacheBreakpoints === false ? laid : placeBreakpoints(laid), headers: {} };
}

function mendCalls(body: PromptBody): PromptBody {
  const { call, result, tool } = createRenames(body.tools);
  const part = changeByType({
    'tool-call': changeFields({ toolCallId: call, toolName: tool }),
    'tool-result': changeFields({ toolCallId: result, toolName: tool }),
    'tool-approval-request': changeFields({ toolCallId: result }),
  });
  return changeFields({ prompt: changeEach(changeFields({ content: changeEach(part) })) })(body) as PromptBody;
}

function layView(view: readonly Message[], body: PromptBody): PromptBody {
  const { lead, reads } = readPrompt(body.prompt);
  const { shared, rest } = splice(view, reads);
  if (shared === view.length && shared === reads.length) return body;
  const calls = callsIn(view);
  const begins = shared === 0 && view[0]?.role === 'assistant' && reads[0]?.role !== 'assistant';
  const prompt = [
    ...body.prompt.slice(0, lead + shared),
    ...(begins ? [{ role: 'user', content: [{ type: 'text', text: OPENING }] }] : []),
    ...rest.flatMap((piece) => encodeMessage(piece, calls)),
  ];
  return { ...body, prompt };
}

function encodeMessage(
  { message, read, exact }: Piece<PromptSource>,
  calls: ReadonlyMap<string, CallPart>,
): readonly unknown[] {
  if (exact && read !== undefined) return [read.source.message];
  const { role: given, ...fields } = messageFieldsOf(message, AI_SDK);
  const sourceOf = findSources(message, read?.parts ?? [], read?.source.parts ?? []);
  const results: unknown[] = [];
  const others: unknown[] = [];
  for (const part of message.parts) {
    if (isMessageFields(part)) continue;
    const source = sourceOf(part);
    if (part.type === 'result') results.push(source.same ? source.part : encodeResult(part, source.part, calls));
    else if (asFields(source.part).type === 'tool-approval-response') results.push(source.part);
    else others.push(...(source.same ? [source.part] : encodePart(part)));
  }
  const role = given === 'system' ? 'system' : message.role;
  const content = role === 'system' ? others.map((part) => asString(asFields(part).text) ?? '').join('\n') : others;
  return [
    ...(results.length === 0 ? [] : [{ role: 'tool', ...fields, content: results }]),
    ...(content.length === 0 ? [] : [{ role, ...fields, content }]),
  ];
}

/** What each part of a changed message was read from, and whether it still says the same. */
function findSources(
  message: Message,
  read: readonly Part[],
  from: readonly unknown[],
): (part: Part) => { readonly part?: unknown; readonly same: boolean } {
  const found = new Map<Part, { part: unknown; same: boolean }>();
  let next = 0;
  for (const part of message.parts) {
    const at = read.findIndex((one, i) => i >= next && (isSameJson(one, part) || isSameAnswer(one, part)));
    if (at < 0) continue;
    next = at + 1;
    found.set(part, { part: from[at], same: isSameJson(read[at], part) });
  }
  return (part) => found.get(part) ?? { same: false };
}

const isSameAnswer = (a: Part, b: Part): boolean =>
  (a.type === 'call' || a.type === 'result') && a.type === b.type && a.callId === b.callId;

function encodePart(part: Part): readonly Fields[] {
  const rest = nativeOf(part, AI_SDK);
  switch (part.type) {
    case 'call':
      return [{ type: 'tool-call', toolCallId: part.callId, toolName: part.tool, input: part.input, ...rest }];
    case 'native':
    case 'reasoning':
      return [];
    default: {
      const text = partText(part);
      return isBlank(text) ? [] : [{ type: 'text', text, ...rest }];
    }
  }
}

function encodeResult(part: ResultPart, source: unknown, calls: ReadonlyMap<string, CallPart>): Fields {
  const before = asFields(source);
  const toolName = asString(before.toolName) ?? calls.get(part.callId)?.tool ?? 'tool';
  const rest = { ...omitFields(before, 'type', 'toolCallId', 'toolName', 'output'), ...nativeOf(part, AI_SDK) };
  return { type: 'tool-result', toolCallId: part.callId, toolName, output: outputOf(part, before.output), ...rest };
}

/** Pictures that stayed are sent as they came; all the rest is text. */
function outputOf(part: ResultPart, source: unknown): Fields {
  const { type, value } = asFields(source);
  const pieces = type === 'content' ? asList(value) : [];
  if (part.content.every((piece) => piece.type === 'text'))
    return { type: part.isError === true ? 'error-text' : 'text', value: part.content.map(partText).join('\n') };
  const kept = part.content.map((piece, i) =>
    piece.type === 'text' || !isFields(pieces[i]) ? { type: 'text', text: partText(piece) } : pieces[i],
  );
  return { type: 'content', value: kept };
}
