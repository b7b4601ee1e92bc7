import { CompactionError, findRecallTool } from '@palimpsest/core';
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
  const fit = ({ headers, names, tokens, receipt, ...fitted }: Fitted<Body>): KeptBody<Body> => {
    const fitting = lowerOutput(fitted.body, fitted.outputRoom, BODY_LIMITS);
    return {
      body: fitting,
      changed: fitting !== body,
      headers,
      tokens,
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
    watch: () => watchAnswer(wire, kept),
    fail,
    release: kept.release,
  };
}

/** Below it, what was said and what is shown differ only in how they are measured. */
const LEAST_HIDDEN = 1.05;
const CHARS_PER_TOKEN = 4;

/** What all that was said would take, by the tokens that the view takes for a character. */
function measureBefore({ session, tokens, bytes }: Kept<unknown>): number {
  const { bytes: sent, overhead } = session.status();
  const shown = Math.max(1, sent - overhead.tokens * CHARS_PER_TOKEN);
  if (bytes < shown * LEAST_HIDDEN) return tokens;
  return Math.round(overhead.tokens + (Math.max(0, tokens - overhead.tokens) * bytes) / shown);
}
