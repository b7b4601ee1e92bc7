import { CompactionError } from '@palimpsest/core';
import type { KeepOptions, PassedEvent } from './keep-options.ts';

/** Tells the host about a request that is about to go out as it came; `strict` refuses it instead. */
export function reportPassed(
  { on, strict }: Pick<KeepOptions, 'on' | 'strict'>,
  passed: Pick<PassedEvent, 'reason' | 'message' | 'model'>,
): void {
  if (strict === true) throw new CompactionError('not-kept', passed.message);
  on?.({ type: 'passed', ...passed });
}

/** How each format says that the server holds the earlier messages. */
const HISTORY_FIELDS: Readonly<Record<string, string>> = {
  'openai-responses': '`previous_response_id` or `conversation`',
  gemini: '`cachedContent`',
  'anthropic-messages': '`thread`',
};

export function describeServerHistory(format: string): string {
  const field = HISTORY_FIELDS[format] ?? '`previousResponseId`, `conversation` or `cachedContent`';
  return (
    `The provider holds the earlier messages of this conversation (${field}), so Palimpsest cannot keep it within ` +
    'the window. Send the whole history with every request instead.'
  );
}
