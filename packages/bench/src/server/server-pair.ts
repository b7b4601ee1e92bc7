import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Child, childOf } from '@palimpsest/testing/children/child-process';

const PROGRAM = fileURLToPath(new URL('../../../../examples/server/on-postgres.ts', import.meta.url));
const SOURCES = ['--import', 'tsx', '--conditions=palimpsest-source'];
/** Loaded before the program: at a signal it tells what is left on the heap once all has been collected. */
const TELLER = `process.on('SIGUSR2', () => { globalThis.gc(); console.log('heap ' + process.memoryUsage().heapUsed); });`;
const MEASURED = ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(TELLER)}`];

/** What a process of the server says of itself. */
export type Metrics = Readonly<Record<string, number>>;

/** So many processes of the example's server, which can be started anew one after the other. */
export interface ServerPair {
  url(at: number): string;
  metrics(at: number): Promise<Metrics>;
  /** Bytes that are in use. */
  heap(at: number): Promise<number>;
  /** As a deployment does it: told to stop, waited for, and another in its place. */
  restartAll(): Promise<void>;
  end(): Promise<void>;
}

export async function startServers(count: number, environment: Readonly<Record<string, string>>): Promise<ServerPair> {
  const children: Child[] = [];
  const urls: string[] = [];
  const start = async (at: number): Promise<void> => {
    const child = childOf(
      spawn(process.execPath, [...MEASURED, ...SOURCES, PROGRAM], { env: { ...process.env, ...environment } }),
    );
    children[at] = child;
    urls[at] = (await child.line('url ')).slice('url '.length);
  };
  const stop = async (at: number): Promise<void> => {
    const child = children[at];
    if (child === undefined || child.process.exitCode !== null) return;
    child.process.kill('SIGTERM');
    await once(child.process, 'exit');
  };
  await Promise.all(Array.from({ length: count }, (_, at) => start(at)));
  return {
    url: (at) => urls[at] ?? '',
    async metrics(at) {
      const said = await (await fetch(`${urls[at]}/metrics`)).text();
      return Object.fromEntries(
        [...said.matchAll(/^palimpsest_(\w+) (\d+)$/gm)].map(([, name, value]) => [name ?? '', Number(value)]),
      );
    },
    async heap(at) {
      children[at]?.process.kill('SIGUSR2');
      return Number((await children[at]?.line('heap '))?.slice('heap '.length));
    },
    async restartAll() {
      for (let at = 0; at < count; at++) {
        await stop(at);
        await start(at);
      }
    },
    end: async () => void (await Promise.all(children.map((_, at) => stop(at)))),
  };
}
