import type { Problem } from '../api/problem.ts';

export const invalidRequest = (path: string, rule: string, message: string): Problem => ({
  status: 400,
  path,
  rule,
  message,
});

/** In the form of the schema's validator: the field, a colon, what is wrong with it. */
export const schemaProblem = (path: string, rule: string, message: string): Problem =>
  invalidRequest(path, rule, `${path}: ${message}`);

export const missingField = (path: string, rule: string): Problem => schemaProblem(path, rule, 'Field required');

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
};

export const errorBody = (problem: Problem, requestId: string): object => ({
  type: 'error',
  error: { type: problem.type ?? TYPES[problem.status] ?? 'api_error', message: problem.message },
  request_id: requestId,
});
