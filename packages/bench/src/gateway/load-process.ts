import { newTalk, sendLoad } from './send-load.ts';

/** What a process of load is asked for: so many requests. */
export interface LoadOrder {
  readonly url: string;
  readonly count: number;
}

/** What its conversations are: so many at a time, of so many bytes; `fresh`: each request begins a new one; `still`: none grows. */
export interface LoadOptions {
  readonly name: string;
  readonly atOnce: number;
  readonly bytes: number;
  readonly fresh?: boolean;
  readonly still?: boolean;
}

/** The clients, in a process of their own, whose conversations go on from order to order. */
const { name, atOnce, bytes, fresh = false, still = false } = JSON.parse(process.argv[2] ?? '{}') as LoadOptions;
let begun = 0;
const talks = Array.from({ length: atOnce }, (_, n): (() => Buffer) => {
  if (fresh) return () => newTalk(`${name}-${n}-${begun++}`, bytes)();
  const talk = newTalk(`${name}-${n}`, bytes);
  if (!still) return talk;
  const body = talk();
  return () => body;
});
process.on('message', async ({ url, count }: LoadOrder) => {
  process.send?.(await sendLoad(url, talks, count));
});
process.on('disconnect', () => process.exit(0));
process.send?.({ url: '' });
