import { createHash } from 'node:crypto';
import {
  CompactionError,
  type Limits,
  type Message,
  type PresetName,
  type Prices,
  type WireRules,
} from '@palimpsest/core';
import { type Decoded, knownPrices } from '@palimpsest/wire';
import type { KeepOptions, RequestInfo, Turn } from './keep-options.ts';
import { stripPassing, traceBehind } from './message-trace.ts';

/** What a body tells: at least one message. */
export type Messages = readonly [Message, ...Message[]];

export interface Terms {
  readonly model: string;
  readonly window: number;
  readonly maxOutput: number | undefined;
  readonly rules: WireRules;
  readonly limits: Limits;
  readonly preset: PresetName | undefined;
  /** As the host stated them, else the model's own where they are known. */
  readonly prices: Prices | undefined;
}

/** Whose a conversation is; without an id it is told apart from others of its tenant by what it says. */
export interface Owner {
  readonly tenant: string;
  readonly id: string | undefined;
}

/** A turn and what was read from it. */
export interface Reading<Body> {
  readonly turn: Turn<Body>;
  readonly owner: Owner;
  readonly decoded: Decoded;
  /** What the body still tells: from the newest server-side compaction on. */
  readonly messages: Messages;
  /** What they are found by. */
  readonly trace: readonly string[];
  /** What is sent besides them, in short. */
  readonly besides: string;
  readonly terms: Terms;
}

/**
 * Reads a turn. Undefined: there is nothing to keep; `server-history`: the provider holds a part of it. `learned` are the
 * windows that providers stated, by model.
 */
export function readTurn<Body>(
  turn: Turn<Body>,
  { window: stated, limits, key, prices }: Pick<KeepOptions, 'window' | 'limits' | 'key' | 'prices'>,
  learned: ReadonlyMap<string, number>,
): Reading<Body> | 'server-history' | undefined {
  const decoded = turn.format.decode(turn.body);
  if (decoded.partial) return 'server-history';
  const [first, ...others] = decoded.messages.slice(decoded.from ?? decoded.boundary ?? 0);
  if (first === undefined) return undefined;
  const owner = findOwner(turn, key);
  const byName = typeof stated === 'function' ? stated(turn.model) : stated;
  const told = requireWindow(turn.window ?? byName, turn.model);
  const window = Math.min(told, learned.get(learnedKey(owner, turn.model)) ?? told);
  // A limit that is none is the provider's to answer.
  const maxOutput = turn.maxOutput !== undefined && turn.maxOutput > 0 ? Math.min(turn.maxOutput, window) : undefined;
  const terms = {
    model: turn.model,
    window,
    maxOutput,
    rules: decoded.rules,
    limits: { ...decoded.limits, ...limits },
    preset: turn.preset,
    prices: prices ?? knownPrices(turn.model),
  };
  const messages: Messages = [first, ...others];
  const trace: string[] = [];
  for (const message of messages) {
    trace.push(traceBehind(trace.at(-1) ?? '', message));
  }
  return { turn, owner, decoded, messages, trace, besides: hashBesides(decoded), terms };
}

/** What a host may look at of a request. */
export const requestInfoOf = ({ model, body, headers = {}, requestHeaders, host }: Turn<unknown>): RequestInfo => ({
  model,
  body,
  headers: requestHeaders ?? headers,
  ...(host === undefined ? {} : { host }),
});

function findOwner(turn: Turn<unknown>, key: KeepOptions['key']): Owner {
  const said = key?.(requestInfoOf(turn));
  const { tenant, id } = typeof said === 'string' ? { tenant: undefined, id: said } : (said ?? turn);
  return { tenant: tenant ?? turn.tenant ?? '', id: id ?? turn.id };
}

/** Windows are learned for the tenant that was told them. */
export const learnedKey = ({ tenant }: Owner, model: string): string => JSON.stringify([tenant, model]);

export const learnedKeysOf = (tenant: string, keys: Iterable<string>): readonly string[] => {
  const beginning = JSON.stringify([tenant, '']).slice(0, -'""]'.length);
  return [...keys].filter((key) => key.startsWith(beginning));
};

const hashBesides = ({ system, tools }: Decoded): string =>
  createHash('sha256').update(stripPassing(system)).update('\0').update(JSON.stringify(tools)).digest('base64url');

export function requireWindow(window: number | undefined, model: string): number {
  if (window !== undefined && Number.isFinite(window) && window > 0) return window;
  throw new CompactionError(
    'window-unknown',
    `the context window of ${model} is unknown. State it: palimpsest({ window: 200_000 }), or for several models ` +
      'palimpsest({ window: (model) => windows[model] }).',
  );
}
