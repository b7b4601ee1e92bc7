import { CompactionError, InvariantError } from '../errors.ts';
import type { Fact } from '../ledger/ledger.ts';
import { copyData } from '../message/copy-data.ts';
import { ANSWER_LIMIT_MS, awaitAnswer, codeOfError, rejectOnAbort, wordsOfError } from '../summary/await-answer.ts';
import type { Need } from '../view/need.ts';
import { askSummary } from './ask-summary.ts';
import type { Ports } from './ports.ts';
import { readBefore, readCarried, readStashLocation, readStashRef } from './read-answers.ts';
import type { SettleOptions } from './settle-options.ts';

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
    for (const fact of await meetNeeds(open, ports, options)) facts.set(fact.key, fact);
  }
}

/** What ends the waiting for all needs of one walk. */
type Aborted = Promise<never> | undefined;

async function meetNeeds(needs: readonly Need[], ports: Ports, options: SettleOptions): Promise<readonly Fact[]> {
  const over = new AbortController();
  const aborted = options.signal === undefined ? undefined : rejectOnAbort(options.signal, over.signal);
  aborted?.catch(() => {});
  try {
    return await Promise.all(needs.map((need) => meetNeed(need, ports, options, aborted)));
  } finally {
    over.abort();
  }
}

async function meetNeed(need: Need, ports: Ports, options: SettleOptions, aborted: Aborted): Promise<Fact> {
  try {
    if (options.owed?.isOwedBy(need.type) === true)
      throw new CompactionError('busy', `an earlier request for "${need.type}" has not been answered yet`);
    // What a port answered is its own to change. The key stays as it was asked, or the need would be asked for again.
    return {
      ...copyData(await fetchFact(need, ports, options, aborted), `the answer to "${need.type}"`),
      key: need.key,
    };
  } catch (error) {
    // Only the caller's own abort ends the waiting: a port that aborts itself has failed.
    if (options.signal?.aborted === true) throw options.signal.reason;
    return { type: 'failed', key: need.key, need: need.type, code: codeOfError(error), why: wordsOfError(error) };
  }
}

async function fetchFact(need: Need, ports: Ports, options: SettleOptions, aborted: Aborted): Promise<Fact> {
  const { stash, summarizer, carry, hooks, clock } = ports;
  const { signal, owed } = options;
  const { key } = need;
  const onLeft = (answer: Promise<unknown>): void => owed?.note(need.type, answer);
  const waiting = { clock, signal, aborted, onLeft, limitMs: ANSWER_LIMIT_MS };
  switch (need.type) {
    case 'summary':
      return askSummary(need, requirePort(summarizer, need), ports, options);
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
