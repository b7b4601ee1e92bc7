import type { Part, Usage, WireRules } from '@palimpsest/core';
import type { Failure, HeaderSource } from '@palimpsest/wire';
import type { ModelRequest, Stop } from '../model.ts';

export interface Outgoing {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

export type Delta =
  | { readonly type: 'text-added'; readonly text: string }
  | { readonly type: 'reasoning-added'; readonly text: string };

export interface Answer {
  readonly parts: readonly Part[];
  readonly stop: Stop;
  readonly usage: Usage;
}

/** Collects one streamed answer into the provider's own message, so that the wire can read it as it reads any other. */
export interface Collector {
  take(event: unknown): readonly Delta[];
  /** Undefined where the stream broke off before its end. */
  end(): Answer | undefined;
}

export interface ProviderSettings {
  readonly model: string;
  readonly key: string | undefined;
  /** Tokens an answer may have. */
  readonly maxOutput: number;
  /** True where the base URL is the vendor's own; servers that imitate one know fewer fields. */
  readonly isVendor: boolean;
}

/** A provider: where it is, how it is asked, how its answer is read. Everything else is shared. */
export interface Provider {
  readonly baseUrl: string;
  readonly keyName: string;
  rules(settings: ProviderSettings): WireRules;
  request(request: ModelRequest, settings: ProviderSettings): Outgoing;
  collect(): Collector;
  failure(status: number, body?: unknown, headers?: HeaderSource): Failure | undefined;
}
