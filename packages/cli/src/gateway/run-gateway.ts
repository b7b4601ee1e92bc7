import type { Gateway, RequestLine } from '@palimpsest/gateway';
import type { Terminal } from '../terminal.ts';
import { type GatewayFlags, readGatewayOptions } from './gateway-flags.ts';
import { openGatewayStore } from './gateway-store.ts';

const DAY = 24 * 3_600_000;
const DAYS = 30;

/** Where it listens and who hears of its requests. */
export interface Listening {
  readonly port?: number;
  readonly host?: string;
  readonly onRequest?: (line: RequestLine) => void;
}

/** Starts a gateway as the command line says, with its store, which is tidied once a day. */
export async function runGateway(
  terminal: Terminal,
  { store: place, keepDays = DAYS, ...flags }: GatewayFlags,
  listening: (stated: { readonly port?: number }) => Listening,
): Promise<Gateway> {
  const options = await readGatewayOptions(terminal, flags);
  const kept = place === undefined ? undefined : await openGatewayStore(place, terminal);
  // Loaded where it is needed: no other command should wait for a web server.
  const { lowerHelperThreads, startGateway } = await import('@palimpsest/gateway');
  lowerHelperThreads();
  const gateway = await startGateway({
    ...options,
    ...(kept === undefined ? {} : { store: kept.store, secret: kept.secret }),
    ...listening(options),
  });
  const tidy = (): void => {
    kept
      ?.deleteOld(keepDays * DAY)
      .catch((error: Error) =>
        terminal.complain(`palimpsest: old conversations could not be deleted: ${error.message}`),
      );
  };
  tidy();
  const timer = setInterval(tidy, DAY).unref();
  return {
    url: gateway.url,
    inspectUrl: gateway.inspectUrl,
    async close(grace) {
      clearInterval(timer);
      await gateway.close(grace);
      await kept?.close();
    },
  };
}
