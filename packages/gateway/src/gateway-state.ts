import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { CompactionError } from '@palimpsest/core';
import { createMetrics, type Metrics } from './account/metrics.ts';
import { createTraces, type Traces } from './account/traces.ts';
import { createUsageLog, type UsageLog } from './account/usage-log.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { createSender, type Sender } from './http/send-upstream.ts';
import { type FindKey, readKeys } from './identity/gateway-keys.ts';
import { type BodyKeepers, startBodyKeepers } from './keep/body-keepers.ts';
import { createBreaker } from './keep/breaker.ts';
import type { KeepLimits } from './keep/keep-request.ts';
import { createReceipts, type Receipts } from './keep/receipts.ts';
import { readWindows, type Windows } from './keep/windows.ts';
import { readUpstreams, type Upstreams } from './upstreams/upstreams.ts';

/** All that the requests of one gateway share. */
export interface GatewayState {
  readonly options: GatewayOptions;
  readonly host: string;
  readonly upstreams: Upstreams;
  readonly sender: Sender;
  readonly metrics: Metrics;
  readonly traces: Traces | undefined;
  readonly usage: UsageLog | undefined;
  /** Requests that are over, or will be, and were not told yet. */
  readonly untold: Set<Promise<void>>;
  /** Undefined: the gateway has no keys, and everybody on this machine may use it. */
  readonly findKey: FindKey | undefined;
  readonly secret: string;
  /** What `/inspect` asks for where there are no keys. */
  readonly inspectKey: string;
  readonly bodies: BodyKeepers;
  /** Undefined: nothing is kept. */
  readonly keep: KeepLimits | undefined;
  /** Without the store and with more patience: for requests that went on as they came and were too long. */
  readonly spare: KeepLimits | undefined;
  readonly windows: Windows;
  /** What providers stated of windows that are not known here, by upstream, tenant and model. */
  readonly asked: Map<string, Promise<number | undefined>>;
  readonly receipts: Receipts;
  /** Names of upstreams that refused `context_management`. */
  readonly unmanaged: Set<string>;
  readonly mostBodyBytes: number;
  readonly pingMs: number;
}

/** For a name or an address without a port. */
export const isLoopback = (host: string): boolean =>
  /^(?:localhost|::1)$/i.test(host) || (isIP(host) === 4 && host.startsWith('127.'));

export async function startGatewayState(options: GatewayOptions): Promise<GatewayState> {
  const { host = '127.0.0.1', keys = {}, connectMs = 10_000, mostBodyBytes = 64 * 2 ** 20, pingMs = 15_000 } = options;
  const hasKeys = Object.keys(keys).length > 0;
  if (Object.values(keys).some((key) => key.length < LEAST_KEY_CHARS))
    throw new CompactionError('bad-option', `a key of the gateway has at least ${LEAST_KEY_CHARS} characters.`);
  if (!isLoopback(host) && !hasKeys)
    throw new CompactionError(
      'bad-option',
      `to listen on ${host}, where others can reach it, the gateway needs a key of its own (keys; of the command: PALIMPSEST_GATEWAY_KEY).`,
    );
  const sender = createSender(connectMs);
  const isOff = options.off === true;
  const metrics = createMetrics();
  const upstreams = readUpstreams(options.upstreams);
  const windows = readWindows(options.window);
  // Last: its threads would be left over if another option were refused.
  const bodies = await startBodyKeepers({
    workers: isOff ? 0 : (options.workers ?? 0),
    store: options.store,
    live: options.live,
    summaries: options.summaries,
    connectMs,
    onThreadLost: options.onThreadLost,
  });
  return {
    options,
    host,
    upstreams,
    sender,
    metrics,
    traces: options.traces === undefined ? undefined : createTraces(options.traces),
    usage: options.usage === undefined ? undefined : createUsageLog(options.usage, metrics.loseUsage),
    untold: new Set(),
    findKey: hasKeys ? readKeys(keys) : undefined,
    inspectKey: randomBytes(18).toString('base64url'),
    secret: options.secret ?? randomBytes(32).toString('hex'),
    bodies,
    keep: isOff ? undefined : readLimits(options),
    spare: isOff ? undefined : { breaker: createBreaker(REST), patienceMs: SPARE_PATIENCE_MS },
    windows,
    asked: new Map(),
    receipts: createReceipts(),
    unmanaged: new Set(),
    mostBodyBytes,
    pingMs,
  };
}

const LEAST_KEY_CHARS = 16;

const REST = { failures: 5, restMs: 1_000, mostRestMs: 10_000 };

const LONG_PATIENCE_MS = 10_000;
const SPARE_PATIENCE_MS = 30_000;

function readLimits(options: GatewayOptions): KeepLimits {
  const { store, summaries } = options;
  // Without a store and a model to wait for, what is late is a busy machine; passing on what is too long would help nobody.
  const { patienceMs = summaries !== undefined ? 60_000 : store === undefined ? 10_000 : 1_000 } = options;
  const longPatienceMs = options.patienceMs ?? Math.max(patienceMs, LONG_PATIENCE_MS);
  return { breaker: createBreaker(REST), patienceMs, longPatienceMs };
}
