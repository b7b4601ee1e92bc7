import { createKeeper, type KeptRequest } from '@palimpsest/sdk/keeper';
import type { Store } from '@palimpsest/store';
import { newWriter } from './made-up-rounds.ts';
import { watchLoop } from './watch-loop.ts';

/** What a client compacted away before its gateway was started again. */
export const STORED = 8;
export const STORED_CHARS = 2_000_000;
const LOOKUPS = 20;
const RESULT_CHARS = 8_000;
const WINDOW = 100_000_000;

/** A lookup in a group whose conversations only the store has. */
export interface RecallTimes {
  readonly firstMs: number;
  readonly laterMs: readonly number[];
  /** The longest that others of the process waited for any of them. */
  readonly heldMs: number;
}

/** By a keeper that has just been started: the first lookup reads and indexes all of them, the others search. */
export async function timeRecall(store: Store): Promise<RecallTimes> {
  const write = newWriter(STORED);
  const send = (messages: readonly object[]) => ({
    wire: 'openai-chat' as const,
    id: 'group',
    body: { model: 'm', messages },
  });
  const before = createKeeper({ window: WINDOW, store });
  for (let n = 0; n < STORED; n++) {
    const messages = Array.from({ length: STORED_CHARS / RESULT_CHARS }, (_, i) => ({
      role: i % 2 === 0 ? 'user' : 'assistant',
      content: write(RESULT_CHARS),
    }));
    (await before.keep(send(messages)))?.release();
  }
  await before.close();
  const after = createKeeper({ window: WINDOW, store });
  const kept = await after.keep(send([{ role: 'user', content: 'This is what was done so far.' }]));
  if (kept === undefined) throw new Error('a request of one message is always kept');
  const times: number[] = [];
  let heldMs = 0;
  for (let n = 0; n <= LOOKUPS; n++) {
    const query = write(40).split(' ').slice(0, 6).join(' ');
    const { totalMs, wallMs } = await watchLoop(() => lookUp(kept, query));
    times.push(totalMs);
    heldMs = Math.max(heldMs, wallMs);
  }
  await after.close();
  const [firstMs = 0, ...laterMs] = times;
  return { firstMs, laterMs, heldMs };
}

async function lookUp({ recall }: KeptRequest<object>, query: string): Promise<void> {
  await recall.prepare();
  const found = recall.search(query, 6);
  if (found.length === 0 || recall.unread.length > 0) throw new Error('not all of the group was looked into');
}
