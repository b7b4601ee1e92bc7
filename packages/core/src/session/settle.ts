import { CompactionError, InvariantError } from '../errors.ts';
import type { Carry } from '../ledger/carry.ts';
import type { Fact, Ledger } from '../ledger/ledger.ts';
import type { Stash } from '../ledger/ports.ts';
import type { NewMessage } from '../message/message.ts';
import { estimateText } from '../size/estimate-message.ts';
import { type BeforeAnswer, HOOK_LIMIT_MS, type Hooks } from '../summary/hooks.ts';
import { summarize } from '../summary/summarize.ts';
import type { Clock, Summarizer } from '../summary/summarizer.ts';
import type { Need } from '../view/look.ts';
import { type Plan, type PlanOptions, plan } from '../walk/plan.ts';

/** What needs are met with. None is needed: what cannot be met is a failed fact, and the next means takes over. */
export interface Ports {
  /** Where large results are saved besides the transcript, so that other tools can read them too. */
  readonly stash?: Stash;
  /** A model that writes the narrative of summaries; without it the digest is the summary. */
  readonly summarizer?: Summarizer;
  /** What the host wants taken across a summary; without it, the files read last. */
  readonly carry?: Carry;
  /** What the host has to say before and after a summary. */
  readonly hooks?: Hooks;
  /** Without a clock there are no deadlines, and retries do not wait. */
  readonly clock?: Clock;
}

const isAbort = (error: unknown, signal: AbortSignal | undefined): boolean =>
  signal?.aborted === true || (error instanceof Error && error.name === 'AbortError');

/** Answers within the limit, or rejects. Whatever answers later is not heard. */
export async function timely<Answer>(
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

async function fetched(
  need: Exclude<Need, { type: 'summary' }>,
  ports: Ports,
  signal: AbortSignal | undefined,
): Promise<Fact> {
  const { key } = need;
  switch (need.type) {
    case 'stash':
      return { type: 'stashed', key, ref: await ports.stash!.put(need.text) };
    case 'carry': {
      const items = ports.carry!.carry(signal === undefined ? {} : { signal });
      return { type: 'carried', key, items: await timely(items, ports.clock, HOOK_LIMIT_MS) };
    }
    case 'hooks': {
      const { trigger, instructions } = need;
      const said = async (): Promise<BeforeAnswer | undefined> =>
        ports.hooks!.before?.({ trigger, ...(instructions === undefined ? {} : { instructions }) });
      return { type: 'hooked', key, ...(await timely(said(), ports.clock, HOOK_LIMIT_MS)) };
    }
  }
}

async function meet(
  need: Need,
  ports: Ports,
  signal: AbortSignal | undefined,
  countText: (text: string) => number,
): Promise<Fact> {
  try {
    signal?.throwIfAborted();
    if (need.type === 'summary')
      return await summarize(need, { summarizer: ports.summarizer!, clock: ports.clock, signal, countText });
    return await fetched(need, ports, signal);
  } catch (error) {
    if (isAbort(error, signal)) throw error;
    const why = error instanceof Error ? error.message : String(error);
    return { type: 'failed', key: need.key, need: need.type, code: codeOf(error), why };
  }
}

const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : 'failed';
};

/** Plans until nothing is needed any more. Every round must bring a new fact, so it ends. */
export async function settle<Made extends { readonly needs: readonly Need[] }>(
  make: (facts: ReadonlyMap<string, Fact>) => Made,
  ports: Ports,
  options: {
    readonly signal?: AbortSignal | undefined;
    readonly countText?: (text: string) => number;
    readonly waits?: (needs: readonly Need[]) => void;
  } = {},
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
    options.waits?.(open);
    for (const fact of await Promise.all(open.map((need) => meet(need, ports, signal, countText))))
      facts.set(fact.key, fact);
  }
}

/** Which needs the ports at hand can meet. */
export const able = (ports: Ports): Pick<PlanOptions, 'hasStash' | 'hasSummarizer' | 'hasCarry' | 'hasHooks'> => ({
  hasStash: ports.stash !== undefined,
  hasSummarizer: ports.summarizer !== undefined,
  hasCarry: ports.carry !== undefined,
  hasHooks: ports.hooks?.before !== undefined,
});

/** The effectful whole for hosts that keep transcript and ledger themselves: plan, meet, plan again. */
export async function compact(
  transcript: readonly NewMessage[],
  ledger: Ledger,
  options: Omit<PlanOptions, 'facts'> & { readonly ports?: Ports; readonly signal?: AbortSignal },
): Promise<Plan> {
  const ports = options.ports ?? {};
  const make = (facts: ReadonlyMap<string, Fact>): Plan =>
    plan(transcript, ledger, { ...options, ...able(ports), facts });
  return (await settle(make, ports, options)).made;
}
