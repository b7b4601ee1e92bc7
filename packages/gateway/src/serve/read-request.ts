import { isFields } from '@palimpsest/core/json';
import type { Exchange } from '../exchange/exchange.ts';
import type { GatewayState } from '../gateway-state.ts';
import { BodyError } from '../http/body-error.ts';
import { type ExactNumbers, findExactNumbers } from '../http/exact-numbers.ts';
import { inflateBody } from '../http/inflate-body.ts';
import { parseBody } from '../http/parse-body.ts';
import { findHeader } from '../http/raw-headers.ts';
import { readBody, readLength } from '../http/read-body.ts';

/** A body as it came, and what it says where that can be read. */
export interface ReadRequest {
  readonly bytes: Buffer;
  /** Decompressed; undefined where that is not possible. */
  readonly plain: Buffer | undefined;
  /** Parsed when it is first asked for, large ones a few at a time. */
  parse(): Promise<object | undefined>;
}

/** Who takes longer to send a body makes room for the next. */
const MOST_READING_MS = 1_000;
/** And so does who sends nothing for so long: many that only promise a body would hold up everybody else, one after the other. */
const MOST_SILENT_MS = 100;

/** A body that does not say how large it is may have so many bytes before it needs room, and counts for so many then. */
const UNSTATED = { free: 256 * 2 ** 10, counted: 4 * 2 ** 20 };

/** About how often a compressed body becomes as large as it came: it is decompressed as soon as it is read. */
const CODED_GROWTH = 8;

/** Throws a `BodyError` for what is too large. What is damaged is the provider's to refuse. */
export async function readRequest(
  { mostBodyBytes, readingGate, gate }: Pick<GatewayState, 'mostBodyBytes' | 'readingGate' | 'gate'>,
  exchange: Exchange,
): Promise<ReadRequest> {
  const { incoming, headers, line, signal } = exchange;
  const coding = findHeader(headers, 'content-encoding') ?? '';
  const countPlain = (bytes: number): number => Math.min(mostBodyBytes, coding === '' ? bytes : bytes * CODED_GROWTH);
  let leave = await readingGate.enter(countPlain(readLength(incoming, mostBodyBytes) ?? 0), signal);
  const stopReading = (): void => leave();
  exchange.leaveGate = stopReading;
  const slow = setTimeout(stopReading, MOST_READING_MS).unref();
  const silent = setTimeout(stopReading, MOST_SILENT_MS).unref();
  const beforeMore = async (): Promise<void> => {
    leave = await readingGate.enter(countPlain(UNSTATED.counted), signal);
    slow.refresh();
    silent.refresh();
  };
  const bytes = await readBody(incoming, {
    mostBytes: mostBodyBytes,
    unstated: { bytes: UNSTATED.free, beforeMore },
    onChunk: () => void silent.refresh(),
  }).finally(() => {
    clearTimeout(slow);
    clearTimeout(silent);
  });
  line.bytesIn = bytes.length;
  const plain = await inflateBody(bytes, coding, mostBodyBytes).catch((error: unknown) => {
    if (error instanceof BodyError && error.status === 400) return undefined;
    throw error;
  });
  let parsed: { readonly value: object | undefined } | undefined;
  return {
    bytes,
    plain,
    async parse() {
      if (parsed !== undefined) return parsed.value;
      exchange.leaveGate = await gate.enter(plain?.length ?? 0, signal);
      stopReading();
      // A body that nobody reads goes on as it came.
      if (plain !== undefined) exchange.readNumbers = numbersIn(plain);
      const value = plain === undefined ? undefined : await parseBody(plain);
      parsed = { value: isFields(value) ? value : undefined };
      return parsed.value;
    },
  };
}

/** Looked for when they are first wanted. */
function numbersIn(plain: Buffer): () => Promise<ExactNumbers> {
  let numbers: Promise<ExactNumbers> | undefined;
  return () => {
    numbers ??= findExactNumbers(plain);
    return numbers;
  };
}

const HEAD_BYTES = 256;

/** The model, where it is the first thing that a body says, as with most SDKs: found without reading the rest. */
export const peekModel = (plain: Buffer): string | undefined =>
  /^\s*\{\s*"model"\s*:\s*"([^"\\]+)"/.exec(plain.toString('latin1', 0, HEAD_BYTES))?.[1];

/** How the names of all limits begin. */
const LIMIT = Buffer.from('"max');
const OUTPUT_LIMIT = /^"max(?:_tokens|_completion_tokens|_output_tokens|OutputTokens)"\s*:\s*(\d+)/;
const LIMIT_BYTES = 60;
/** Whoever says it more often is not looked through for it, but read. */
const MOST_LIMITS = 2_000;

/** The most output that a body asks for, found without reading it: what is quoted in its texts has other quotes. Infinite where it may be any. */
export function peekOutputLimit(plain: Buffer): number {
  let most = 0;
  let seen = 0;
  for (let at = plain.indexOf(LIMIT); at >= 0; at = plain.indexOf(LIMIT, at + LIMIT.length)) {
    if (++seen > MOST_LIMITS) return Number.POSITIVE_INFINITY;
    const stated = OUTPUT_LIMIT.exec(plain.toString('latin1', at, at + LIMIT_BYTES))?.[1];
    most = Math.max(most, Number(stated ?? 0));
  }
  return most;
}
