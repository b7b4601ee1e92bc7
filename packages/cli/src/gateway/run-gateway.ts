import { availableParallelism } from 'node:os';
import type { Gateway, GatewayOptions, RequestLine } from '@palimpsest/gateway';
import { formatCount } from '@palimpsest/terminal';
import type { Terminal } from '../terminal.ts';
import { type GatewayFlags, readGatewayOptions } from './gateway-flags.ts';
import { type GatewayStore, openGatewayStore } from './gateway-store.ts';

const DAY = 24 * 3_600_000;
const DAYS = 30;

/** Where it listens and who hears of its requests. */
export interface Listening {
  readonly port?: number;
  readonly host?: string;
  readonly onRequest?: (line: RequestLine) => void;
}

/** A gateway and what it keeps. */
export interface RunningGateway extends Gateway, Pick<GatewayStore, 'findSession'> {}

/** Starts a gateway as the command line says, with its store, which is tidied once a day. */
export async function runGateway(
  terminal: Terminal,
  { store: place, keepDays = DAYS, workers = countWorkers(), ...flags }: GatewayFlags,
  listening: (stated: { readonly port?: number }) => Listening,
): Promise<RunningGateway> {
  const options = await readGatewayOptions(terminal, flags);
  const kept = place === undefined ? undefined : await openGatewayStore(place, terminal);
  // Loaded where it is needed: no other command should wait for a web server.
  const { startGateway } = await import('@palimpsest/gateway');
  const gateway = await startGateway({
    ...options,
    workers,
    onThreadLost: ({ why }) =>
      terminal.complain(`palimpsest: a worker thread was replaced: ${why}. What it had in memory begins anew.`),
    ...(kept === undefined ? {} : { store: kept.store, secret: kept.secret, ...tellUsage(kept, terminal) }),
    ...listening(options),
  });
  const tidy = (): void => {
    kept
      ?.deleteOld(keepDays * DAY)
      .catch((error: Error) => terminal.complain(`palimpsest: what is old could not be deleted: ${error.message}`));
  };
  tidy();
  const timer = setInterval(tidy, DAY).unref();
  return {
    url: gateway.url,
    inspectUrl: gateway.inspectUrl,
    ...(kept?.findSession === undefined ? {} : { findSession: kept.findSession }),
    async close(grace) {
      clearInterval(timer);
      await gateway.close(grace);
      await kept?.close();
    },
  };
}

/** One core is left to the thread that moves the bytes. */
const countWorkers = (): number => Math.max(1, availableParallelism() - 1);

/** What requests used goes where they are kept; when that fails is told, and how many were lost by it. */
function tellUsage({ recordUsage }: GatewayStore, { complain }: Terminal): Pick<GatewayOptions, 'usage'> {
  if (recordUsage === undefined) return {};
  const onTrouble = ({ why, lost }: { readonly why: string; readonly lost: number }): void =>
    complain(
      lost === 0
        ? `palimpsest: what requests use is not written down for now: ${why}`
        : `palimpsest: what ${formatCount(lost, 'request')} used is lost: ${why}`,
    );
  return { usage: { write: recordUsage, onTrouble } };
}
