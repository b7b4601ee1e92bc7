import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { makeUsageRow } from '../account/usage-row.ts';
import { DIALECTS } from '../dialects/dialect.ts';
import { answerClient, refuseClient } from '../exchange/answer-client.ts';
import { beginExchange, type Exchange } from '../exchange/exchange.ts';
import { type GatewayState, isLoopback } from '../gateway-state.ts';
import { findHeader } from '../http/raw-headers.ts';
import { sayHello } from './hello.ts';
import { findOwners } from './owners.ts';
import { serveRequest } from './serve-request.ts';

type Env = { Bindings: HttpBindings };
type Serve = (exchange: Exchange) => void | Promise<void>;

const PLAIN = 'text/plain; charset=utf-8';

/** The gateway's own pages, and all else. Answers are written to the socket itself: header by header, chunk by chunk. */
export function createApp(state: GatewayState): Hono<Env> {
  const app = new Hono<Env>();
  const { metrics } = state;

  const run =
    (serve: Serve) =>
    async (c: Context<Env>): Promise<Response> => {
      const exchange = beginExchange(c.env.incoming, c.env.outgoing);
      await runExchange(state, exchange, serve);
      return RESPONSE_ALREADY_SENT;
    };
  const forward = run((exchange) => serveRequest(state, exchange));
  const page = (path: string, serve: Serve) =>
    // A client that looks whether its provider is there means the provider.
    app.get(path, (c) => (c.req.method === 'HEAD' && path === '/' ? forward(c) : run(serve)(c)));

  const guardPage = (path: string, serve: Serve) =>
    page(path, (exchange) => (isOwnName(state, exchange) ? serve(exchange) : refuseName(exchange)));

  guardPage('/', (exchange) =>
    answerClient(exchange, 200, sayHello(`http://${exchange.incoming.headers.host ?? state.host}`), PLAIN),
  );
  page('/livez', (exchange) => answerClient(exchange, 200, 'ok\n', PLAIN));
  page('/readyz', (exchange) => answerClient(exchange, 200, 'ok\n', PLAIN));
  guardPage('/metrics', async (exchange) => {
    const gauges = await readGauges(state);
    answerClient(exchange, 200, metrics.print(gauges), 'text/plain; version=0.0.4; charset=utf-8');
  });
  app.get('/palimpsest/receipts/:id', (c) => run((exchange) => showReceipt(state, exchange, c.req.param('id')))(c));
  // Loaded where somebody looks: no request should wait for what makes pages.
  const inspect = run(async (exchange) => (await import('./inspect.ts')).serveInspect(state, exchange));
  app.on(['GET', 'POST'], ['/inspect', '/inspect/*'], inspect);
  app.all('*', forward);
  return app;
}

/** A page of another site whose name was rebound to this machine asks under that name. With keys the gateway may have any name. */
function isOwnName({ findKey }: GatewayState, { incoming }: Exchange): boolean {
  const name = (incoming.headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  return findKey !== undefined || isLoopback(name);
}

const refuseName = (exchange: Exchange): void =>
  answerClient(exchange, 421, 'palimpsest: ask for this page by a name of this machine, such as 127.0.0.1\n', PLAIN);

/** A thread that is lost just now has no conversations. */
async function readGauges({ keep, bodies, usage }: GatewayState): Promise<Readonly<Record<string, number>>> {
  const waiting = usage === undefined ? {} : { palimpsest_usage_waiting: usage.countWaiting() };
  if (keep === undefined) return waiting;
  const nothing = { conversations: 0, bytes: 0 };
  const each = await Promise.all(bodies.all.map((one) => one.status().catch(() => nothing)));
  const { threads } = bodies;
  return {
    ...waiting,
    palimpsest_conversations: each.reduce((sum, { conversations }) => sum + conversations, 0),
    palimpsest_conversation_bytes: each.reduce((sum, { bytes }) => sum + bytes, 0),
    ...(threads === undefined
      ? {}
      : { palimpsest_threads: threads.ids.length, palimpsest_threads_replaced: threads.replaced }),
  };
}

/** For those whose request it was; to all others it is not there. */
function showReceipt(state: GatewayState, exchange: Exchange, id: string): void {
  const found = state.receipts.find(id, findOwners(state, exchange).all);
  if (found !== undefined) answerClient(exchange, 200, JSON.stringify(found));
  else
    refuseClient(exchange, DIALECTS['openai-chat'], { status: 404, message: 'palimpsest: there is no such receipt.' });
}

/** From its arrival until its connection has no more of it and nothing more is learned of it; then it is told, once. */
async function runExchange(state: GatewayState, exchange: Exchange, serve: Serve): Promise<void> {
  const { outgoing, line } = exchange;
  state.metrics.begin();
  const closed = new Promise<void>((resolve) => {
    outgoing.once('close', () => {
      line.totalMs = exchange.elapsedMs();
      resolve();
    });
  });
  const served = serveExchange(exchange, serve);
  // What an answer cost may be read off it when the client has it already.
  const told = Promise.allSettled([closed, served]).then(() => {
    state.untold.delete(told);
    tellRequest(state, exchange);
  });
  state.untold.add(told);
  return served;
}

async function serveExchange(exchange: Exchange, serve: Serve): Promise<void> {
  try {
    await serve(exchange);
  } catch (error) {
    if (exchange.signal.aborted) return void exchange.outgoing.destroy();
    const why = error instanceof Error ? error.message : String(error);
    refuseClient(exchange, DIALECTS['openai-chat'], { status: 500, message: `palimpsest: ${why}` });
  }
}

function tellRequest(state: GatewayState, { headers, line, tenant }: Exchange): void {
  state.metrics.end(line);
  state.traces?.note(line, findHeader(headers, 'traceparent'));
  if (tenant !== undefined) state.usage?.note(makeUsageRow(line, tenant));
  state.options.onRequest?.(line);
}
