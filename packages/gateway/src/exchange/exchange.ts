import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestLine } from '../account/request-line.ts';
import type { RawHeaders } from '../http/raw-headers.ts';

/** One request of a client from its arrival to the last byte of its answer. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly headers: RawHeaders;
  readonly pathname: string;
  /** With its question mark, as it came; empty where there is none. */
  readonly search: string;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  readonly line: RequestLine;
  /** Whose a request is that asks a model for an answer: the whole hash, of which the line tells only the beginning. */
  tenant?: string;
  /** For the client, behind the upstream's own. */
  readonly ownHeaders: string[];
  /** Since it arrived. */
  elapsedMs(): number;
}

export function beginExchange(incoming: IncomingMessage, outgoing: ServerResponse): Exchange {
  const started = performance.now();
  const gone = new AbortController();
  const id = `pr_${randomBytes(9).toString('hex')}`;
  const { pathname, search } = splitTarget(incoming.url ?? '/');
  const line: RequestLine = {
    id,
    at: Date.now(),
    method: incoming.method ?? 'GET',
    path: pathname,
    status: 0,
    totalMs: 0,
    bytesIn: 0,
    bytesOut: 0,
  };
  outgoing.once('close', () => {
    if (outgoing.writableFinished) return;
    line.ended ??= 'client';
    gone.abort(new Error('the client went away'));
  });
  return {
    incoming,
    outgoing,
    headers: incoming.rawHeaders,
    pathname,
    search,
    signal: gone.signal,
    line,
    ownHeaders: ['x-palimpsest-request', id],
    elapsedMs: () => performance.now() - started,
  };
}

/** A proxy's clients name the whole address; only its path counts here. */
function splitTarget(target: string): { readonly pathname: string; readonly search: string } {
  const path = target.replace(/^https?:\/\/[^/?]*/i, '');
  const at = path.indexOf('?');
  const [pathname, search] = at < 0 ? [path, ''] : [path.slice(0, at), path.slice(at)];
  return { pathname: pathname === '' ? '/' : pathname, search };
}
