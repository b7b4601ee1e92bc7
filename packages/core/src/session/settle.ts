import { CompactionError, InvariantError } from '../errors.ts';
import type { Fact } from '../ledger/ledger.ts';
import { copyData } from '../message/copy-data.ts';
import { estimateText } from '../size/estimate-message.ts';
import { type BeforeAnswer, HOOK_LIMIT_MS } from '../summary/hooks.ts';
import { summarize } from '../summary/summarize.ts';
import type { Clock } from '../summary/summarizer.ts';
import type { Need } from '../view/need.ts';
import type { Ports } from './ports.ts';

/** How needs are met, and who is told while they are. */
export interface SettleOptions {
  readonly signal?: AbortSignal | undefined;
  readonly countText?: ((text: string) => number) | undefined;
  /** Called before needs are waited for. */
  readonly onWait?: (needs: readonly Need[]) => void;
}

/** Makes a walk or a plan again and again, until it needs nothing any more. Every round must bring a new fact, so it ends. */
export async function settleNeeds<Made extends { readonly needs: readonly Need[] }>(
  make: (facts: ReadonlyMap<string, Fact>) => Made,
  ports: Ports,
  options: SettleOptions = {},
): Promise<{ readonly made: Made; readonly facts: ReadonlyMap<string, Fact> }> {
  const { signal, countText = estimateText } = options;
  const facts = new Map<string, Fact>();
  for (;;) {
    signal?.throwIfAborted();
    const made = make(facts);
    const open = made.needs.filter((need) => !facts.has(need.key));
    if (made.needs.length === 0) return { made, facts };
    if (open.length === 0)
      throw new InvariantError(
        'walk',
        'a met need is not asked for again',
        made.needs.map((need) => need.key).join(', '),
      );
    options.onWait?.(open);
    for (const fact of await Promise.all(open.map((need) => meetNeed(need, ports, signal, countText))))
      facts.set(fact.key, fact);
  }
}

async function meetNeed(
  need: Need,
  ports: Ports,
  signal: AbortSignal | undefined,
  countText: (text: string) => number,
): Promise<Fact> {
  try {
    signal?.throwIfAborted();
    // What a port answered is its own to change.
    return copyData(await fetchFact(need, ports, signal, countText), `the answer to "${need.type}"`);
  } catch (error) {
    if (isAbort(error, signal)) throw error;
    return { type: 'failed', key: need.key, need: need.type, code: codeOf(error), why: wordsOfError(error) };
  }
}

async function fetchFact(
  need: Need,
  { stash, summarizer, carry, hooks, clock }: Ports,
  signal: AbortSignal | undefined,
  countText: (text: string) => number,
): Promise<Fact> {
  const { key } = need;
  switch (need.type) {
    case 'summary':
      return summarize(need, { summarizer: requirePort(summarizer, need), clock, signal, countText });
    case 'stash':
      return { type: 'stashed', key, ref: await requirePort(stash, need).put(need.text) };
    case 'carry': {
      const items = requirePort(carry, need).carry(signal === undefined ? {} : { signal });
      return { type: 'carried', key, items: await waitInTime(items, clock, HOOK_LIMIT_MS) };
    }
    case 'hooks': {
      const { trigger, instructions } = need;
      const hear = async (): Promise<BeforeAnswer | undefined> =>
        requirePort(hooks, need).before?.({ trigger, ...(instructions === undefined ? {} : { instructions }) });
      return { type: 'hooked', key, ...(await waitInTime(hear(), clock, HOOK_LIMIT_MS)) };
    }
  }
}

function requirePort<Port>(port: Port | undefined, need: Need): Port {
  if (port === undefined) throw new Error(`there is no port for a need of type "${need.type}"`);
  return port;
}

/** Answers within the limit, or rejects. Whatever answers later is not heard. */
export async function waitInTime<Answer>(
  answer: Promise<Answer>,
  clock: Clock | undefined,
  limitMs: number,
): Promise<Answer> {
  if (clock === undefined) return answer;
  const stop = new AbortController();
  const late = clock.wait(limitMs, stop.signal).then(() => {
    throw new CompactionError('timed-out', `no answer within ${limitMs} ms`);
  });
  late.catch(() => {});
  answer.catch(() => {});
  try {
    return await Promise.race([answer, late]);
  } finally {
    stop.abort();
  }
}

const isAbort = (error: unknown, signal: AbortSignal | undefined): boolean =>
  signal?.aborted === true || (error instanceof Error && error.name === 'AbortError');

const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : 'failed';
};

/** What an error says, whatever was thrown. */
export const wordsOfError = (error: unknown): string => (error instanceof Error ? error.message : String(error));
