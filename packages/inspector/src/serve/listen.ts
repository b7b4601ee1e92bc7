import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { Course } from '../model/inspection.ts';
import { answerRequest, type Served } from './answer-request.ts';

/** A page that is being served. */
export interface Serving {
  /** With the key that opens it. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the page on this machine alone, under a key of its own. Port 0, the default, takes any that is free. */
export async function serveInspection(served: Served, { port = 0 }: { readonly port?: number } = {}): Promise<Serving> {
  const key = randomBytes(18).toString('base64url');
  const courses = new Map<string, Course>();
  const server = createServer((incoming, outgoing) => {
    void relayRequest(incoming, outgoing, (request) => answerRequest(request, served, { key, courses }));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}/?key=${key}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Hands a request of the page to `answer`, and what that says to whoever asked. No request of the page has a body. */
export async function relayRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: (request: Request) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const headers = new Headers({ host: incoming.headers.host ?? '' });
  const key = incoming.headers['x-palimpsest-key'];
  if (typeof key === 'string') headers.set('x-palimpsest-key', key);
  const response = await answer(
    new Request(new URL(incoming.url ?? '/', 'http://127.0.0.1'), {
      method: incoming.method ?? 'GET',
      headers,
      signal: gone.signal,
    }),
  );
  for (const [name, value] of response.headers) outgoing.setHeader(name, value);
  outgoing.writeHead(response.status);
  if (response.body === null) outgoing.end();
  else {
    const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
    body.on('error', () => outgoing.destroy()).pipe(outgoing);
    // Whoever goes away ends what was still to come.
    outgoing.once('close', () => body.destroy());
  }
}
