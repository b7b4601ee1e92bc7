import type { Problem } from '../api/problem.ts';

/** `messages.3.content.0` as OpenAI writes it: `messages[3].content[0]`. */
export const spellParam = (path: string): string => path.replace(/\.(\d+)/g, '[$1]');

export const invalidRequest = (path: string, rule: string, message: string, code?: string): Problem => ({
  status: 400,
  path,
  rule,
  message,
  param: spellParam(path),
  ...(code === undefined ? {} : { code }),
});

export const missingParameter = (path: string, rule: string): Problem =>
  invalidRequest(path, rule, `Missing required parameter: '${spellParam(path)}'.`, 'missing_required_parameter');

export const wrongType = (path: string, rule: string, expected: string, value: unknown): Problem =>
  invalidRequest(
    path,
    rule,
    `Invalid type for '${spellParam(path)}': expected ${expected}, but got ${nameKind(value)} instead.`,
    'invalid_type',
  );

export const wrongValue = (path: string, rule: string, value: unknown, supported: readonly string[]): Problem =>
  invalidRequest(
    path,
    rule,
    `Invalid value: '${String(value)}'. Supported values are: ${listValues(supported)}.`,
    'invalid_value',
  );

/** The kind of a value as OpenAI's validator spells it. */
const nameKind = (value: unknown): string => {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};

const listValues = (values: readonly string[]): string => {
  const quoted = values.map((value) => `'${value}'`);
  if (quoted.length < 3) return quoted.join(' and ');
  return `${quoted.slice(0, -1).join(', ')}, and ${quoted.at(-1)}`;
};

export const emptyArray = (path: string, rule: string): Problem =>
  invalidRequest(
    path,
    rule,
    `Invalid '${spellParam(path)}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
    'empty_array',
  );

export const longArray = (path: string, rule: string, maximum: number, length: number): Problem =>
  invalidRequest(
    path,
    rule,
    `Invalid '${spellParam(path)}': array too long. Expected an array with maximum length ${maximum}, but got an array with length ${length} instead.`,
    'array_above_max_length',
  );

export const longString = (path: string, rule: string, maximum: number, length: number): Problem =>
  invalidRequest(
    path,
    rule,
    `Invalid '${spellParam(path)}': string too long. Expected a string with maximum length ${maximum}, but got a string with length ${length} instead.`,
    'string_above_max_length',
  );

export const badName = (path: string, rule: string): Problem =>
  invalidRequest(
    path,
    rule,
    `Invalid '${spellParam(path)}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
    'invalid_value',
  );

const TYPES: Readonly<Record<number, string>> = {
  429: 'rate_limit_error',
  500: 'server_error',
  503: 'server_error',
};

export const makeError = (problem: Problem): object => ({
  message: problem.message,
  type: problem.type ?? TYPES[problem.status] ?? 'invalid_request_error',
  param: problem.param ?? null,
  code: problem.code ?? null,
});
