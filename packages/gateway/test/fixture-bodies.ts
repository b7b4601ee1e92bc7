import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import * as anthropic from '@palimpsest/testing/bodies/anthropic';
import * as chat from '@palimpsest/testing/bodies/chat';
import * as google from '@palimpsest/testing/bodies/gemini';
import * as responses from '@palimpsest/testing/bodies/responses';
import { storeZstd } from './store-zstd.ts';

/** A body as a client sends it. */
export interface FixtureBody {
  readonly path: string;
  readonly coding?: string;
  readonly bytes: Buffer;
}

const PATHS: readonly [string, readonly object[]][] = [
  ['/v1/messages?beta=true', Object.values(anthropic).filter(isBody)],
  ['/v1/chat/completions', Object.values(chat).filter(isBody)],
  ['/v1/responses', Object.values(responses).filter(isBody)],
  ['/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse', Object.values(google).filter(isBody)],
];

function isBody(value: unknown): value is object {
  return typeof value === 'object' && value !== null && ['messages', 'input', 'contents'].some((name) => name in value);
}

/** As clients write JSON: without spaces, with them as Python does, and with every other character escaped. */
const SPELLINGS: readonly ((body: object) => string)[] = [
  (body) => JSON.stringify(body),
  (body) => JSON.stringify(body, null, 2),
  (body) => JSON.stringify(body).replaceAll('":', '": ').replaceAll(',"', ', "'),
  (body) => JSON.stringify(body).replace(/[^\x20-\x7e]/g, escapeUnit),
];

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

const CODINGS: readonly [string | undefined, (bytes: Buffer) => Buffer][] = [
  [undefined, (bytes) => bytes],
  ['gzip', (bytes) => gzipSync(bytes)],
  [undefined, (bytes) => bytes],
  ['br', (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ['zstd', storeZstd],
];

const WORDS = 'naïve façade 日本語 🙂 "quoted" \\ back\\slash line\nbreak \u2028 tab\t 1e21 0.1 -0 null'.split(' ');

/** `count` bodies over all wires, no two the same; none of them is near any window. */
export function makeFixtureBodies(count: number): readonly FixtureBody[] {
  return Array.from({ length: count }, (_, n) => {
    const [path, bodies] = PATHS[n % PATHS.length]!;
    const body = bodies[Math.floor(n / PATHS.length) % bodies.length]!;
    const spell = SPELLINGS[Math.floor(n / 7) % SPELLINGS.length]!;
    const [coding, encode] = CODINGS[n % CODINGS.length]!;
    const extra = { x_extension: { n, words: WORDS.slice(n % WORDS.length), nested: [{ z: 1, a: null }] } };
    const bytes = encode(Buffer.from(spell({ ...body, ...extra })));
    return { path, bytes, ...(coding === undefined ? {} : { coding }) };
  });
}
