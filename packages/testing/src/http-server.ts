import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asFields, type Fields, parseJson } from '@palimpsest/core/json';

export interface Arrived {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly body: Fields;
}

export interface HttpServer {
  readonly url: string;
  readonly arrived: readonly Arrived[];
  close(): Promise<void>;
}

/** A provider of one's own making on the loopback interface, for what the simulator never says. */
export async function startServer(
  answer: (arrived: Arrived, response: ServerResponse, n: number) => void | Promise<void>,
): Promise<HttpServer> {
  const arrived: Arrived[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const one = { path: request.url ?? '', headers: request.headers, text, body: asFields(parseJson(text)) };
      arrived.push(one);
      void answer(one, response, arrived.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

export const sse = (events: readonly unknown[]): string =>
  events
    .map((event) => {
      const { type } = event as { type?: string };
      return `${type === undefined ? '' : `event: ${type}\n`}data: ${JSON.stringify(event)}\n\n`;
    })
    .join('');
