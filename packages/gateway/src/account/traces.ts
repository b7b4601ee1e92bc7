import { randomBytes } from 'node:crypto';
import type { RequestLine } from './request-line.ts';

/** Where spans go: a collector of OpenTelemetry that takes OTLP as JSON over HTTP. */
export interface TraceOptions {
  /** Such as http://127.0.0.1:4318/v1/traces. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `palimpsest-gateway` without it. */
  readonly service?: string;
}

/** Tells a collector about requests, one span each. What it does not take is lost; no request waits for it. */
export interface Traces {
  /** `parent`: the client's own `traceparent`, where it sent one. */
  note(line: RequestLine, parent: string | undefined): void;
  close(): Promise<void>;
}

const FLUSH_MS = 2_000;
const MOST_WAITING = 512;
const SEND_MS = 5_000;

const SERVER_SPAN = 2;
const ERROR_STATUS = 2;

export function createTraces({ url, headers = {}, service = 'palimpsest-gateway' }: TraceOptions): Traces {
  let waiting: object[] = [];
  let timer: NodeJS.Timeout | undefined;
  const resource = { attributes: toAttributes({ 'service.name': service }) };

  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const spans = waiting;
    waiting = [];
    if (spans.length === 0) return;
    const body = { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: '@palimpsest/gateway' }, spans }] }] };
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(SEND_MS),
    });
    await answer.arrayBuffer();
  };

  return {
    note(line, parent) {
      if (waiting.length >= MOST_WAITING) return;
      waiting.push(makeSpan(line, parent));
      timer ??= setTimeout(() => void flush().catch(() => {}), FLUSH_MS).unref();
    },
    close: () => flush().catch(() => {}),
  };
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;

function makeSpan(line: RequestLine, parent: string | undefined): object {
  const [, traceId = randomBytes(16).toString('hex'), parentSpanId] = TRACEPARENT.exec(parent ?? '') ?? [];
  const nanos = (ms: number): string => `${Math.round(ms * 1_000)}000`;
  return {
    traceId,
    spanId: randomBytes(8).toString('hex'),
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name: line.model === undefined ? `${line.method} ${line.path}` : `chat ${line.model}`,
    kind: SERVER_SPAN,
    startTimeUnixNano: nanos(line.at),
    endTimeUnixNano: nanos(line.at + line.totalMs),
    attributes: toAttributes(describeLine(line)),
    ...(line.status >= 500 || line.status === 0 ? { status: { code: ERROR_STATUS } } : {}),
  };
}

/** By the names that OpenTelemetry has for models, and ours. */
const describeLine = (line: RequestLine): Readonly<Record<string, string | number | boolean | undefined>> => ({
  'http.request.method': line.method,
  'url.path': line.path,
  'http.response.status_code': line.status,
  'gen_ai.operation.name': line.model === undefined ? undefined : 'chat',
  'gen_ai.provider.name': line.upstream,
  'gen_ai.request.model': line.model,
  'gen_ai.conversation.id': line.session,
  'gen_ai.conversation.compacted': line.session === undefined ? undefined : line.compacted === true,
  'gen_ai.usage.input_tokens': line.usage?.input,
  'gen_ai.usage.output_tokens': line.usage?.output,
  'gen_ai.usage.cache_read.input_tokens': line.usage?.cacheRead,
  'gen_ai.usage.cache_creation.input_tokens': line.usage?.cacheWrite,
  'palimpsest.request': line.id,
  'palimpsest.tokens.before': line.tokens?.before,
  'palimpsest.tokens.after': line.tokens?.after,
  'palimpsest.recalls': line.recalls,
  'palimpsest.passed': line.passed,
  'palimpsest.overhead_ms': line.overheadMs,
  'palimpsest.first_byte_ms': line.firstByteMs,
});

const toAttributes = (values: Readonly<Record<string, string | number | boolean | undefined>>): readonly object[] =>
  Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: toValue(value) }]));

function toValue(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
