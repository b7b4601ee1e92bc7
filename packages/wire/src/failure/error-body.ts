import { asFields, asString, type Fields, isFields, parseJson } from '@palimpsest/core/json';

/** What an error response says, wherever its vendor put it. */
export interface ErrorBody {
  /** All that was said, the outer message first. */
  readonly text: string;
  /** Types, codes and statuses, in lower case. */
  readonly codes: readonly string[];
  readonly details: Fields;
}

const MAX_DEPTH = 8;

/** Only the places where vendors put their own words are read: an error may also echo what the user sent. */
export function readErrorBody(body: unknown): ErrorBody | undefined {
  const texts: string[] = [];
  const codes: string[] = [];
  let details: Fields = {};

  const visit = (value: unknown, depth: number): void => {
    if (depth > MAX_DEPTH) return;
    if (typeof value === 'string') readWords(value, depth);
    else if (Array.isArray(value)) visit(value[0], depth);
    else if (isFields(value)) readFields(value, depth);
  };

  const readFields = (value: Fields, depth: number): void => {
    for (const key of ['type', 'code', 'status', '__type']) {
      const code = value[key];
      if (typeof code === 'string' && code !== 'error') codes.push(code.toLowerCase());
    }
    details = { ...value, ...details };
    for (const key of ['message', 'Message', 'detail', 'error', 'raw', 'error_message', 'msg'])
      visit(value[key], depth + 1);
    visit(asFields(value.metadata).raw, depth + 1);
    const code = asString(asFields(value.details).error_code);
    if (code !== undefined) codes.push(code);
  };

  // Gateways put the upstream's JSON into a string of their own.
  const readWords = (value: string, depth: number): void => {
    const inner = /^\s*[[{]/.test(value) ? parseJson(value) : undefined;
    if (inner !== undefined) visit(inner, depth + 1);
    else if (value.trim() !== '') texts.push(value.trim());
  };

  visit(body, 0);
  if (texts.length === 0 && codes.length === 0) return undefined;
  return { text: texts.join('\n'), codes, details };
}
