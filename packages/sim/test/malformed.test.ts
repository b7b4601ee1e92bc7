import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sim, startSim } from '../src/index.ts';
import * as anthropic from './malformed/anthropic.ts';
import * as chat from './malformed/chat.ts';
import * as gemini from './malformed/gemini.ts';
import * as responses from './malformed/responses.ts';
import type { Row } from './malformed/row.ts';
import { post, type Said, sim } from './talk.ts';

interface Table {
  readonly name: string;
  readonly path: string;
  readonly rows: readonly Row[];
  /** The vendor's shape, from which the words are taken. */
  words(said: Said, row: Row): string;
}

const status = (row: Row): number => row.status ?? 400;

const openai = ({ json }: Said, row: Row): string => {
  expect(Object.keys(json)).toEqual(['error']);
  expect(json.error).toMatchObject({ type: 'invalid_request_error', code: row.code ?? null });
  expect(json.error).toHaveProperty('param');
  return json.error.message;
};

const tables: readonly Table[] = [
  {
    name: 'Anthropic Messages',
    path: '/v1/messages',
    ...anthropic,
    words({ json, headers }, row) {
      expect(json).toMatchObject({ type: 'error', request_id: headers.get('request-id') });
      expect(json.error.type).toBe(status(row) === 404 ? 'not_found_error' : 'invalid_request_error');
      return json.error.message;
    },
  },
  { name: 'OpenAI Chat', path: '/v1/chat/completions', ...chat, words: openai },
  { name: 'OpenAI Responses', path: '/v1/responses', ...responses, words: openai },
  {
    name: 'Gemini',
    path: '/v1beta/models/gemini-3-pro-preview:generateContent',
    ...gemini,
    words({ json }, row) {
      expect(json.error).toMatchObject({ code: status(row), status: row.code ?? 'INVALID_ARGUMENT' });
      return json.error.message;
    },
  },
];

describe.each(tables)('$name refuses', ({ path, rows, words }) => {
  let shared: Sim;
  beforeAll(async () => {
    shared = await startSim();
  });
  afterAll(() => shared.close());

  it.each(rows)('$what', async (row) => {
    const { url, requests } = shared;
    const headers = Object.fromEntries(Object.entries(row.headers ?? {}).filter(([, value]) => value !== ''));
    const absent = Object.keys(row.headers ?? {}).filter((key) => row.headers![key] === '');
    const said = await post(url, path, row.body, headers, absent);
    expect(said.status).toBe(status(row));
    const message = words(said, row);
    if (typeof row.says === 'string') expect(message).toBe(row.says);
    else expect(message).toMatch(row.says);
    expect(requests.at(-1)!.problem!.path).toBe(row.path);
    expect(said.headers.get('x-sim-path') ?? '').toBe(row.path);
    expect(requests.at(-1)!.usage).toBeUndefined();
  });
});

it('the tables hold what the issue asks for', () => {
  const count = tables.reduce((sum, { rows }) => sum + rows.length, 0);
  expect(count).toBeGreaterThanOrEqual(40);
  for (const { rows } of tables) expect(rows.length).toBeGreaterThanOrEqual(10);
});

it.each([
  ['/v1/messages', 401, 'authentication_error'],
  ['/v1/chat/completions', 401, 'invalid_request_error'],
  ['/v1/responses', 401, 'invalid_request_error'],
  ['/v1beta/models/gemini-2.5-pro:generateContent', 403, 'PERMISSION_DENIED'],
])('%s without a key is refused before the body is read', async (path, code, type) => {
  const { url } = await sim();
  const said = await post(url, path, '{', {}, ['x-api-key', 'authorization', 'x-goog-api-key']);
  expect(said.status).toBe(code);
  expect(said.text).toContain(type);
});

it('more than 32 MB are refused by their bytes', async () => {
  const { url, requests } = await sim();
  const said = await post(url, '/v1/messages', `"${'x'.repeat(32 * 1024 * 1024)}"`);
  expect(said.status).toBe(413);
  expect(said.json.error).toEqual({ type: 'request_too_large', message: 'Request exceeds the maximum size' });
  expect(requests[0]!.problem!.rule).toBe('too-many-bytes');
});

it('paths that no vendor has are not found', async () => {
  const { url } = await sim();
  expect((await post(url, '/v1/complete', {})).status).toBe(404);
});
