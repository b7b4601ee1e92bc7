import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { CompactionError } from '@palimpsest/core';
import { createKeeper } from '@palimpsest/sdk/keeper';
import { createMetrics, type Metrics } from './account/metrics.ts';
import { createTraces, type Traces } from './account/traces.ts';
import { createUsageLog, type UsageLog } from './account/usage-log.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { type BodyGate, createBodyGate } from './http/body-gate.ts';
import { createSender, type Sender } from './http/send-upstream.ts';
import { type FindKey, readKeys } from './identity/gateway-keys.ts';
import { createBreaker } from './keep/breaker.ts';
import type { KeepTools } from './keep/keep-request.ts';
import { createReceipts, type Receipts } from './keep/receipts.ts';
import { sendSummary } from './keep/send-summary.ts';
import { readWindows, type Windows } from './keep/windows.ts';
import { createStoredRounds, type StoredRounds } from './recall/stored-rounds.ts';
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
  /** Undefined: nothing is kept. */
  readonly keep: KeepTools | undefined;
  /** Without the store and with more patience: for requests that went on as they came and were too long. */
  readonly spare: KeepTools | undefined;
  readonly windows: Windows;
  /** What providers stated of windows that are not known here, by upstream, tenant and model. */
  readonly asked: Map<string, Promise<number | undefined>>;
  readonly receipts: Receipts;
  readonly hidden: StoredRounds;
  /** Names of upstreams that refused `context_management`. */
  readonly unmanaged: Set<string>;
  readonly mostBodyBytes: number;
  /** For bodies that are read, or wait to be worked on. */
  readonly readingGate: BodyGate;
  /** For bodies that are worked on. */
  readonly gate: BodyGate;
  readonly pingMs: number;
}

/** For a name or an address without a port. */
export const isLoopback = (host: string): boolean =>
  /^(?:localhost|::1)$/i.test(host) || (isIP(host) === 4 && host.startsWith('127.'));

export function newGatewayState(options: GatewayOptions): GatewayState {
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
  const keep = options.off === true ? undefined : newKeepTools(options, sender);
  const metrics = createMetrics();
  return {
    options,
    host,
    upstreams: readUpstreams(options.upstreams),
    sender,
    metrics,
    traces: options.traces === undefined ? undefined : createTraces(options.traces),
    usage: options.usage === undefined ? undefined : createUsageLog(options.usage, metrics.loseUsage),
    untold: new Set(),
    findKey: hasKeys ? readKeys(keys) : undefined,
    inspectKey: randomBytes(18).toString('base64url'),
    secret: options.secret ?? randomBytes(32).toString('hex'),
    keep,
    spare: keep === undefined ? undefined : newSpareTools(options, keep),
    windows: readWindows(options.window),
    asked: new Map(),
    receipts: createReceipts(),
    hidden: createStoredRounds(options.store),
    unmanaged: new Set(),
    mostBodyBytes,
    readingGate: createBodyGate(READING_GATE),
    gate: createBodyGate(GATE),
    pingMs,
  };
}

const LEAST_KEY_CHARS = 16;

/**
 * Together with what lies about of bodies that are done this stays below the 64 MB by which buffers may grow before the collector
 * begins to go through the whole heap for them, and takes a piece of the time of whoever wants another buffer.
 */
const READING_GATE = { smallBytes: 256 * 2 ** 10, mostBytes: 24 * 2 ** 20 };

/**
 * One thread does their work one after the other whatever is let in. What is half done of a second large one only lives longer, and what
 * lives longer the collector copies and marks.
 */
const GATE = { smallBytes: 256 * 2 ** 10, mostBytes: 4 * 2 ** 20, mostMs: 5_000 };

const REST = { failures: 5, restMs: 1_000, mostRestMs: 10_000 };

const LONG_PATIENCE_MS = 10_000;
const SPARE_PATIENCE_MS = 30_000;
const SPARE_LIVE = { conversations: 200, bytes: 128 * 2 ** 20 };

function newSpareTools({ store }: GatewayOptions, { keeper }: KeepTools): KeepTools {
  return {
    keeper: store === undefined ? keeper : createKeeper({ live: SPARE_LIVE }),
    breaker: createBreaker(REST),
    patienceMs: SPARE_PATIENCE_MS,
  };
}

function newKeepTools(options: GatewayOptions, sender: Sender): KeepTools {
  const { store, live, summaries } = options;
  // Without a store and a model to wait for, what is late is a busy machine; passing on what is too long would help nobody.
  const { patienceMs = summaries !== undefined ? 60_000 : store === undefined ? 10_000 : 1_000 } = options;
  const keeper = createKeeper({
    ...(store === undefined ? {} : { store }),
    ...(live === undefined ? {} : { live }),
    ...(summaries === undefined ? {} : { summarizer: summaries, send: sendSummary(sender) }),
  });
  const longPatienceMs = options.patienceMs ?? Math.max(patienceMs, LONG_PATIENCE_MS);
  return { keeper, breaker: createBreaker(REST), patienceMs, longPatienceMs };
}
