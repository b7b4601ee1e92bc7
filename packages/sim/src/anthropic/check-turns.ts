import { asFields, asList, asString, type Fields } from '@palimpsest/core/json';
import type { Problems } from '../api/problem.ts';
import type { SimModel } from '../models.ts';
import { gatherTurns, isThinking, type Placed, type Turn } from './blocks.ts';
import { invalidRequest } from './problems.ts';

/** What blocks owe to each other: order of roles, calls and their results. */
export function* checkTurns(body: Fields, model: SimModel | undefined): Problems {
  const turns = gatherTurns(body);
  const opening = turns[0];
  if (opening?.role === 'assistant' && opening.blocks[0]?.block.type !== 'compaction')
    yield invalidRequest(
      `messages.${opening.message}`,
      'first-role',
      'messages: first message must use the "user" role',
    );
  for (const turn of turns) if (turn.role === 'assistant') yield* checkEnd(turn);
  const seen = new Set<unknown>();
  for (const [t, turn] of turns.entries()) {
    if (turn.role === 'assistant') yield* checkCalls(turn, turns[t + 1], seen);
    else yield* checkResults(turn, turns[t - 1]);
  }
  yield* checkServerTools(turns);
  if (turns.at(-1)?.role === 'assistant') yield* checkPrefill(turns.at(-1)!, model);
  yield* checkThinkingFirst(body, turns, model);
}

function* checkEnd({ blocks }: Turn): Problems {
  const end = blocks.at(-1);
  if (end !== undefined && isThinking(end.block.type))
    yield invalidRequest(
      end.path,
      'final-thinking',
      `messages.${end.message}: The final block in an assistant message cannot be \`thinking\`.`,
    );
}

/** `seen` are the ids of the turns before: no two calls of a request share one. */
function* checkCalls(turn: Turn, next: Turn | undefined, seen: Set<unknown>): Problems {
  const answers = next?.blocks ?? [];
  const head = answers.findIndex(({ block }) => block.type !== 'tool_result');
  const answered = new Set((head < 0 ? answers : answers.slice(0, head)).map(({ block }) => block.tool_use_id));
  const open: Placed[] = [];
  for (const placed of turn.blocks) {
    if (placed.block.type !== 'tool_use') continue;
    const { id } = placed.block;
    if (seen.has(id))
      yield invalidRequest(placed.path, 'duplicate-call', `${placed.path}: \`tool_use\` ids must be unique`);
    seen.add(id);
    if (!answered.has(id)) open.push(placed);
  }
  if (open.length > 0)
    yield invalidRequest(
      open[0]!.path,
      'call-without-result',
      `messages.${open[0]!.message}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open
        .map(({ block }) => String(block.id))
        .join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    );
}

function* checkResults(turn: Turn, before: Turn | undefined): Problems {
  const calls = new Set(
    (before?.blocks ?? []).filter(({ block }) => block.type === 'tool_use').map(({ block }) => block.id),
  );
  const seen = new Set<unknown>();
  for (const { path, block } of turn.blocks) {
    if (block.type !== 'tool_result') continue;
    const id = block.tool_use_id;
    if (!calls.has(id))
      yield invalidRequest(
        path,
        'result-without-call',
        `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${String(id)}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      );
    if (seen.has(id))
      yield invalidRequest(
        path,
        'duplicate-result',
        `${path}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${String(id)}`,
      );
    seen.add(id);
  }
}

const isServerResult = (type: unknown): type is string =>
  typeof type === 'string' && type.endsWith('_tool_result') && type !== 'tool_result';

/** Tools that run at the vendor leave both halves with the assistant; only the last turn's call may still be running. */
function* checkServerTools(turns: readonly Turn[]): Problems {
  const own = turns.filter(({ role }) => role === 'assistant');
  const last = own.at(-1);
  const results = new Set(own.flatMap(({ blocks }) => blocks).map(({ block }) => block.tool_use_id));
  const called = new Set<unknown>();
  for (const turn of own)
    for (const { path, block } of turn.blocks) {
      const isCall = block.type === 'server_tool_use' || block.type === 'mcp_tool_use';
      if (isCall) called.add(block.id);
      if (isCall && !results.has(block.id) && turn !== last)
        yield invalidRequest(
          path,
          'server-tool-unpaired',
          `${path}: \`${asString(block.name)}\` tool use with id \`${String(block.id)}\` was found without a corresponding result block`,
        );
      if (isServerResult(block.type) && !called.has(block.tool_use_id))
        yield invalidRequest(
          path,
          'server-tool-unpaired',
          `${path}: unexpected \`tool_use_id\` found in \`${block.type}\` blocks: ${String(block.tool_use_id)}. Each \`${block.type}\` block must have a corresponding \`server_tool_use\` block before it.`,
        );
    }
}

function* checkPrefill(turn: Turn, model: SimModel | undefined): Problems {
  const end = turn.blocks.at(-1);
  if (end === undefined) return;
  const isOpen = ['server_tool_use', 'mcp_tool_use'].includes(String(end.block.type));
  if (model?.prefill !== true && !isOpen)
    yield invalidRequest(
      end.path,
      'prefill',
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    );
  if (end.block.type === 'text' && /\s$/.test(asString(end.block.text) ?? ''))
    yield invalidRequest(
      end.path,
      'final-whitespace',
      'messages: final assistant content cannot end with trailing whitespace',
    );
}

/** With manual thinking, the tool loop that is under way must begin with the thinking it came from. */
function* checkThinkingFirst(body: Fields, turns: readonly Turn[], model: SimModel | undefined): Problems {
  if (model?.thinkingFirst !== true || asFields(body.thinking).type !== 'enabled') return;
  const last = turns.at(-1);
  if (last?.role !== 'user' || !last.blocks.some(({ block }) => block.type === 'tool_result')) return;
  const opening = asList(turns.at(-2)?.blocks)[0] as Placed | undefined;
  if (opening === undefined || isThinking(opening.block.type)) return;
  yield invalidRequest(
    opening.path,
    'thinking-first',
    `${opening.path}.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${String(opening.block.type)}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`.`,
  );
}
