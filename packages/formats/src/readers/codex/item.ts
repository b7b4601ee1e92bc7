import { type CallPart, type ContentPart, type Json, type Part, type ResultPart, text } from '@palimpsest/core';
import { asList, asString, type Fields } from '@palimpsest/core/json';
import { mediaUrl } from '../../content/media.ts';
import { signatureFields } from '../../content/signature.ts';
import { asFieldsOrNone, asJson, asRecords, asWord, getField, omitUndefined, parseOrKeep } from '../../fields.ts';

/** Items of the OpenAI Responses API, in which Codex records what the model sees. */

const WIRE = 'openai-responses';

const nativePart = (item: Fields): ContentPart => ({ type: 'native', wire: WIRE, block: asJson(item) });

function readContent(piece: Fields): ContentPart {
  const words = asString(piece.text);
  if (words !== undefined) return text(words);
  const url = asString(piece.image_url) ?? asString(getField(piece.image_url, 'url'));
  return url === undefined ? nativePart(piece) : mediaUrl(url, 'image/png');
}

const readContents = (content: unknown): readonly ContentPart[] =>
  typeof content === 'string' ? [text(content)] : asRecords(content).map(readContent);

function readOutput(item: Fields): readonly ContentPart[] {
  // A tool search answers with the tools it found.
  if (item.type === 'tool_search_output') return [text(JSON.stringify(item.tools ?? []))];
  const { output } = item;
  if (typeof output === 'string') return output === '' ? [] : [text(output)];
  if (Array.isArray(output)) return readContents(output);
  const inner = asFieldsOrNone(output)?.content;
  return inner === undefined ? [text(JSON.stringify(output ?? ''))] : readContents(inner);
}

const readResult = (item: Fields): ResultPart => ({
  type: 'result',
  callId: asString(item.call_id) ?? '',
  content: readOutput(item),
  ...(getField(item.output, 'success') === false ? { isError: true } : {}),
});

function makeCall(item: Fields, tool: string, input: Json): CallPart {
  const namespace = asWord(item.namespace);
  return {
    type: 'call',
    callId: asString(item.call_id) ?? asString(item.id) ?? '',
    tool,
    input,
    ...(namespace === undefined ? {} : { native: { [WIRE]: { namespace } } }),
  };
}

function readArguments(value: unknown): Json {
  return typeof value === 'string' ? parseOrKeep(value) : asJson(value ?? {});
}

function readReasoning(item: Fields): readonly Part[] {
  const words = [...asRecords(item.summary), ...asRecords(item.content)].flatMap((piece) => asWord(piece.text) ?? []);
  const signature = asWord(item.encrypted_content);
  if (words.length === 0 && signature === undefined) return [];
  // The item goes back as it was, around what is signed.
  const own = omitUndefined({ id: asWord(item.id), summary: asJson(item.summary ?? []) }) as {
    readonly [key: string]: Json;
  };
  return [{ type: 'reasoning', text: words.join('\n\n'), ...signatureFields(WIRE, signature, { item: own }) }];
}

/** Who an item comes from; undefined for records that are no items. */
export type Side = 'model' | 'tool' | 'user' | 'developer' | 'compaction';

export function findSide(item: Fields): Side | undefined {
  const type = asString(item.type) ?? '';
  if (type === 'message') {
    if (item.role === 'assistant') return 'model';
    return item.role === 'user' ? 'user' : 'developer';
  }
  if (type === 'compaction' || type === 'compaction_summary') return 'compaction';
  if (type.endsWith('_output')) return 'tool';
  return type === 'reasoning' || type.endsWith('_call') ? 'model' : undefined;
}

export function readItem(item: Fields): readonly Part[] {
  const type = asString(item.type) ?? '';
  if (type === 'message') return readContents(item.content);
  if (type === 'reasoning') return readReasoning(item);
  if (type.endsWith('_output')) return [readResult(item)];
  if (type === 'function_call') return [makeCall(item, asString(item.name) ?? '', readArguments(item.arguments))];
  if (type === 'custom_tool_call') return [makeCall(item, asString(item.name) ?? '', asJson(item.input ?? ''))];
  if (type === 'local_shell_call') return [makeCall(item, 'shell', asJson(item.action ?? {}))];
  if (type === 'tool_search_call') return [makeCall(item, 'tool_search', readArguments(item.arguments))];
  // What the provider ran itself (web search, image generation) has no result of its own.
  return asList(item.summary).length === 0 ? [nativePart(item)] : readReasoning(item);
}
