import { asFields, asList, asNumber, asString, type Fields, isFields } from '@palimpsest/core/json';
import type { Problems } from '../api/problem.ts';
import { isPresent } from '../is-present.ts';
import type { SimModel } from '../models.ts';
import { listBlocks, placeBlocks } from './blocks.ts';
import { invalidRequest, missingField, schemaProblem } from './problems.ts';

const MAX_BREAKPOINTS = 4;
const LEAST_THINKING = 1_024;
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const EDITS = ['clear_tool_uses_20250919', 'clear_thinking_20251015', 'compact_20260112'];

/** What stands beside the messages. */
export function* checkOptions(body: Fields, betas: readonly string[], model: SimModel | undefined): Problems {
  const thread = asFields(body.thread);
  if (thread.type === 'continue')
    yield {
      ...invalidRequest('thread', 'unknown-held', `thread: no thread holds ${String(thread.previous_message_id)}`),
      status: 404,
    };
  yield* checkSupport(body, model?.refuses ?? []);
  yield* checkTools(body);
  yield* checkThinking(body);
  yield* checkBreakpoints(body);
  yield* checkContextManagement(body, betas);
  yield* checkCompaction(body);
}

/** What a model has no use for. The wording is the simulator's: the vendors' differs from model to model. */
function* checkSupport(body: Fields, refuses: NonNullable<SimModel['refuses']>): Problems {
  const sampling = ['temperature', 'top_p', 'top_k'].find((key) => isPresent(body[key]));
  const choice = asFields(body.tool_choice).type;
  const thinking = asFields(body.thinking).type;
  if (sampling !== undefined && refuses.includes('sampling'))
    yield schemaProblem(sampling, 'not-taken', 'sampling parameters are not supported by this model');
  if ((choice === 'any' || choice === 'tool') && refuses.includes('forced-tools'))
    yield schemaProblem('tool_choice', 'not-taken', `\`${choice}\` is not supported by this model`);
  if (thinking === 'enabled' && refuses.includes('manual-thinking'))
    yield schemaProblem('thinking', 'not-taken', '`enabled` is not supported by this model; use `adaptive`');
  if (thinking === 'disabled' && refuses.includes('no-thinking'))
    yield schemaProblem('thinking', 'not-taken', '`disabled` is not supported by this model');
}

function* checkTools(body: Fields): Problems {
  const names = new Set<string>();
  for (const [i, tool] of asList(body.tools).entries()) {
    const { name, type, input_schema } = asFields(tool);
    const isOwn = type === undefined || type === null || type === 'custom';
    if (!isOwn) continue;
    const path = `tools.${i}.custom`;
    if (typeof name !== 'string') return yield missingField(`${path}.name`, 'tool-name');
    if (!TOOL_NAME.test(name))
      yield schemaProblem(`${path}.name`, 'tool-name', `String should match pattern '${TOOL_NAME.source}'`);
    if (!isFields(input_schema)) yield missingField(`${path}.input_schema`, 'tool-schema');
    if (names.has(name)) yield invalidRequest(`tools.${i}`, 'tool-twice', 'tools: Tool names must be unique.');
    names.add(name);
  }
  const { type, name } = asFields(body.tool_choice);
  if (type === 'tool' && !asList(body.tools).some((tool) => asFields(tool).name === name))
    yield invalidRequest('tool_choice', 'tool-choice', `Tool '${String(name)}' not found in provided tools`);
}

function* checkThinking(body: Fields): Problems {
  const { type, budget_tokens } = asFields(body.thinking);
  if (type !== 'enabled') return;
  const budget = asNumber(budget_tokens);
  if (budget === undefined) return yield missingField('thinking.enabled.budget_tokens', 'thinking-budget');
  if (budget < LEAST_THINKING)
    yield schemaProblem(
      'thinking.enabled.budget_tokens',
      'thinking-budget',
      `Input should be greater than or equal to ${LEAST_THINKING}`,
    );
  const limit = asNumber(body.max_tokens);
  if (limit !== undefined && budget >= limit)
    yield invalidRequest(
      'max_tokens',
      'thinking-budget',
      '`max_tokens` must be greater than `thinking.budget_tokens`.',
    );
}

