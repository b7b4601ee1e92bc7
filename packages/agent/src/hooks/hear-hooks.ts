import type { AfterAnswer, BeforeAnswer, Clock, Hooks } from '@palimpsest/core';
import { isBlank } from '@palimpsest/core/json';
import { keepHead } from '@palimpsest/terminal';
import { explain } from '../agent-error.ts';
import type { AgentHooks, BeforeToolAnswer, EndedCall, HookedCall, HookMoment } from './agent-hooks.ts';

/** What was heard of hooks: whoever watches is told. */
export type HookEvent =
  | { readonly type: 'hook-spoke'; readonly message: string }
  | { readonly type: 'hook-failed'; readonly moment: HookMoment; readonly why: string };

interface HearingParts {
  /** In the order in which they are asked. */
  readonly hooks: readonly AgentHooks[];
  readonly clock: Clock;
  readonly emit: (event: HookEvent) => void;
}

/** All hooks of an agent as one. */
export interface HookEar {
  /** The first refusal ends it; words of several stand behind each other. */
  beforeTool(call: HookedCall): Promise<BeforeToolAnswer>;
  afterTool(call: EndedCall): Promise<BeforeToolAnswer>;
  /** For the session; undefined where nobody listens. */
  readonly compaction?: Hooks;
}

/** Commands have limits of their own, which are shorter. */
const LIMIT_MS = 65_000;
const MOST_CONTEXT_CHARS = 10_000;

export function newHookEar(parts: HearingParts): HookEar {
  const listeners = parts.hooks.flatMap(({ compaction }) => compaction ?? []);
  return {
    beforeTool: (call) => hearAll(parts, 'beforeTool', call.signal, (hooks) => hooks.beforeTool?.(call)),
    afterTool: (call) => hearAll(parts, 'afterTool', call.signal, (hooks) => hooks.afterTool?.(call)),
    ...(listeners.length === 0 ? {} : { compaction: joinHooks(listeners) }),
  };
}

async function hearAll(
  { hooks, clock, emit }: HearingParts,
  moment: HookMoment,
  signal: AbortSignal,
  ask: (hooks: AgentHooks) => unknown,
): Promise<BeforeToolAnswer> {
  const contexts: string[] = [];
  for (const one of hooks) {
    try {
      const said = readWords(await awaitHook(() => ask(one), clock, signal));
      if (said.message !== undefined) emit({ type: 'hook-spoke', message: said.message });
      if (said.context !== undefined) contexts.push(said.context);
      if (said.block !== undefined) return { block: said.block };
    } catch (error) {
      signal.throwIfAborted();
      emit({ type: 'hook-failed', moment, why: explain(error) });
    }
  }
  const context = contexts.join('\n');
  if (context === '') return {};
  return {
    context: context.length > MOST_CONTEXT_CHARS ? `${keepHead(context, MOST_CONTEXT_CHARS)}\n[… cut]` : context,
  };
}

/** Hooks are other people's code: of what they answer only words count. */
function readWords(said: unknown): BeforeToolAnswer {
  if (typeof said !== 'object' || said === null) return {};
  const words = Object.entries(said).filter(
    ([key, value]) => ['block', 'context', 'message'].includes(key) && typeof value === 'string' && !isBlank(value),
  );
  return Object.fromEntries(words);
}

/** An abort is not waited out, and neither is a hook that never answers. */
async function awaitHook(ask: () => unknown, clock: Clock, signal: AbortSignal): Promise<unknown> {
  const done = new AbortController();
  const stop = AbortSignal.any([signal, done.signal]);
  const late = clock.wait(LIMIT_MS, stop).then(() => {
    throw new Error(`it did not answer within ${LIMIT_MS / 1_000} s`);
  });
  late.catch(() => {});
  try {
    return await Promise.race([ask(), late]);
  } finally {
    done.abort();
  }
}

/** Several as one: each is asked in turn, and the first veto ends it. */
function joinHooks([only, ...others]: readonly Hooks[]): Hooks {
  if (only === undefined || others.length === 0) return only ?? {};
  const all = [only, ...others];
  return {
    ...Object.assign({}, ...all),
    async before(compaction) {
      let joined: BeforeAnswer = {};
      for (const hooks of all) {
        const said = await hooks.before?.(compaction);
        if (said === undefined) continue;
        const instructions = joinWords(joined.instructions, said.instructions);
        const message = joinWords(joined.message, said.message);
        joined = { ...joined, ...said, ...instructions.as('instructions'), ...message.as('message') };
        if (joined.veto !== undefined) break;
      }
      return joined;
    },
    async after(compaction) {
      let joined: AfterAnswer = {};
      for (const hooks of all) {
        const said = await hooks.after?.(compaction);
        joined = { ...joined, ...said, ...joinWords(joined.context, said?.context).as('context') };
      }
      return joined;
    },
  };
}

function joinWords(...words: readonly (string | undefined)[]) {
  const said = words.filter((one) => typeof one === 'string' && !isBlank(one)).join('\n');
  return { as: (key: string): Readonly<Record<string, string>> => (said === '' ? {} : { [key]: said }) };
}
