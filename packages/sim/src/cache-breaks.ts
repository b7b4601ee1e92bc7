import { asFields, asList, type Fields, isFields } from '@palimpsest/core/json';
import { isPresent as given } from './is-present.ts';
import type { ApiName } from './script/reply.ts';

/** One request of a conversation and what the provider said about its cache. */
export interface Sent {
  readonly api: ApiName;
  readonly body: unknown;
  /** Gemini names the model in its path. */
  readonly model?: string;
  /** Milliseconds. */
  readonly at: number;
  /** As reported. Where nothing was, no break can be seen. */
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly input?: number;
  /** A compaction was declared before this request, so that the drop is meant. */
  readonly compacted?: boolean;
}

/** What changed between two requests; `ttl`: nothing but the time. `unknown`: the provider let the entry go by itself. */
export type CacheBreakCause = 'model' | 'tools' | 'system' | 'messages' | 'options' | 'ttl' | 'breakpoints' | 'unknown';

/** A request that read at least 1,000 tokens and 5 % less from the cache than the one before had left there. */
export interface CacheBreak {
  readonly type: CacheBreakCause;
  /** For `messages`: the first message that is not the one sent before. For `tools`: the first such tool. */
  readonly index?: number;
  /** Tokens that could have been read and were not. */
  readonly lost: number;
  readonly message: string;
}

/** Less is the jitter of rounding and of blocks; no one would look for its cause. */
const LEAST_SHARE = 0.05;
const LEAST_TOKENS = 1_000;
const TTL_MS = { '5m': 5 * 60_000, '1h': 60 * 60_000, '24h': 24 * 60 * 60_000 } as const;
const LOOK_BACK = 20;

/** Watches a conversation of any host, also against a real provider. */
export interface CacheBreaks {
  /** Tells the break, if this request of the conversation was one. */
  observe(sent: Sent): CacheBreak | undefined;
}

/** Watches one conversation. */
export function cacheBreaks(): CacheBreaks {
  let last: Sent | undefined;
  let compacted = false;
  return {
    observe(sent) {
      compacted ||= sent.compacted === true;
      const found = last === undefined || compacted ? undefined : cacheBreak(last, sent);
      // A request that failed or said nothing tells nothing about the next one, but that a compaction was declared.
      if (sent.cacheRead === undefined && sent.input === undefined) return found;
      last = sent;
      compacted = false;
      return found;
    },
  };
}

/** Compares two requests that follow each other. */
export function cacheBreak(before: Sent, now: Sent): CacheBreak | undefined {
  if (now.compacted === true || now.cacheRead === undefined) return undefined;
  // A request cannot read more than it holds: one that went back to an earlier point has less to read.
  const size = now.input === undefined ? Infinity : now.cacheRead + (now.cacheWrite ?? 0) + now.input;
  const there = Math.min(readable(before), size);
  const lost = there - now.cacheRead;
  if (lost < LEAST_TOKENS || lost < there * LEAST_SHARE) return undefined;
  return { ...causeOf(before, now), lost };
}

/** Anthropic keeps what was read and written; where caching is implicit, all of the prompt. */
const readable = ({ api, cacheRead = 0, cacheWrite = 0, input = 0 }: Sent): number =>
  cacheRead + cacheWrite + (api === 'anthropic-messages' ? 0 : input);

function causeOf(before: Sent, now: Sent): Omit<CacheBreak, 'lost'> {
  const old = layout(before);
  const fresh = layout(now);
  if (old.model !== fresh.model)
    return { type: 'model', message: `the model changed from ${old.model} to ${fresh.model}` };
  const tool = firstChange(old.tools, fresh.tools);
  if (tool !== undefined || old.tools.length !== fresh.tools.length) {
    const index = tool ?? Math.min(old.tools.length, fresh.tools.length);
    return { type: 'tools', index, message: `the tools changed at ${index} (${nameOf(now, index) ?? 'removed'})` };
  }
  if (old.system !== fresh.system) return { type: 'system', message: 'the system prompt changed' };
  const ttlMs = TTL_MS[old.ttl];
  const isOld = now.at - before.at >= ttlMs;
  const index = firstChange(old.messages, fresh.messages) ?? shortened(old.messages, fresh.messages);
  // What stands before a change would still have been read.
  if (index !== undefined && !(isOld && index > 0 && now.cacheRead === 0))
    return {
      type: 'messages',
      index,
      message: `the messages changed at ${index} of ${old.messages.length}; nobody declared a compaction`,
    };
  if (old.options !== fresh.options)
    return { type: 'options', message: 'options that change the prompt (tool choice, thinking, cache key) changed' };
  if (isOld)
    return {
      type: 'ttl',
      message: `${Math.round((now.at - before.at) / 1000)} seconds passed; the cache is kept for ${ttlMs / 1000}`,
    };
  if (now.api === 'anthropic-messages' && (fresh.marks.length === 0 || !reaches(old.marks, fresh.marks)))
    return {
      type: 'breakpoints',
      message:
        fresh.marks.length === 0
          ? 'the request has no cache breakpoint'
          : `no breakpoint stands within ${LOOK_BACK} blocks behind one of the request before`,
    };
  return { type: 'unknown', message: 'nothing in the requests explains it; the provider let the entry go' };
}

