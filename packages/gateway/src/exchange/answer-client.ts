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

/** An error in the words of the client's own vendor. */
export function refuseClient(
  exchange: Exchange,
  dialect: Dialect,
  trouble: Trouble,
  more: readonly string[] = [],
): void {
  const { outgoing } = exchange;
  if (outgoing.headersSent && exchange.isStreaming) outgoing.end(dialect.errorEvent(trouble));
  else if (outgoing.headersSent) outgoing.destroy();
  else answerClient(exchange, trouble.status, JSON.stringify(dialect.errorBody(trouble)), 'application/json', more);
}
