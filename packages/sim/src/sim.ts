import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { CountText } from '@palimpsest/core';
import { type Bill, billOf } from './account/bill.ts';
import type { SimEntry } from './account/log.ts';
import { createClock, type SimClock } from './clock.ts';
import { createConversations } from './decision/conversations.ts';
import type { World } from './decision/world.ts';
import { type Faults, scheduleFaults } from './faults/fault-schedule.ts';
import { createApp } from './http/app.ts';
import { DEFAULT_MODELS, type SimModel } from './models.ts';
import { createCounter } from './prompt/counter.ts';
import type { Script } from './script/reply.ts';
import { type SummaryKind, scriptSummaries } from './script/summaries.ts';

/** All may be left away. Most tests set `model` and a small `window`. */
export interface SimOptions {
  /** What answers; a model that says "ok" without it. */
  readonly model?: Script;
  /** What answers requests for a summary, which are recognized by their form. Good ones without it. */
  readonly summaries?: SummaryKind | readonly SummaryKind[] | Script;
  /** Models to add to `DEFAULT_MODELS`, or to replace by name. */
  readonly models?: readonly SimModel[];
  /** One window for all models, in tokens; each has its own without it. */
  readonly window?: number;
  /** What goes wrong and when; nothing without it. */
  readonly faults?: Faults;
  /** What a 429 tells to wait; 20 without it, so that no test is held up. */
  readonly retryAfterMs?: number;
  /** The pause between the parts of a slow answer; 5 without it. */
  readonly slowMs?: number;
  /** Time stands still until `clock.advance`; real time without it. */
  readonly virtualTime?: boolean;
  /** A tokenizer, for the window and the bill alike; core's estimate without it. */
  readonly countText?: CountText;
  /** Of the ids, and of how far a wrong usage is off; 1 without it. Same seed, same answers. */
  readonly seed?: number;
  /** Told of every request when its answer is known. The bytes of it may still be on their way. */
  readonly on?: (entry: SimEntry) => void;
  /** 0 or absent: any free one. */
  readonly port?: number;
}

/** A running simulator. Close it, or the process stays alive. */
export interface Sim {
  /** Base URL for the Anthropic and the Gemini SDK; the OpenAI SDK wants `/v1` behind it. */
  readonly url: string;
  /** Push it ahead to let caches expire. */
  readonly clock: SimClock;
  /** Every request in the order of arrival. */
  readonly requests: readonly SimEntry[];
  /** What it all cost, or those requests that `only` picks. */
  bill(only?: (entry: SimEntry) => boolean): Bill;
  close(): Promise<void>;
}

/** A provider on the loopback interface. */
export async function startSim(options: SimOptions = {}): Promise<Sim> {
  const { seed = 1, window, summaries = 'good' } = options;
  const counter = createCounter(options.countText);
  const clock = createClock({ virtual: options.virtualTime === true });
  const models = modelTable(options.models ?? [], window);
  const turns = new Map<string, number>();
  const requests: SimEntry[] = [];
  const world: World = {
    seed,
    clock,
    counter,
    retryAfterMs: options.retryAfterMs ?? 20,
    slowMs: options.slowMs ?? 5,
    model: options.model ?? (() => ({ text: 'ok' })),
    summaries: typeof summaries === 'function' ? summaries : scriptSummaries(summaries, counter),
    listModels: () => [...models.values()],
    findModel: (name, vendor) => models.get(`${vendor} ${name}`) ?? models.get(`${vendor} ${omitDate(name)}`),
    findFault: scheduleFaults(options.faults),
    conversations: createConversations((conversation) => (turns.get(conversation) ?? 0) > 0),
    findTurn: (conversation) => turns.get(conversation) ?? 0,
    countTurn: (conversation, by) => void turns.set(conversation, (turns.get(conversation) ?? 0) + by),
  };
  const app = createApp(world, (entry) => {
    const at = requests.findLastIndex(({ n }) => n < entry.n) + 1;
    requests.splice(at, 0, entry);
    options.on?.(entry);
  });
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  // A test that keeps the event loop busy must not find its idle connections closed.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', () => resolve());
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clock,
    requests,
    bill: (only = () => true) => billOf(requests.filter(only)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A dated name is a snapshot of the model without the date. */
const omitDate = (name: string): string => name.replace(/-(?:20\d{6}|20\d{2}-\d{2}-\d{2})$/, '');

function modelTable(own: readonly SimModel[], window: number | undefined): ReadonlyMap<string, SimModel> {
  if (window !== undefined && !(window > 0)) throw new RangeError(`a window holds at least one token, not ${window}`);
  const table = new Map<string, SimModel>();
  for (const model of [...DEFAULT_MODELS, ...own])
    table.set(`${model.vendor} ${model.name}`, window === undefined ? model : { ...model, window });
  return table;
}
