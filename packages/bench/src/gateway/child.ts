import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Block } from './block-meter.ts';
import type { LoadOptions, LoadOrder } from './load-process.ts';
import type { Load } from './send-load.ts';

/** What a gateway took since it was last asked; CPU since it began. */
export interface Took {
  readonly cpuMs: number;
  readonly rss: number;
  readonly longest: Block;
  readonly mostOwn: Block;
}

/** A process of a bench, ended with it. */
export interface Child<Order = 'tell', Answer = Took> {
  readonly url: string;
  ask(order: Order): Promise<Answer>;
  end(): void;
}

const nextMessage = <Value>(child: ChildProcess): Promise<Value> =>
  new Promise((resolve, reject) => {
    const fail = (code: number | null): void => reject(new Error(`a process of the bench ended with ${code}`));
    child.once('exit', fail);
    child.once('message', (value) => {
      child.off('exit', fail);
      resolve(value as Value);
    });
  });

const NODE = [process.execPath, '--expose-gc', '--import', 'tsx', '--conditions=palimpsest-source'] as const;
/** Clients and provider are elsewhere in real life: what they compute takes no processor from the gateway that is measured. */
const BEHIND = process.platform === 'win32' ? [] : ['nice', '-n', '19'];

async function startProcess<Order extends object | string, Answer>(
  file: string,
  options: object,
  before: readonly string[] = [],
): Promise<Child<Order, Answer>> {
  const path = fileURLToPath(new URL(`./${file}.ts`, import.meta.url));
  const [program = process.execPath, ...words] = [...before, ...NODE, path, JSON.stringify(options)];
  const child = spawn(program, words, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  const { url } = await nextMessage<{ readonly url: string }>(child);
  return {
    url,
    ask(order) {
      child.send(order);
      return nextMessage<Answer>(child);
    },
    end: () => child.disconnect(),
  };
}

export const startGatewayProcess = (options: object): Promise<Child> => startProcess('gateway-process', options);
export const startUpstream = (): Promise<Child> => startProcess('upstream-process', {}, BEHIND);
export const startClients = (options: LoadOptions): Promise<Child<LoadOrder, Load>> =>
  startProcess('load-process', options, BEHIND);
