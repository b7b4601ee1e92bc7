import { type ContentPart, type Message, type Part, text, type Usage } from '@palimpsest/core';
import { asFields, asNumber, asString, type Fields, isFields } from '@palimpsest/core/json';
import { type AuthoredPart, findUserOrigin, splitByAuthor } from '../../content/authored-part.ts';
import { mediaUrl } from '../../content/media.ts';
import { signatureFields } from '../../content/signature.ts';
import { asJson, asRecords, asWord, getField, omitUndefined, readTime } from '../../fields.ts';
import type { Recorder } from '../../recording/recorder.ts';

/** One message of an OpenCode export. */
export interface Entry {
  readonly id: string;
  readonly info: Fields;
  readonly parts: readonly Fields[];
  readonly time: number | undefined;
}

export const makeEntry = (value: Fields, index: number): Entry => ({
  id: asWord(getField(value.info, 'id')) ?? `message-${index + 1}`,
  info: asFields(value.info),
  parts: asRecords(value.parts),
  time: readTime(getField(value.info, 'time', 'created')),
});

/** A message may hold several model calls; each is a response with its results. */
function splitSteps(entry: Entry): readonly (readonly Fields[])[] {
  let step: Fields[] = [];
  const steps = [step];
  for (const part of entry.parts)
    if (part.type === 'step-start') {
      step = [];
      steps.push(step);
    } else step.push(part);
  return steps.filter((one) => one.length > 0);
}

function readResponse(step: readonly Fields[]): readonly Part[] {
  return step.flatMap((part): Part | readonly Part[] => {
    if (part.type === 'text' && part.ignored !== true) return text(asString(part.text) ?? '');
    if (part.type === 'reasoning')
      return { type: 'reasoning', text: asString(part.text) ?? '', ...findSignature(part.metadata) };
    if (part.type !== 'tool') return [];
    const input = asJson(getField(part.state, 'input') ?? {});
    return { type: 'call', callId: asString(part.callID) ?? '', tool: asString(part.tool) ?? '', input };
  });
}

const WIRES: { readonly [provider: string]: string } = {
  anthropic: 'anthropic-messages',
  openai: 'openai-responses',
  google: 'gemini',
};

/** Each provider keeps its signature under its own key, and by its own name. */
function findSignature(metadata: unknown): ReturnType<typeof signatureFields> {
  for (const [provider, kept] of Object.entries(asFields(metadata)))
    for (const key of ['signature', 'reasoningEncryptedContent', 'reasoningOpaque', 'thoughtSignature']) {
      const found = asWord(getField(kept, key));
      if (found !== undefined) return signatureFields(WIRES[provider] ?? provider, found);
    }
  return {};
}

function readResults(step: readonly Fields[]): readonly Part[] {
  return step.flatMap((part): readonly Part[] => {
    const status = getField(part.state, 'status');
    if (part.type !== 'tool' || (status !== 'completed' && status !== 'error')) return [];
    const words = asWord(getField(part.state, status === 'error' ? 'error' : 'output'));
    const attached = asRecords(getField(part.state, 'attachments')).flatMap((file): readonly ContentPart[] =>
      readMedia(file),
    );
    const content: readonly ContentPart[] = [...(words === undefined ? [] : [text(words)]), ...attached];
    const callId = asString(part.callID) ?? '';
    return [{ type: 'result', callId, content, ...(status === 'error' ? { isError: true } : {}) }];
  });
}

function readMedia(file: Fields): readonly ContentPart[] {
  const mediaType = asString(file.mime) ?? '';
  const url = asWord(file.url);
  // The text of a text file stands beside it in a synthetic part.
  if (url === undefined || mediaType.startsWith('text/') || mediaType === 'application/x-directory') return [];
  return [mediaUrl(url, mediaType, asWord(file.filename))];
}

export function readUsage(tokens: unknown): Usage | undefined {
  if (!isFields(tokens)) return undefined;
  const output = asNumber(getField(tokens, 'output'));
  return omitUndefined({
    input: asNumber(getField(tokens, 'input')),
    output: output === undefined ? undefined : output + (asNumber(getField(tokens, 'reasoning')) ?? 0),
    cacheRead: asNumber(getField(tokens, 'cache', 'read')),
    cacheWrite: asNumber(getField(tokens, 'cache', 'write')),
  });
}

const readStepUsage = (step: readonly Fields[]): Usage | undefined =>
  readUsage(step.findLast((part) => part.type === 'step-finish')?.tokens);

function readSteps(entry: Entry): readonly (readonly [Message | undefined, Message | undefined, Usage | undefined])[] {
  return splitSteps(entry).map((step, index) => {
    const id = index === 0 ? entry.id : `${entry.id}/${index + 1}`;
    const [parts, results] = [readResponse(step), readResults(step)];
    const when = omitUndefined({ at: entry.time });
    return [
      parts.length === 0 ? undefined : { id, role: 'assistant', origin: 'model', parts, ...when },
      results.length === 0 ? undefined : { id: `${id}/results`, role: 'user', origin: 'tool', parts: results, ...when },
      readStepUsage(step) ?? (index === 0 ? readUsage(entry.info.tokens) : undefined),
    ];
  });
}

export function recordResponse(recorder: Recorder, entry: Entry): void {
  for (const [response, results, usage] of readSteps(entry)) {
    if (response !== undefined) recorder.report(recorder.say(response), usage, { model: asWord(entry.info.modelID) });
    if (results !== undefined) recorder.say(results);
  }
}

function readUserParts(entry: Entry): readonly AuthoredPart[] {
  return entry.parts.flatMap((part): readonly AuthoredPart[] => {
    if (part.type === 'file') return readMedia(part).map((media) => ({ part: media, origin: 'human' }));
    if (part.type !== 'text' || part.ignored === true) return [];
    const words = text(asString(part.text) ?? '');
    return [{ part: words, origin: part.synthetic === true ? 'harness' : findUserOrigin(words) }];
  });
}

export const readMessages = (entry: Entry): readonly Message[] =>
  entry.info.role === 'assistant'
    ? readSteps(entry).flatMap(([response, results]) => [response ?? [], results ?? []].flat())
    : splitByAuthor(entry.id, readUserParts(entry), entry.time);
