import type { Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import type { RawHeaders } from './raw-headers.ts';

/** A request as it goes out. The path has the query, byte for byte as it came. */
export interface Outbound {
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  readonly headers: RawHeaders;
  readonly body: Uint8Array | Readable | undefined;
  readonly signal: AbortSignal;
}

/** What came back. */
export interface Inbound {
  readonly status: number;
  readonly headers: RawHeaders;
  readonly body: AsyncIterable<Buffer>;
  /** For an answer that nobody will read. */
  discard(): void;
}

/** Sends requests. */
export interface Sender {
  send(outbound: Outbound): Promise<Inbound>;
  close(): Promise<void>;
}

/** A model may think for long before it says the first word; nobody but the client ends that. */
const NO_LIMIT = 0;

/** Connections to providers, kept open between requests. `connectMs` is how long one may take to come about. */
export function createSender(connectMs: number): Sender {
  const agent = new Agent({
    headersTimeout: NO_LIMIT,
    bodyTimeout: NO_LIMIT,
    connect: { timeout: connectMs },
    keepAliveTimeout: 30_000,
  });
  return {
    async send({ method, headers, body, ...rest }) {
      const answer = await agent.request({
        ...rest,
        method: method as Dispatcher.HttpMethod,
        headers: headers as string[],
        body: body ?? null,
        responseHeaders: 'raw',
      });
      return {
        status: answer.statusCode,
        // Raw they are names and values in turn, whatever the type says.
        headers: (answer.headers as unknown as readonly (Buffer | string)[]).map(String),
        body: answer.body,
        discard: () => void answer.body.on('error', () => {}).destroy(),
      };
    },
    close: () => agent.destroy(),
  };
}
