import { type CountText, countMessage, estimateText, type Json } from '@palimpsest/core';
import { isFields } from '@palimpsest/core/json';
import { hash } from './hash.ts';

/** Counts for the window, for the cache and for the bill alike: one counter, so that they never contradict. */
export interface Counter {
  text(text: string): number;
  /** `key` is the block's own spelling, under which its count is remembered. */
  block(block: unknown, key: string): number;
}

/** What a vendor adds around a block, and around a run of blocks of one role. */
const BLOCK_TOKENS = 3;
export const TURN_TOKENS = 4;

/** Fields that address or describe a block; the model does not read them. */
const SILENT = new Set([
  'type',
  'id',
  'role',
  'tool_use_id',
  'tool_call_id',
  'call_id',
  'signature',
  'thoughtSignature',
  'thought_signature',
  'cache_control',
  'prompt_cache_breakpoint',
  'media_type',
  'mimeType',
  'mime_type',
  'status',
  'detail',
  'caller',
  'is_error',
]);

/** Fields that the model reads as JSON. */
const WRITTEN = new Set(['input', 'args', 'input_schema', 'parameters', 'parametersJsonSchema']);

/** By core's estimate of o200k_base unless a host brings a tokenizer. */
export function createCounter(countText: CountText = estimateText): Counter {
  const known = new Map<string, number>();

  const countJson = (value: unknown): number =>
    countMessage(
      { id: '', role: 'user', origin: 'human', parts: [{ type: 'native', wire: '', block: value as Json }] },
      countText,
    ) - BARE_MESSAGE;
  const BARE_MESSAGE = countMessage({ id: '', role: 'user', origin: 'human', parts: [] }, countText);

  const countRead = (value: unknown): number => {
    if (typeof value === 'string') return isBlob(value) ? countJson(value) : countText(value);
    if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + countRead(one), 0);
    if (!isFields(value)) return value === null || value === undefined ? 0 : 1;
    let tokens = 0;
    for (const [key, field] of Object.entries(value))
      if (!SILENT.has(key))
        tokens += WRITTEN.has(key) && typeof field !== 'string' ? countJson(field) : countRead(field);
    return tokens;
  };

  return {
    text: countText,
    block(block, key) {
      const at = hash(key);
      let tokens = known.get(at);
      if (tokens === undefined) {
        tokens = BLOCK_TOKENS + countRead(block);
        known.set(at, tokens);
      }
      return tokens;
    },
  };
}

/** Base64 of an image, a document or something sealed: never charged by its length. */
const isBlob = (text: string): boolean =>
  text.startsWith('data:') || (text.length >= 512 && /^[A-Za-z0-9+/_=-]{512}/.test(text));
