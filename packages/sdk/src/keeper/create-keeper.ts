import { CompactionError, type Entry, findRecallTool } from '@palimpsest/core';
import { asString, type Fields } from '@palimpsest/core/json';
import { apis, type Failure, type Wire } from '@palimpsest/wire';
import { createConversations } from '../conversations/conversations.ts';
import type { Fitted, KeepOptions, Kept } from '../conversations/keep-options.ts';
import { BODY_LIMITS, lowerOutput, readOutputLimit } from '../conversations/lower-output.ts';
import { watchAnswer } from '../http/watch-answer.ts';
import type { Keeper, KeeperOptions, KeepRequest, KeptBody, KeptRequest } from './keeper-types.ts';
import { upstreamSummarizer } from './upstream-summarizer.ts';

/**
 * Keeps the conversations of many clients, each within its window: for gateways and servers that are handed requests. The
 * integrations are made of the same.
 */
export function createKeeper(options: KeeperOptions): Keeper {
  const conversations = createConversations(readOptions(options));
  return {
    async keep(request) {
      const { wire } = apis[request.wire];
      const kept = await conversations.keep(turnOf(request, wire));
      return kept === undefined ? undefined : makeKept(request, kept, wire);
    },
    find: (id, tenant = '') => conversations.find(id, tenant),
    list: conversations.list,
    status: conversations.status,
    forget: conversations.forget,
    close: conversations.close,
  };
}

function readOptions({ summarizer, send, window = () => undefined, ports, ...rest }: KeeperOptions): KeepOptions {
  if (summarizer === undefined) return { ...rest, window, ...(ports === undefined ? {} : { ports }) };
  if (send === undefined)
    throw new CompactionError('bad-option', '`summarizer: "upstream"` needs `send`, which sends its requests.');
  return { ...rest, window, ports: { ...ports, summarizer: upstreamSummarizer(send) } };
}

const turnOf = <Body extends object>(request: KeepRequest<Body>, wire: Wire<never>) => {
  const { body, tenant, id, window, preset, headers, credentials, signal } = request;
  const { canRecall = findRecallTool((body as Fields).tools) !== undefined } = request;
  return {
    format: wire as unknown as Wire<Body>,
    body,
    model: request.model ?? asString((body as Fields).model) ?? '',
    tenant,
    id,
    window,
    preset,
    maxOutput: readOutputLimit(body, BODY_LIMITS),
    canRecall,
    ...(headers === undefined ? {} : { headers }),
    credentials,
    signal,
    breakpoints: 'edited',
  } as const;
};

function makeKept<Body extends object>(
  { body }: KeepRequest<Body>,
  kept: Kept<Body>,
  wire: Wire<never>,
): KeptRequest<Body> {
  const fit = (one: Fitted<Body>): KeptBody<Body> => {
    const { headers, names, receipt, ...fitted } = one;
    const fitting = lowerOutput(fitted.body, fitted.outputRoom, BODY_LIMITS);
    return {
      body: fitting,
      changed: fitting !== body,
      headers,
      tokens: sizeOfKept(one),
      ...(names === undefined ? {} : { names }),
      ...(receipt === undefined ? {} : { receipt }),
    };
  };
  const fail: KeptRequest<Body>['fail'] = async (refusal) => {
    const failure: Failure | undefined =
      'type' in refusal ? refusal : wire.failure(refusal.status, refusal.body, refusal.headers);
    if (failure?.type !== 'overflow') return undefined;
    const smaller = await kept.shrinkBody(failure);
    return smaller === undefined ? undefined : fit(smaller);
  };
  return {
    ...fit(kept),
    id: kept.id,
    session: kept.session,
    how: kept.how,
    ...(kept.parent === undefined ? {} : { parent: kept.parent }),
    tokensBefore: measureBefore(kept),
    recall: kept.recall,
    hear(answer) {
      const failure = wire.failure(200, answer);
      if (failure === undefined) kept.noteAnswer(wire.usage(answer));
      else void fail(failure).catch(() => {});
    },
    note: kept.noteAnswer,
    watch: () => watchAnswer(wire, kept),
    fail,
    release: kept.release,
  };
}

/** The walk measured the view before the provider's last report was let go, so its figure wins where there is one. */
const sizeOfKept = ({ tokens, receipt }: Pick<Fitted<unknown>, 'tokens' | 'receipt'>): number =>
  receipt?.tokensAfter ?? tokens;

/** All that was said, in tokens: the view, and what each compaction that stands took out of it. */
const measureBefore = (kept: Kept<unknown>): number => sizeOfKept(kept) + sumFreed(kept.session.ledger().entries);

/** What the walks that were not taken back have freed, as their receipts state it. */
function sumFreed(entries: readonly Entry[]): number {
  const reverted = new Set(entries.flatMap((entry) => (entry.type === 'revert' ? [entry.walk] : [])));
  return entries.reduce(
    (sum, entry) =>
      entry.type === 'edits' && !reverted.has(entry.walk) ? sum + entry.tokensBefore - entry.tokensAfter : sum,
    0,
  );
}
