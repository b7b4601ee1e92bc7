import { CompactionError, InvariantError } from '../errors.ts';
import type { Fact } from '../ledger/ledger.ts';
import { copyData } from '../message/copy-data.ts';
import type { Prices } from '../size/cost.ts';
import { estimateText } from '../size/estimate-message.ts';
import { ANSWER_LIMIT_MS, awaitAnswer, wordsOfError } from '../summary/await-answer.ts';
import { summarize } from '../summary/summarize.ts';
import type { Need } from '../view/need.ts';
import type { OwedAnswers } from './owed-answers.ts';
import type { Ports } from './ports.ts';
import { readBefore, readCarried, readStashLocation, readStashRef } from './read-answers.ts';

/** How needs are met, and who is told while they are. */
export interface SettleOptions {
  readonly signal?: AbortSignal | undefined;
  readonly countText?: ((text: string) => number) | undefined;
  /** What tokens cost, where the host said so. */
  readonly prices?: Prices | undefined;
  /** Ports that were given up on and still owe an answer: they are not asked again. */
  readonly owed?: OwedAnswers | undefined;
  /** Called before needs are waited for. */
  readonly onWait?: (needs: readonly Need[]) => void;
}

/** Makes a walk or a plan again and again, until it needs nothing any more. Every round must bring a new fact, so it ends. */
export async function settleNeeds<Made extends { readonly needs: readonly Need[] }>(
  make: (facts: ReadonlyMap<string, Fact>) => Made,
  ports: Ports,
  options: SettleOptions = {},
): Promise<{ readonly made: Made; readonly facts: ReadonlyMap<string, Fact> }> {
  const { signal } = options;
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
    for (const fact of await Promise.all(open.map((need) => meetNeed(need, ports, options)))) facts.set(fact.key, fact);
  }
}

async function meetNeed(need: Need, ports: Ports, options: SettleOptions): Promise<Fact> {
  try {
    if (options.owed?.isOwedBy(need.type) === true)
      throw new CompactionError('busy', `an earlier request for "${need.type}" has not been answered yet`);
    // What a port answered is its own to change. The key stays as it was asked, or the need would be asked for again.
    return { ...copyData(await fetchFact(need, ports, options), `the answer to "${need.type}"`), key: need.key };
  } catch (error) {
    // Only the caller's own abort ends the waiting: a port that aborts itself has failed.
    if (options.signal?.aborted === true) throw options.signal.reason;
    return { type: 'failed', key: need.key, need: need.type, code: codeOfError(error), why: wordsOfError(error) };
  }
}

async function fetchFact(
  need: Need,
  { stash, summarizer, carry, hooks, clock }: Ports,
  { signal, owed, prices, countText = estimateText }: SettleOptions,
): Promise<Fact> {
  const { key } = need;
  const onLeft = (answer: Promise<unknown>): void => owed?.note(need.type, answer);
  const waiting = { clock, signal, onLeft, limitMs: ANSWER_LIMIT_MS };
  switch (need.type) {
    case 'summary':
      return summarize(need, { summarizer: requirePort(summarizer, need), clock, signal, onLeft, countText, prices });
    case 'stash': {
      const port = requirePort(stash, need);
      const put = (left: AbortSignal) => port.put(need.text, { signal: left });
      const ref = readStashRef(await awaitAnswer<unknown>(put, waiting));
      return { type: 'stashed', key, ref, ...readStashLocation(port.locate?.(ref)) };
    }
    case 'carry': {
      const list = (left: AbortSignal) => requirePort(carry, need).carry({ signal: left });
      return { type: 'carried', key, items: readCarried(await awaitAnswer<unknown>(list, waiting)) };
    }
    case 'hooks': {
      const { trigger, instructions } = need;
      const said = instructions === undefined ? { trigger } : { trigger, instructions };
      const hear = (left: AbortSignal) => requirePort(hooks, need).before?.({ ...said, signal: left });
      return { type: 'hooked', key, ...readBefore(await awaitAnswer<unknown>(hear, waiting)) };
    }
  }
}

function requirePort<Port>(port: Port | undefined, need: Need): Port {
  if (port === undefined) throw new Error(`there is no port for a need of type "${need.type}"`);
  return port;
}

/** The code of what was thrown, where it has one. */
export const codeOfError = (error: unknown): string => {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : 'failed';
};
