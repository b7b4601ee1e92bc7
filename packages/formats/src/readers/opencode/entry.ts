import { type ContentPart, type Message, type Part, text, type Usage } from '@palimpsest/core';
import { type Tagged, userMessages, userOrigin } from '../../content/authored-part.ts';
import { mediaUrl } from '../../content/media.ts';
import { signed } from '../../content/signature.ts';
import {
  at,
  type Fields,
  fieldsOf,
  given,
  jsonOf,
  numberOf,
  recordsOf,
  stringOf,
  timeOf,
  wordOf,
} from '../../fields.ts';
import type { Draft } from '../../recording/recorder.ts';

/** One message of an OpenCode export. */
export interface Entry {
  readonly id: string;
  readonly info: Fields;
  readonly parts: readonly Fields[];
  readonly time: number | undefined;
}

export const entryOf = (value: Fields, index: number): Entry => ({
  id: wordOf(at(value.info, 'id')) ?? `message-${index + 1}`,
  info: fieldsOf(value.info) ?? {},
  parts: recordsOf(value.parts),
  time: timeOf(at(value.info, 'time', 'created')),
});

/** A message may hold several model calls; each is a response with its results. */
function stepsOf(entry: Entry): readonly (readonly Fields[])[] {
  const steps: Fields[][] = [[]];
  for (const part of entry.parts)
    if (part.type === 'step-start') steps.push([]);
    else steps.at(-1)!.push(part);
  return steps.filter((step) => step.length > 0);
}

function responseParts(step: readonly Fields[]): readonly Part[] {
  return step.flatMap((part): Part | readonly Part[] => {
    if (part.type === 'text' && part.ignored !== true) return text(stringOf(part.text) ?? '');
    if (part.type === 'reasoning')
      return { type: 'reasoning', text: stringOf(part.text) ?? '', ...signatureIn(part.metadata) };
    if (part.type !== 'tool') return [];
    const input = jsonOf(at(part.state, 'input') ?? {});
    return { type: 'call', callId: stringOf(part.callID) ?? '', tool: stringOf(part.tool) ?? '', input };
  });
}

const WIRES: { readonly [provider: string]: string } = {
  anthropic: 'anthropic-messages',
  openai: 'openai-responses',
  google: 'gemini',
};

/** Each provider keeps its signature under its own key, and by its own name. */
function signatureIn(metadata: unknown): ReturnType<typeof signed> {
  for (const [provider, kept] of Object.entries(fieldsOf(metadata) ?? {}))
    for (const key of ['signature', 'reasoningEncryptedContent', 'reasoningOpaque', 'thoughtSignature']) {
      const found = wordOf(at(kept, key));
      if (found !== undefined) return signed(WIRES[provider] ?? provider, found);
    }
  return {};
}

function resultParts(step: readonly Fields[]): readonly Part[] {
  return step.flatMap((part): readonly Part[] => {
    const status = at(part.state, 'status');
    if (part.type !== 'tool' || (status !== 'completed' && status !== 'error')) return [];
    const words = wordOf(at(part.state, status === 'error' ? 'error' : 'output'));
    const attached = recordsOf(at(part.state, 'attachments')).flatMap((file): readonly ContentPart[] => mediaIn(file));
    const content: readonly ContentPart[] = [...(words === undefined ? [] : [text(words)]), ...attached];
    const callId = stringOf(part.callID) ?? '';
    return [{ type: 'result', callId, content, ...(status === 'error' ? { isError: true } : {}) }];
  });
}

function mediaIn(file: Fields): readonly ContentPart[] {
  const mediaType = stringOf(file.mime) ?? '';
  const url = wordOf(file.url);
  // The text of a text file stands beside it in a synthetic part.
  if (url === undefined || mediaType.startsWith('text/') || mediaType === 'application/x-directory') return [];
  return [mediaUrl(url, mediaType, wordOf(file.filename))];
}

export function usageFrom(tokens: unknown): Usage | undefined {
  if (fieldsOf(tokens) === undefined) return undefined;
  const output = numberOf(at(tokens, 'output'));
  return given({
    input: numberOf(at(tokens, 'input')),
    output: output === undefined ? undefined : output + (numberOf(at(tokens, 'reasoning')) ?? 0),
    cacheRead: numberOf(at(tokens, 'cache', 'read')),
    cacheWrite: numberOf(at(tokens, 'cache', 'write')),
  });
}

const stepUsage = (step: readonly Fields[]): Usage | undefined =>
  usageFrom(step.findLast((part) => part.type === 'step-finish')?.tokens);

function responseMessages(
  entry: Entry,
): readonly (readonly [Message | undefined, Message | undefined, Usage | undefined])[] {
  return stepsOf(entry).map((step, index) => {
    const id = index === 0 ? entry.id : `${entry.id}/${index + 1}`;
    const [parts, results] = [responseParts(step), resultParts(step)];
    const when = given({ at: entry.time });
    return [
      parts.length === 0 ? undefined : { id, role: 'assistant', origin: 'model', parts, ...when },
      results.length === 0 ? undefined : { id: `${id}/results`, role: 'user', origin: 'tool', parts: results, ...when },
      stepUsage(step) ?? (index === 0 ? usageFrom(entry.info.tokens) : undefined),
    ];
  });
}

export function sayResponse(draft: Draft, entry: Entry): void {
  for (const [response, results, usage] of responseMessages(entry)) {
    if (response !== undefined) draft.report(draft.say(response), usage);
    if (results !== undefined) draft.say(results);
  }
}

function userTagged(entry: Entry): readonly Tagged[] {
  return entry.parts.flatMap((part): readonly Tagged[] => {
    if (part.type === 'file') return mediaIn(part).map((media) => ({ part: media, origin: 'human' }));
    if (part.type !== 'text' || part.ignored === true) return [];
    const words = text(stringOf(part.text) ?? '');
    return [{ part: words, origin: part.synthetic === true ? 'harness' : userOrigin(words) }];
  });
}

export const messagesOf = (entry: Entry): readonly Message[] =>
  entry.info.role === 'assistant'
    ? responseMessages(entry).flatMap(([response, results]) => [response ?? [], results ?? []].flat())
    : userMessages(entry.id, userTagged(entry), entry.time);
