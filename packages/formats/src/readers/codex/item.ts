import { type CallPart, type ContentPart, type Json, type Part, type ResultPart, text } from '@palimpsest/core';
import { mediaUrl } from '../../content/media.ts';
import { signed } from '../../content/signature.ts';
import {
  at,
  type Fields,
  fieldsOf,
  given,
  jsonOf,
  listOf,
  parsedOr,
  recordsOf,
  stringOf,
  wordOf,
} from '../../fields.ts';

/** Items of the OpenAI Responses API, in which Codex records what the model sees. */

const WIRE = 'openai-responses';

const native = (item: Fields): ContentPart => ({ type: 'native', wire: WIRE, block: jsonOf(item) });

function contentFrom(piece: Fields): ContentPart {
  const words = stringOf(piece.text);
  if (words !== undefined) return text(words);
  const url = stringOf(piece.image_url) ?? stringOf(at(piece.image_url, 'url'));
  return url === undefined ? native(piece) : mediaUrl(url, 'image/png');
}

const contentOf = (content: unknown): readonly ContentPart[] =>
  typeof content === 'string' ? [text(content)] : recordsOf(content).map(contentFrom);

function outputOf(item: Fields): readonly ContentPart[] {
  // A tool search answers with the tools it found.
  if (item.type === 'tool_search_output') return [text(JSON.stringify(item.tools ?? []))];
  const { output } = item;
  if (typeof output === 'string') return output === '' ? [] : [text(output)];
  if (Array.isArray(output)) return contentOf(output);
  const inner = fieldsOf(output)?.content;
  return inner === undefined ? [text(JSON.stringify(output ?? ''))] : contentOf(inner);
}

const resultOf = (item: Fields): ResultPart => ({
  type: 'result',
  callId: stringOf(item.call_id) ?? '',
  content: outputOf(item),
  ...(at(item.output, 'success') === false ? { isError: true } : {}),
});

const callOf = (item: Fields, tool: string, input: Json): CallPart => ({
  type: 'call',
  callId: stringOf(item.call_id) ?? stringOf(item.id) ?? '',
  tool,
  input,
  ...(wordOf(item.namespace) === undefined ? {} : { native: { [WIRE]: { namespace: stringOf(item.namespace)! } } }),
});

function argumentsOf(value: unknown): Json {
  return typeof value === 'string' ? parsedOr(value) : jsonOf(value ?? {});
}

function reasoningOf(item: Fields): readonly Part[] {
  const words = [...recordsOf(item.summary), ...recordsOf(item.content)].flatMap((piece) => wordOf(piece.text) ?? []);
  const signature = wordOf(item.encrypted_content);
  if (words.length === 0 && signature === undefined) return [];
  // The item goes back as it was, around what is signed.
  const own = given({ id: wordOf(item.id), summary: jsonOf(item.summary ?? []) }) as { readonly [key: string]: Json };
  return [{ type: 'reasoning', text: words.join('\n\n'), ...signed(WIRE, signature, { item: own }) }];
}

/** Who an item comes from; undefined for records that are no items. */
export type Side = 'model' | 'tool' | 'user' | 'developer' | 'compaction';

export function sideOf(item: Fields): Side | undefined {
  const type = stringOf(item.type) ?? '';
  if (type === 'message') {
    if (item.role === 'assistant') return 'model';
    return item.role === 'user' ? 'user' : 'developer';
  }
  if (type === 'compaction' || type === 'compaction_summary') return 'compaction';
  if (type.endsWith('_output')) return 'tool';
  return type === 'reasoning' || type.endsWith('_call') ? 'model' : undefined;
}

export function itemParts(item: Fields): readonly Part[] {
  const type = stringOf(item.type) ?? '';
  if (type === 'message') return contentOf(item.content);
  if (type === 'reasoning') return reasoningOf(item);
  if (type.endsWith('_output')) return [resultOf(item)];
  if (type === 'function_call') return [callOf(item, stringOf(item.name) ?? '', argumentsOf(item.arguments))];
  if (type === 'custom_tool_call') return [callOf(item, stringOf(item.name) ?? '', jsonOf(item.input ?? ''))];
  if (type === 'local_shell_call') return [callOf(item, 'shell', jsonOf(item.action ?? {}))];
  if (type === 'tool_search_call') return [callOf(item, 'tool_search', argumentsOf(item.arguments))];
  // What the provider ran itself (web search, image generation) has no result of its own.
  return listOf(item.summary).length === 0 ? [native(item)] : reasoningOf(item);
}