function firstChange(old: readonly string[], fresh: readonly string[]): number | undefined {
  const shared = Math.min(old.length, fresh.length);
  for (let i = 0; i < shared; i++) if (old[i] !== fresh[i]) return i;
  return undefined;
}

const shortened = (old: readonly string[], fresh: readonly string[]): number | undefined =>
  fresh.length < old.length ? fresh.length : undefined;

const reaches = (old: readonly number[], fresh: readonly number[]): boolean =>
  fresh.some((mark) => old.some((other) => mark >= other && mark - other < LOOK_BACK));

const nameOf = ({ body }: Sent, index: number): string | undefined => {
  const tool = asFields(asList(asFields(body).tools)[index]);
  const name = tool.name ?? asFields(tool.function).name;
  return typeof name === 'string' ? name : undefined;
};

interface Layout {
  readonly model: string;
  readonly tools: readonly string[];
  readonly system: string;
  readonly messages: readonly string[];
  readonly options: string;
  readonly ttl: keyof typeof TTL_MS;
  /** Positions of the breakpoints, counted in blocks. */
  readonly marks: readonly number[];
}

const OPTIONS = ['tool_choice', 'thinking', 'speed', 'prompt_cache_key', 'toolConfig'];

/** The parts of a request in the order in which caches read them, free of breakpoints. */
function layout({ body: given_, model }: Sent): Layout {
  const body = asFields(given_);
  const list = body.messages ?? body.input ?? body.contents;
  const messages = typeof list === 'string' ? [{ role: 'user', content: list }] : asList(list);
  const system = body.system ?? body.instructions ?? body.systemInstruction ?? body.system_instruction;
  const marks: number[] = [];
  let blocks = 0;
  let isShort = false;
  const visit = (block: unknown): void => {
    blocks++;
    const inner = asList(asFields(block).content).some((piece) => isFields(asFields(piece).cache_control));
    const control = asFields(block).cache_control;
    if (!isFields(control) && !inner) return;
    marks.push(blocks);
    isShort ||= asFields(control).ttl !== '1h';
  };
  for (const tool of asList(body.tools)) visit(tool);
  for (const block of asList(system)) visit(block);
  for (const message of messages) for (const block of blocksOf(asFields(message).content)) visit(block);
  if (isFields(body.cache_control)) marks.push(blocks);
  isShort ||= isFields(body.cache_control) && body.cache_control.ttl !== '1h';
  const lead = messages.findIndex((message) => !['system', 'developer'].includes(String(asFields(message).role)));
  return {
    model: model ?? String(body.model),
    tools: asList(body.tools).map(spelled),
    system: spelled([blocksOf(system), lead < 0 ? messages : messages.slice(0, lead)]),
    messages: messages.map(spelled),
    options: JSON.stringify(OPTIONS.map((key) => body[key] ?? null)),
    ttl: body.prompt_cache_retention === '24h' ? '24h' : marks.length > 0 && !isShort ? '1h' : '5m',
    marks,
  };
}

const blocksOf = (content: unknown): readonly unknown[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : Array.isArray(content) ? content : [content];

/** As JSON, without what only steers the cache; a string of content is one text block. */
function spelled(value: unknown): string {
  return JSON.stringify(value, function (this: unknown, key, field: unknown) {
    if (key === 'cache_control' || key === 'prompt_cache_breakpoint') return undefined;
    if (key === 'content' && typeof field === 'string' && given((this as Fields).role))
      return [{ type: 'text', text: field }];
    return field;
  });
}
