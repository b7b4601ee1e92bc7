import type { Session } from '@palimpsest/core';
import { asString, type Fields } from '@palimpsest/core/json';
import { apis, type Failure, type Wire } from '@palimpsest/wire';
import { createConversations } from '../conversations/conversations.ts';
import type { Conversations, Fitted, Kept } from '../conversations/keep-options.ts';
import { BODY_LIMITS, lowerOutput, readOutputLimit } from '../conversations/lower-output.ts';
import { createStreamWatch } from '../http/stream-watch.ts';
import type { AnswerWatch, Keeper, KeeperOptions, KeepRequest, KeptBody, KeptRequest } from './keeper-types.ts';

/** Keeps the conversations of many clients, each within its window. Each tenant's are its own. */
export function createKeeper(options: KeeperOptions): Keeper {
  const { summarizer: _, send: __, window = () => undefined, ...keepOptions } = options;
  const tenants = new Map<string, Conversations>();
  const ids = new WeakMap<Session, string>();
  let count = 0;
  const conversationsOf = (tenant: string): Conversations => {
    const found = tenants.get(tenant);
    if (found !== undefined) return found;
    const made = createConversations({ ...keepOptions, window });
    tenants.set(tenant, made);
    return made;
  };
  return {
    async keep<Body extends object>(request: KeepRequest<Body>): Promise<KeptRequest<Body> | undefined> {
      const { body, headers, signal } = request;
      const { wire } = apis[request.wire];
      const kept = await conversationsOf(request.tenant ?? '').keep<Body>({
        format: wire as unknown as Wire<Body>,
        body,
        model: request.model ?? asString((body as Fields).model) ?? '',
        maxOutput: readOutputLimit(body, BODY_LIMITS),
        ...(headers === undefined ? {} : { headers }),
        signal,
      });
      if (kept === undefined) return undefined;
      if (!ids.has(kept.session)) ids.set(kept.session, `s-${++count}`);
      return makeKept(request, kept, wire, ids.get(kept.session) ?? '');
    },
    find: () => undefined,
    status: () => ({ conversations: count, bytes: 0 }),
    close: async () => {},
  };
}

function makeKept<Body extends object>(
  { body }: KeepRequest<Body>,
  kept: Kept<Body>,
  wire: Wire<never>,
  id: string,
): KeptRequest<Body> {
  const { session } = kept;
  const fit = (fitted: Fitted<Body>): KeptBody<Body> => {
    const fitting = lowerOutput(fitted.body, fitted.outputRoom, BODY_LIMITS);
    const { headers, names } = fitted;
    const { tokens } = session.status();
    return { body: fitting, changed: fitting !== body, headers, tokens, ...(names === undefined ? {} : { names }) };
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
    id,
    session,
    how: 'continued',
    tokensBefore: session.status().tokens,
    recall: session.recall,
    hear: (answer) => kept.noteAnswer(wire.usage(answer)),
    watch(): AnswerWatch {
      const watch = createStreamWatch(wire);
      let ended = false;
      return {
        read: watch.read,
        get spoke() {
          return watch.spoke;
        },
        get failure() {
          return watch.failure;
        },
        end() {
          if (ended) return;
          ended = true;
          if (watch.failure === undefined) kept.noteAnswer(watch.reported);
          else void fail(watch.failure).catch(() => {});
        },
      };
    },
    fail,
  };
}
