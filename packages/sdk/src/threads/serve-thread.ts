import { parentPort } from 'node:worker_threads';
import { type FromThread, listTransfers, SIGNAL, sendError, type ToThread } from './messages.ts';

type Methods = Readonly<Record<string, (...args: never[]) => unknown>>;

/** Called in a worker thread: answers what the main thread asks of these methods. */
export function serveThread(methods: Methods | Promise<Methods>): void {
  const port = parentPort;
  if (port === null) throw new Error('serveThread is for worker threads.');
  const calls = new Map<number, AbortController>();
  const send = (message: FromThread): void => port.postMessage(message, listTransfers(message));

  const answer = async ({ id, method, args }: Extract<ToThread, { type: 'call' }>): Promise<void> => {
    const controller = new AbortController();
    calls.set(id, controller);
    // Where they could not be made, the unhandled rejection ends this thread: the next one tries again.
    const run = (await methods)[method];
    try {
      if (run === undefined) throw new Error(`there is no ${method}`);
      const received = args.map((arg) => (arg === SIGNAL ? controller.signal : arg));
      send({ type: 'result', id, value: await run(...(received as never[])) });
    } catch (error) {
      send({ type: 'error', id, error: sendError(error) });
    } finally {
      calls.delete(id);
    }
  };

  port.on('message', (message: ToThread) => {
    if (message.type === 'ping') send({ type: 'alive' });
    else if (message.type === 'cancel') calls.get(message.id)?.abort();
    else void answer(message);
  });
}
