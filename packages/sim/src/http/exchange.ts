import type { ServerResponse } from 'node:http';
import { asFields, asString } from '@palimpsest/core/json';
import { priceOf } from '../account/bill.ts';
import type { SimEntry } from '../account/log.ts';
import type { Api, Incoming, Prepared } from '../api/api.ts';
import type { Problem } from '../api/problem.ts';
import type { Sending } from '../api/sending.ts';
import { decide } from '../decision/decide.ts';
import type { World } from '../decision/world.ts';
import { hash } from '../prompt/hash.ts';
import { readJson } from './read-json.ts';
import { transmit } from './transmit.ts';

export interface Arrived extends Omit<Incoming, 'key'> {
  readonly n: number;
  readonly bytes: Uint8Array;
}

/** One request from its bytes to the last byte of its answer. `log` is called before anything is sent. */
export async function exchange<P extends Prepared>(
  api: Api<P>,
  world: World,
  { n, bytes, ...arrived }: Arrived,
  out: ServerResponse,
  log: (entry: SimEntry) => void,
): Promise<void> {
  const at = world.clock.now();
  const found = api.findKey(arrived.headers, arrived.query);
  const incoming: Incoming = { ...arrived, key: found ?? '' };
  const text = bytes.length > api.maxBytes ? '' : Buffer.from(bytes).toString('utf8');
  const parsed = readJson(text);
  const decision = await decide(api, world, {
    n,
    at,
    incoming,
    hasKey: found !== undefined,
    byteCount: bytes.length,
    parsed,
  });
  const { sending, problem, usage, model, conversation, summary = false } = decision;
  const isRefused = problem !== undefined && problem.rule !== 'fault';
  const fault = isRefused ? undefined : world.findFault(n);
  const body = 'value' in parsed ? parsed.value : text;
  const entry: { -readonly [K in keyof SimEntry]: SimEntry[K] } = {
    n,
    at,
    api: api.name,
    path: arrived.path,
    headers: hideSecrets(arrived.headers),
    body,
    key: fingerprint(incoming.key),
    model: model?.name ?? asString(asFields(body).model) ?? '',
    stream: decision.stream ?? false,
    status: sending.status,
    ...(isRefused ? { problem } : {}),
    ...(fault === undefined ? {} : { fault }),
    ...(usage === undefined ? {} : { usage }),
    ...(decision.stated === undefined ? {} : { stated: decision.stated }),
    money: usage === undefined || model === undefined ? 0 : priceOf(usage, model.prices),
    summary,
    delivered: false,
  };
  log(entry);

  const count = (by: 1 | -1): void => {
    entry.delivered = by === 1;
    if (conversation !== undefined && !summary) world.countTurn(conversation, by);
  };
  const delivered = await transmit(out, addHeaders(sending, problem), {
    fault,
    slowMs: world.slowMs,
    clock: world.clock,
    beforeLast: () => count(1),
  });
  if (!delivered && entry.delivered) count(-1);
}

const SECRETS = ['authorization', 'proxy-authorization', 'x-api-key', 'api-key', 'x-goog-api-key', 'cookie'];

const hideSecrets = (headers: Arrived['headers']): SimEntry['headers'] =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, SECRETS.includes(name) ? '(hidden)' : value]),
  );

/** Tells two keys apart, and tells neither. */
const fingerprint = (key: string): string => (key === '' ? '' : hash('key', key).slice(0, 8));

/** Which rule and which block, where the vendor's words do not say; and when to try again, for SDKs to the millisecond. */
function addHeaders(sending: Sending, problem: Problem | undefined): Sending {
  if (problem === undefined) return sending;
  const ms = problem.retryAfterMs;
  return {
    ...sending,
    headers: {
      ...sending.headers,
      'x-sim-rule': problem.rule,
      ...(problem.path === '' ? {} : { 'x-sim-path': problem.path }),
      ...(ms === undefined ? {} : { 'retry-after': String(Math.ceil(ms / 1000)), 'retry-after-ms': String(ms) }),
    },
  };
}
