import { afterEach } from 'vitest';
import { type Sim, type SimOptions, startSim } from '../src/index.ts';

const running: Sim[] = [];

/** A simulator that ends with the test. */
export async function sim(options: SimOptions = {}): Promise<Sim> {
  const one = await startSim({ virtualTime: true, ...options });
  running.push(one);
  return one;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.close()));
});

export interface Said {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of four formats
  readonly json: any;
}

const HEADERS = {
  anthropic: { 'x-api-key': 'key', 'anthropic-version': '2023-06-01' },
  openai: { authorization: 'Bearer key' },
  google: { 'x-goog-api-key': 'key' },
} as const;

/** A request without an SDK, for what SDKs do not let through. */
export async function post(
  url: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  absent: readonly string[] = [],
): Promise<Said> {
  const vendor = path.startsWith('/v1/messages') ? 'anthropic' : path.startsWith('/v1beta') ? 'google' : 'openai';
  const all = new Headers({ 'content-type': 'application/json', ...HEADERS[vendor], ...headers });
  for (const name of absent) all.delete(name);
  const response = await fetch(url + path, {
    method: 'POST',
    headers: all,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status: response.status, headers: response.headers, text, json };
}

/** About so many tokens of prose that differ from any other seed's. */
export const prose = (tokens: number, seed = 0): string =>
  Array.from({ length: Math.ceil(tokens / 10) }, (_, i) => `Line ${seed} holds word ${i} of it.`).join('\n');
