import { asFields, asString, isSameJson, omitFields } from '@palimpsest/core/json';
import type { Violation } from '../wire.ts';
import { type AnthropicBody, blocksIn } from './read.ts';

/** Models from these versions on check a replayed thinking block against the exact prefix it was made behind. */
const BOUND_FROM: Readonly<Record<string, number>> = { opus: 5.5, sonnet: 5.5, haiku: 5.5, fable: 5.1, mythos: 5.1 };

export function isBound(body: AnthropicBody): boolean {
  if (asFields(asFields(body.thinking).block_binding).prefix_mismatch_behavior === 'drop_block') return false;
  const match = /(opus|sonnet|haiku|fable|mythos)-(\d+)(?:-(\d)(?!\d))?/.exec(body.model ?? '');
  return match !== null && Number(`${match[2]}.${match[3] ?? 0}`) >= BOUND_FROM[match[1]!]!;
}

interface Flat {
  readonly path: string;
  readonly role: string;
  readonly block: unknown;
}

/** The conversation as the server reads it: neighbours of one role are one turn, a breakpoint is no content. */
function flatten(body: AnthropicBody): readonly Flat[] {
  return body.messages.map(asFields).flatMap(({ role, content }, m) =>
    blocksIn(content).map((block, b) => ({
      path: `messages.${m}.content.${b}`,
      role: String(role),
      block: omitFields(asFields(block), 'cache_control'),
    })),
  );
}

/** Thinking that stands behind the first difference between two bodies: on a bound model it was made for another prefix. */
export function findUnboundThinking(body: AnthropicBody, previous: AnthropicBody): readonly Violation[] {
  if (!isBound(body)) return [];
  const now = flatten(body);
  const before = flatten(previous);
  let same = 0;
  while (same < before.length && same < now.length && isSameFlat(now[same]!, before[same]!)) same++;
  if (same === before.length) return [];
  return now.slice(same).flatMap(({ path, block }) => {
    const type = asString(asFields(block).type);
    if (type !== 'thinking' && type !== 'redacted_thinking') return [];
    return [
      {
        path,
        rule: 'thinking-behind-change',
        message: `Invalid signature in ${type} block: the conversation before it is not the one it was created in.`,
      },
    ];
  });
}

const isSameFlat = (a: Flat, b: Flat): boolean => a.role === b.role && isSameJson(a.block, b.block);
