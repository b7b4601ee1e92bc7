import { asFields, asList, type Fields, isFields } from '@palimpsest/core/json';
import { type Finds, violation } from '../body/violations.ts';
import { MAX_BREAKPOINTS } from './breakpoints.ts';
import type { AnthropicBody } from './read.ts';

/** What stands beside and across the messages: breakpoints, compaction blocks, context edits. */
export function* checkOptions(body: AnthropicBody): Finds {
  yield* checkBreakpoints(body);
  yield* checkCompaction(body);
  const edits = asList(asFields(body.context_management).edits).map(asFields);
  const thinking = edits.findIndex(({ type }) => type === 'clear_thinking_20251015');
  if (thinking > 0)
    yield violation(`context_management.edits.${thinking}`, 'edit-order', 'clear_thinking must be the first edit');
  if (isFields(body.compaction) && isFields(body.context_management))
    yield violation('compaction', 'compaction-with-edits', 'compaction cannot be combined with context_management');
}

interface Breakpoint {
  readonly path: string;
  readonly on: Fields;
  readonly ttl: unknown;
}

/** In the order in which they are cached: tools, system, messages. */
function* breakpointsIn(body: AnthropicBody): Generator<Breakpoint, void> {
  for (const [i, tool] of asList(body.tools).entries()) yield* breakpointOn(tool, `tools.${i}`);
  for (const [i, block] of asList(body.system).entries()) yield* breakpointOn(block, `system.${i}`);
  for (const [m, message] of body.messages.entries())
    for (const [b, block] of asList(asFields(message).content).entries()) {
      const path = `messages.${m}.content.${b}`;
      for (const [i, piece] of asList(asFields(block).content).entries())
        yield* breakpointOn(piece, `${path}.content.${i}`);
      yield* breakpointOn(block, path);
    }
  yield* breakpointOn(body, 'cache_control');
}

function* breakpointOn(on: unknown, path: string): Generator<Breakpoint, void> {
  const mark = asFields(on).cache_control;
  if (isFields(mark)) yield { path, on: asFields(on), ttl: mark.ttl ?? '5m' };
}

function* checkBreakpoints(body: AnthropicBody): Finds {
  const places = [...breakpointsIn(body)];
  if (places.length > MAX_BREAKPOINTS)
    yield violation(
      places[MAX_BREAKPOINTS]!.path,
      'too-many-breakpoints',
      `A maximum of ${MAX_BREAKPOINTS} blocks with cache_control may be provided. Found ${places.length}.`,
    );
  let short = false;
  for (const { path, on, ttl } of places) {
    if (on.type === 'thinking' || on.type === 'redacted_thinking')
      yield violation(path, 'breakpoint-on-thinking', `${path}.cache_control: Extra inputs are not permitted`);
    if (ttl === '1h' && short)
      yield violation(path, 'breakpoint-order', `${path}: a ttl='1h' breakpoint must not come after a ttl='5m' one`);
    if (ttl !== '1h') short = true;
  }
}

/** A signed block opens the conversation and stands alone; those of `compact_20260112` stay where they were made. */
function* checkCompaction(body: AnthropicBody): Finds {
  let signed = 0;
  let isFirst = true;
  for (const [m, message] of body.messages.entries()) {
    const { role, content } = asFields(message);
    for (const [b, block] of asList(content).entries()) {
      const { type, signature, content: summary } = asFields(block);
      const path = `messages.${m}.content.${b}`;
      if (type === 'compaction' && typeof signature === 'string' && typeof summary === 'string') {
        signed++;
        if (signed > 1)
          yield violation(path, 'compaction-ambiguous', `${path}: more than one compaction block with content`);
        else if (!isFirst || role === 'system')
          yield violation(path, 'compaction-misplaced', `${path}: the compaction block must open the conversation`);
      }
      if (role !== 'system') isFirst = false;
    }
    if (typeof content === 'string' && role !== 'system') isFirst = false;
  }
}
