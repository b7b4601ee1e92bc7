import { setTimeout as sleep } from 'node:timers/promises';
import type { Inbound } from '../http/send-upstream.ts';

export interface HoldOptions {
  /** Asked before each chunk. */
  readonly isEnough: () => boolean;
  /** Called with every chunk once, as it is read: also with those that are read later, by whom the answer is handed on to. */
  readonly onChunk?: (chunk: Buffer) => void;
  /** An answer that takes longer is handed on as far as it came. Absent: it may take as long as it likes. */
  readonly mostMs?: number | undefined;
}

/** What was read of an answer so far, and the same answer from its beginning. */
export interface Held {
  readonly held: Inbound;
  readonly chunks: readonly Buffer[];
  /** All of it is here. */
  readonly isOver: boolean;
  /** It broke off. */
  readonly isBroken: boolean;
}

/** Reads of an answer until it is enough, or over, or late. What broke it is told to whoever reads on. */
export async function holdAnswer(inbound: Inbound, { isEnough, onChunk, mostMs }: HoldOptions): Promise<Held> {
  const chunks: Buffer[] = [];
  const rest = inbound.body[Symbol.asyncIterator]();
  const waited = new AbortController();
  const late = mostMs === undefined ? [] : [waitFor(mostMs, waited.signal)];
  let failure: { readonly error: unknown } | undefined;
  let isOver = false;
  let next: Promise<IteratorResult<Buffer>> | undefined;
  while (!isOver && failure === undefined && !isEnough()) {
    try {
      next = rest.next();
      const come = await Promise.race([next, ...late]);
      if (come === 'late') break;
      next = undefined;
      const { done, value } = come;
      isOver = done === true;
      if (value === undefined) continue;
      chunks.push(value);
      onChunk?.(value);
    } catch (error) {
      next = undefined;
      failure = { error };
    }
  }
  waited.abort();
  // Heard below, where the answer is read on.
  next?.catch(() => {});
  const goOn = async function* (): AsyncGenerator<Buffer> {
    yield* chunks;
    if (failure !== undefined) throw failure.error;
    while (!isOver) {
      const { done, value } = await (next ?? rest.next());
      next = undefined;
      if (done === true) return;
      onChunk?.(value);
      yield value;
    }
  };
  return { held: { ...inbound, body: goOn() }, chunks, isOver, isBroken: failure !== undefined };
}

const waitFor = (ms: number, signal: AbortSignal): Promise<'late'> =>
  sleep(ms, 'late' as const, { signal, ref: false }).catch(() => 'late' as const);
