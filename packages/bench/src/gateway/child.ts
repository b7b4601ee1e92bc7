import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Block } from './block-meter.ts';

/** What a gateway took since it was last asked; CPU since it began. */
export interface Took {
  readonly cpuMs: number;
  readonly rss: number;
  readonly longest: Block;
  readonly mostOwn: Block;
}

/** A process of a bench, ended with it. */
export interface Child {
  readonly url: string;
  ask(): Promise<Took>;
  end(): void;
}

const nextMessage = <Value>(child: ChildProcess): Promise<Value> =>
  new Promise((resolve, reject) => {
    child.once('message', (value) => resolve(value as Value));
    child.once('exit', (code) => reject(new Error(`a process of the bench ended with ${code}`)));
  });

export async function startChild(file: 'upstream-process' | 'gateway-process', options: object = {}): Promise<Child> {
  const path = fileURLToPath(new URL(`./${file}.ts`, import.meta.url));
  const child = fork(path, [JSON.stringify(options)], {
    execArgv: ['--expose-gc', '--import', 'tsx', '--conditions=palimpsest-source'],
  });
  const { url } = await nextMessage<{ readonly url: string }>(child);
  return {
    url,
    ask() {
      child.send('tell');
      return nextMessage<Took>(child);
    },
    end: () => child.disconnect(),
  };
}
