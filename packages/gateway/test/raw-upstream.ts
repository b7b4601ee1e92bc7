import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived, byte for byte. */
export interface RawArrived {
  readonly method: string;
  readonly target: string;
  readonly rawHeaders: readonly string[];
  readonly bytes: Buffer;
}

export interface RawUpstream {
  readonly url: string;
  readonly arrived: readonly RawArrived[];
  close(): Promise<void>;
}

export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** A provider that keeps what it was sent exactly as it came. */
export async function startUpstream(
  answer: (arrived: RawArrived, response: ServerResponse, incoming: IncomingMessage) => void | Promise<void>,
): Promise<RawUpstream> {
  const arrived: RawArrived[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', url = '', rawHeaders } = incoming;
      const one = { method, target: url, rawHeaders, bytes: Buffer.concat(chunks) };
      arrived.push(one);
      void answer(one, response, incoming);
    });
  });
  server.keepAliveTimeout = 0;
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

export interface RawAnswer {
  readonly status: number;
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
  readonly text: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly headers?: readonly string[] | Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** Called with every chunk of the answer as it comes. */
  readonly onChunk?: (chunk: Buffer) => void;
  readonly signal?: AbortSignal;
}

/** Sends exactly these bytes and headers. */
export const sendRaw = (url: string, { method, headers, body, onChunk, signal }: RawRequest = {}): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const sent = request(url, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: headers as never,
      ...(signal === undefined ? {} : { signal }),
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        onChunk?.(chunk);
      });
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const { statusCode: status = 0, rawHeaders, headers } = response;
        resolve({ status, rawHeaders, headers, bytes, text: bytes.toString() });
      });
    });
    sent.end(body);
  });

/** As a whole answer. */
export function answerJson(response: ServerResponse, value: unknown, status = 200): void {
  const text = JSON.stringify(value);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) });
  response.end(text);
}