interface Mark {
  readonly path: string;
  readonly ttl: unknown;
}

/** In the order in which the cache reads them: tools, system, messages, and the one for the whole. */
export function* findMarks(body: Fields): Generator<Mark, void> {
  for (const [i, tool] of asList(body.tools).entries()) yield* findMark(tool, `tools.${i}`);
  for (const [i, block] of asList(body.system).entries()) yield* findMark(block, `system.${i}`);
  for (const { path, block } of placeBlocks(body)) {
    for (const [i, piece] of listBlocks(block.content).entries()) yield* findMark(piece, `${path}.content.${i}`);
    yield* findMark(block, path);
  }
  yield* findMark(body, 'cache_control');
}

function* findMark(on: unknown, path: string): Generator<Mark, void> {
  const mark = asFields(on).cache_control;
  if (isFields(mark)) yield { path, ttl: mark.ttl ?? '5m' };
}

function* checkBreakpoints(body: Fields): Problems {
  const marks = [...findMarks(body)];
  if (marks.length > MAX_BREAKPOINTS)
    yield invalidRequest(
      marks[MAX_BREAKPOINTS]!.path,
      'too-many-breakpoints',
      `A maximum of ${MAX_BREAKPOINTS} blocks with cache_control may be provided. Found ${marks.length}.`,
    );
  let short = false;
  for (const { path, ttl } of marks) {
    if (ttl !== '5m' && ttl !== '1h')
      yield schemaProblem(`${path}.cache_control.ephemeral.ttl`, 'breakpoint-ttl', "Input should be '5m' or '1h'");
    if (ttl === '1h' && short)
      yield invalidRequest(
        path,
        'breakpoint-order',
        `${path}.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: \`tools\`, \`system\`, \`messages\`.`,
      );
    short ||= ttl === '5m';
  }
}

function* checkContextManagement(body: Fields, betas: readonly string[]): Problems {
  if (!isPresent(body.context_management)) return;
  const isBeta = betas.some((beta) => beta.startsWith('context-management-') || beta.startsWith('compact-'));
  if (!isBeta) return yield schemaProblem('context_management', 'beta-missing', 'Extra inputs are not permitted');
  const edits = asList(asFields(body.context_management).edits).map(asFields);
  for (const [i, { type }] of edits.entries()) {
    const path = `context_management.edits.${i}`;
    if (!EDITS.includes(String(type)))
      yield schemaProblem(
        path,
        'unknown-edit',
        `Input tag '${String(type)}' found using 'type' does not match any of the expected tags: ${EDITS.map((one) => `'${one}'`).join(', ')}`,
      );
    if (edits.findIndex((other) => other.type === type) !== i)
      yield schemaProblem(path, 'edit-twice', `\`${String(type)}\` may be given only once`);
    if (type !== 'clear_thinking_20251015') continue;
    if (i > 0) yield schemaProblem(path, 'edit-order', '`clear_thinking_20251015` must be the first edit in the list');
    if (!['enabled', 'adaptive'].includes(asString(asFields(body.thinking).type) ?? ''))
      yield schemaProblem(
        path,
        'edit-thinking',
        '`clear_thinking_20251015` strategy requires `thinking` to be enabled',
      );
  }
}

/** A signed compaction opens the conversation and is the only one; unsigned ones stay where the server made them. */
function* checkCompaction(body: Fields): Problems {
  if (isFields(body.compaction) && isPresent(body.context_management))
    yield invalidRequest(
      'compaction',
      'compaction-with-edits',
      'compaction: cannot be combined with `context_management`',
    );
  const placed = placeBlocks(body).filter(({ role }) => role !== 'system');
  const signed = placed.filter(
    ({ block }) => block.type === 'compaction' && typeof block.signature === 'string' && isPresent(block.content),
  );
  if (signed.length > 1)
    yield invalidRequest(
      signed[1]!.path,
      'compaction-ambiguous',
      `${signed[1]!.path}: more than one \`compaction\` block with content`,
    );
  if (signed.length === 1 && signed[0] !== placed[0])
    yield invalidRequest(
      signed[0]!.path,
      'compaction-misplaced',
      `${signed[0]!.path}: a signed \`compaction\` block must be the first block in \`messages\``,
    );
}
