import { type Counter, TURN_TOKENS } from './counter.ts';
import { canonicalize, hash } from './hash.ts';

export type Ttl = '5m' | '1h';

/** A block of the prompt in the order in which it is read: tools, system, messages. */
export interface Segment {
  readonly text: string;
  readonly tokens: number;
  /** A cache breakpoint stands behind it. */
  readonly mark?: Ttl;
}

export interface PromptBlock {
  /** `tools`, `system` or the role; a change of it opens a new run. */
  readonly run: string;
  readonly block: unknown;
  readonly mark?: Ttl;
  /** Options that change how everything from here on is rendered. */
  readonly salt?: string;
}

export function makeSegments(blocks: readonly PromptBlock[], counter: Counter): readonly Segment[] {
  let last = '';
  return blocks.map(({ run, block, mark, salt = '' }) => {
    const opens = run !== last && run !== 'tools' && run !== 'system';
    last = run;
    const text = `${run} ${salt}${canonicalize(block)}`;
    const tokens = counter.block(block, text) + (opens ? TURN_TOKENS : 0);
    return mark === undefined ? { text, tokens } : { text, tokens, mark };
  });
}

export const countTokens = (segments: readonly Segment[]): number =>
  segments.reduce((sum, { tokens }) => sum + tokens, 0);

/** The name and the size of every prefix; the first is the empty one. */
export function makePrefixes(
  segments: readonly Segment[],
  salt: string,
): readonly { readonly name: string; readonly tokens: number }[] {
  let name = hash(salt);
  let tokens = 0;
  const prefixes = [{ name, tokens }];
  for (const segment of segments) {
    name = hash(name, segment.text);
    tokens += segment.tokens;
    prefixes.push({ name, tokens });
  }
  return prefixes;
}
