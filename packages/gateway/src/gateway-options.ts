import type { PresetName } from '@palimpsest/core';
import type { KeeperOptions } from '@palimpsest/sdk/keeper';
import type { ThreadLoss } from '@palimpsest/sdk/threads';
import type { RequestLine } from './account/request-line.ts';
import type { TraceOptions } from './account/traces.ts';
import type { UsageSink } from './account/usage-log.ts';
import type { StoreModule } from './keep/store-module.ts';
import type { UpstreamOptions } from './upstreams/upstreams.ts';

/** All may be left away: then it listens on this machine alone, and every vendor's requests go to that vendor. */
export interface GatewayOptions {
  /** 0 or absent: any free one. */
  readonly port?: number;
  /** The address to listen on; 127.0.0.1 without it. Any other needs `keys`. */
  readonly host?: string;
  readonly upstreams?: UpstreamOptions;
  /** Of all models, or by their names with `*` for the others; else what the vendors state. Unknown: requests pass as they are. */
  readonly window?: number | Readonly<Record<string, number>>;
  /** How conversations are kept within their windows; `default` without it. */
  readonly preset?: PresetName;
  /**
   * Where conversations outlive the process, or what tells it by the tenant. Without it nothing is written down. Worker threads open it
   * themselves: they need the module that does.
   */
  readonly store?: KeeperOptions['store'] | StoreModule;
  /** In how many worker threads conversations are kept; 0, or without it: in this process, whose other requests wait meanwhile. */
  readonly workers?: number;
  /** Called when a worker thread ended by itself, hung or needed too much memory; another one has taken its place. */
  readonly onThreadLost?: (loss: ThreadLoss) => void;
  /** How many conversations are kept at hand, and about how much memory they take together; 1,000 and a quarter of the heap's limit without it. */
  readonly live?: KeeperOptions['live'];
  /**
   * `upstream`: summaries are written by each conversation's own model, with its client's own key. Without it they are made by
   * code, which costs nothing.
   */
  readonly summaries?: 'upstream';
  /**
   * How long keeping may take before a request goes on as it came; with summaries 60,000 without it, with a store 1,000 and for a
   * body that is too long as it came 10,000, else 10,000.
   */
  readonly patienceMs?: number;
  /** The model gets a tool to look up what was hidden from it; it is answered inside, and no client sees it. */
  readonly recall?: boolean;
  /** Nothing is kept: a bare pipe. */
  readonly off?: boolean;
  /** By the name of an upstream: what goes there in the place of a key of the gateway's own. */
  readonly upstreamKeys?: Readonly<Record<string, string>>;
  /** Keys of the gateway's own, each by the name of whom it was given to. */
  readonly keys?: Readonly<Record<string, string>>;
  /** What tenants' hashes are keyed with. Gateways that share a store share it; made up for this process without it. */
  readonly secret?: string;
  /** The largest body that is looked into, as it came and decompressed; 64 MB without it. */
  readonly mostBodyBytes?: number;
  /** How long a stream may be silent before a ping goes to the client; 15,000 without it. */
  readonly pingMs?: number;
  /** How long a connection to an upstream may take to come about; 10,000 without it. */
  readonly connectMs?: number;
  /** Called when a request is over. */
  readonly onRequest?: (line: RequestLine) => void;
  /** Where what each request of a conversation used is written down, in batches beside the requests. */
  readonly usage?: UsageSink;
  /** A collector of OpenTelemetry that is told about every request. */
  readonly traces?: TraceOptions;
}
