import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAdaptorServer } from '@hono/node-server';
import type { GatewayOptions } from './gateway-options.ts';
import { startGatewayState } from './gateway-state.ts';
import { createApp } from './serve/app.ts';

/** A running gateway. Close it, or the process stays alive. */
export interface Gateway {
  /** What to set as a client's base URL; OpenAI's SDKs want `/v1` behind it. */
  readonly url: string;
  /** The inspector over its conversations; with a key, where the gateway has none of its own to be asked for. */
  readonly inspectUrl: string;
  /** No new requests; those under way have `graceMs` (5,000 without it) to end. */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/** Starts a gateway. */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const state = await startGatewayState(options);
  const server = createAdaptorServer({ fetch: createApp(state).fetch }) as Server;
  // Longer than clients and load balancers keep an idle connection, so that they never send into one that is closing.
  server.keepAliveTimeout = 75_000;
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, state.host, () => resolve());
  }).catch(async (error: unknown) => {
    await state.bodies.end();
    throw error;
  });
  const { port } = server.address() as AddressInfo;
  const name = state.host.includes(':') ? `[${state.host}]` : state.host;
  const url = `http://${name}:${port}`;
  return {
    url,
    inspectUrl: `${url}/inspect${state.findKey === undefined ? `?key=${state.inspectKey}` : ''}`,
    async close({ graceMs = 5_000 } = {}) {
      await closeServer(server, graceMs);
      // A store that does not answer must not keep the process alive.
      const waitWithin = (work: Promise<unknown>) => Promise.race([work, sleep(graceMs, undefined, { ref: false })]);
      await waitWithin(Promise.all(state.untold));
      await waitWithin(Promise.allSettled([state.bodies.close(), state.traces?.close(), state.usage?.close()]));
      await state.bodies.end();
      await state.sender.close();
    },
  };
}

const closeServer = (server: Server, graceMs: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMs);
    // Connections that have an answer under way are closed when it is over.
    server.keepAliveTimeout = 1;
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
