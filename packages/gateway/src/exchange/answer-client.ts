import type { Dialect, Trouble } from '../dialects/dialect.ts';
import type { Exchange } from './exchange.ts';

/** An answer of the gateway's own. */
export function answerClient(
  exchange: Exchange,
  status: number,
  text: string,
  type = 'application/json',
  more: readonly string[] = [],
): void {
  const { outgoing, ownHeaders, line } = exchange;
  const bytes = Buffer.from(text);
  line.status = status;
  line.firstByteMs = exchange.elapsedMs();
  line.bytesOut = bytes.length;
  outgoing.writeHead(status, [
    'content-type',
    type,
    'content-length',
    String(bytes.length),
    ...more,
    ...ownHeaders,
  ] as never);
  outgoing.end(line.method === 'HEAD' ? undefined : bytes);
}

/** An error in the vendor's own format. Once the head of an answer is out, the connection is cut instead: clients retry that. */
export function refuseClient(
  exchange: Exchange,
  dialect: Dialect,
  trouble: Trouble,
  more: readonly string[] = [],
): void {
  if (exchange.outgoing.headersSent) cutClient(exchange, 'gateway');
  else answerClient(exchange, trouble.status, JSON.stringify(dialect.errorBody(trouble)), 'application/json', more);
}

/**
 * Destroys the client's connection in the middle of an answer, so that the client sees a broken transfer and asks again, as it does
 * without a gateway. opencode and Qwen Code end at an error event.
 */
export function cutClient({ outgoing, line, signal }: Exchange, by: 'upstream' | 'gateway', error?: unknown): void {
  if (!signal.aborted) {
    line.ended ??= by;
    if (error !== undefined) line.cause ??= describeError(error);
  }
  // Head and events of this turn of the loop are still on their way to the socket.
  setImmediate(() => outgoing.destroy());
}

/** An error's code where it has one; a message may repeat what was sent. */
export function describeError(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return String(code ?? name ?? 'unknown error');
}
