import { mapHeaders, omitHopByHop, type RawHeaders } from '../http/raw-headers.ts';
import type { Outbound } from '../http/send-upstream.ts';
import { joinPath, type Upstream } from '../upstreams/upstreams.ts';
import type { Exchange } from './exchange.ts';

/** Where a request goes on to. */
export interface Destination {
  readonly upstream: Upstream;
  /** Its path there, before the upstream's own prefix. */
  readonly pathname: string;
  /** With its question mark, less what was for the gateway; empty where there is none. */
  readonly search: string;
}

/** A client's request as it goes on: every header in its place, less those that were for the gateway. */
export function makeOutbound(
  { headers, line, signal }: Exchange,
  { upstream, pathname, search }: Destination,
  body: Outbound['body'],
  change: (headers: RawHeaders) => RawHeaders = (same) => same,
): Outbound {
  const { origin, host, prefix } = upstream;
  const own = mapHeaders(omitHopByHop(headers), (name, value) => {
    if (name.startsWith('x-palimpsest-')) return undefined;
    return name === 'host' ? host : value;
  });
  return { origin, path: joinPath(prefix, pathname) + search, method: line.method, headers: change(own), body, signal };
}
