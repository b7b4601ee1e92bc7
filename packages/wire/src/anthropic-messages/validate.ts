import { asFields, asList, asString, type Fields, isBlank, isFields } from '@palimpsest/core/json';
import { bytesOf, checkCharacters, checkToolNames, type Finds, violation } from '../body/violations.ts';
import type { ValidateOptions, Violation } from '../wire.ts';
import { findUnboundThinking } from './bound-thinking.ts';
import { TOOL_NAME } from './mend.ts';
import { type AnthropicBody, blocksIn } from './read.ts';
import { isUnpairedServerTool } from './server-tools.ts';
import { checkBlock } from './validate-block.ts';
import { checkOptions } from './validate-options.ts';

export const MAX_MESSAGES = 100_000;
export const MAX_BYTES = 32 * 1024 * 1024;

export const validate = (body: AnthropicBody, options: ValidateOptions<AnthropicBody> = {}): readonly Violation[] => [
  ...check(body, options),
];

function* check(body: AnthropicBody, { previous }: ValidateOptions<AnthropicBody>): Finds {
  yield* checkCharacters(body);
  yield* checkToolNames(listOwnTools(body), TOOL_NAME);
  const messages: unknown = body.messages;
  if (!Array.isArray(messages)) return yield violation('messages', 'messages-missing', 'messages: Field required');
  if (messages.length === 0)
    yield violation('messages', 'messages-empty', 'messages: at least one message is required');
  if (messages.length > MAX_MESSAGES)
    yield violation('messages', 'too-many-messages', `messages: at most ${MAX_MESSAGES}, not ${messages.length}`);
  if (bytesOf(body) > MAX_BYTES)
    yield violation('', 'too-many-bytes', `Request exceeds the maximum size of ${MAX_BYTES} bytes`);
  for (const [m, message] of messages.entries()) yield* checkMessage(message, m, m === messages.length - 1);
  yield* checkTurns(body);
  yield* checkServerTools(body);
  yield* checkOptions(body);
  if (previous !== undefined) yield* findUnboundThinking(body, previous);
}

/** Tools of the server's have names and types of their own. */
const listOwnTools = (body: AnthropicBody): readonly (readonly [string, unknown])[] =>
  asList(body.tools).flatMap((tool, i) => {
    const { type, name } = asFields(tool);
    return (type ?? 'custom') === 'custom' ? [[`tools.${i}.custom.name`, name] as const] : [];
  });

function* checkMessage(message: unknown, m: number, isLast: boolean): Finds {
  const path = `messages.${m}`;
  if (!isFields(message)) return yield violation(path, 'not-a-message', `${path}: Input should be an object`);
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant' && role !== 'system')
    return yield violation(path, 'unknown-role', `${path}: Unexpected role "${String(role)}".`);
  const blocks = blocksIn(content);
  if (content === '' || blocks.length === 0) {
    if (role === 'system' && isFields(message.output_config)) return;
    if (role === 'assistant' && isLast) return;
    return yield violation(path, 'empty-content', `${path}: all messages must have non-empty content`);
  }
  for (const [b, block] of blocks.entries())
    yield* checkBlock(block, typeof content === 'string' ? path : `${path}.content.${b}`, role);
}

interface Sited {
  readonly path: string;
  readonly block: Fields;
}

/** Pairing is judged on turns: neighbours of one role are one to the server. */
function* checkTurns(body: AnthropicBody): Finds {
  const turns: { readonly role: string; readonly path: string; readonly blocks: Sited[] }[] = [];
  for (const [m, message] of body.messages.entries()) {
    const { role, content } = asFields(message);
    if (role !== 'user' && role !== 'assistant') continue;
    const blocks = blocksIn(content).map((block, b) => ({
      path: `messages.${m}.content.${b}`,
      block: asFields(block),
    }));
    if (turns.at(-1)?.role === role) turns.at(-1)!.blocks.push(...blocks);
    else turns.push({ role, path: `messages.${m}`, blocks });
  }
  const partial = asFields(body.thread).type === 'continue';
  const first = turns[0];
  if (first?.role === 'assistant' && first.blocks[0]?.block.type !== 'compaction' && !partial)
    yield violation(first.path, 'first-role', 'messages: first message must use the "user" role');
  const seen = new Set<string>();
  for (const [t, turn] of turns.entries()) {
    if (turn.role === 'assistant') {
      yield* checkEnd(turn.blocks.at(-1), t === turns.length - 1);
      yield* checkCalls(turn.blocks, turns[t + 1]?.blocks ?? [], seen);
    }
    if (turn.role === 'user' && !(partial && t === 0)) yield* checkResults(turn.blocks, turns[t - 1]?.blocks ?? []);
  }
}

function* checkEnd(last: Sited | undefined, isLast: boolean): Finds {
  if (last === undefined) return;
  const { path, block } = last;
  if (block.type === 'thinking' || block.type === 'redacted_thinking')
    yield violation(path, 'final-thinking', `${path}: The final block in an assistant message cannot be \`thinking\`.`);
  if (isLast && block.type === 'text' && !isBlank(String(block.text)) && /\s$/.test(String(block.text)))
    yield violation(path, 'final-whitespace', 'final assistant content cannot end with trailing whitespace');
}

/** `seen` are the ids of the turns before. */
function* checkCalls(blocks: readonly Sited[], answers: readonly Sited[], seen: Set<string>): Finds {
  const lead = answers.findIndex(({ block }) => block.type !== 'tool_result');
  const answered = new Set(answers.map(({ block }) => block.tool_use_id));
  const atStart = new Set((lead < 0 ? answers : answers.slice(0, lead)).map(({ block }) => block.tool_use_id));
  for (const { path, block } of blocks) {
    if (block.type !== 'tool_use') continue;
    const id = asString(block.id) ?? '';
    if (seen.has(id)) yield violation(path, 'duplicate-call', `${path}: \`tool_use\` ids must be unique`);
    seen.add(id);
    if (!answered.has(id))
      yield violation(
        path,
        'call-without-result',
        `${path}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${id}.`,
      );
    else if (!atStart.has(id))
      yield violation(path, 'result-order', `${path}: the \`tool_result\` of ${id} must come before any other content`);
  }
}

function* checkResults(blocks: readonly Sited[], before: readonly Sited[]): Finds {
  const calls = new Set(before.filter(({ block }) => block.type === 'tool_use').map(({ block }) => block.id));
  const seen = new Set<unknown>();
  for (const { path, block } of blocks) {
    if (block.type !== 'tool_result') continue;
    const id = asString(block.tool_use_id) ?? '';
    if (seen.has(id))
      yield violation(path, 'duplicate-result', `${path}: each tool_use must have a single result: ${id}`);
    else if (!calls.has(id))
      yield violation(
        path,
        'result-without-call',
        `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}; the previous message has no such call.`,
      );
    seen.add(id);
  }
}

function* checkServerTools(body: AnthropicBody): Finds {
  const contents = body.messages.map((message) => asFields(message).content);
  const unpaired = isUnpairedServerTool(contents.filter((_, m) => asFields(body.messages[m]).role === 'assistant'));
  for (const [m, content] of contents.entries())
    for (const [b, block] of asList(content).entries()) {
      const { type, id, tool_use_id } = asFields(block);
      const path = `messages.${m}.content.${b}`;
      if (unpaired(block))
        yield violation(path, 'server-tool-unpaired', `${path}: \`${type}\` ${id ?? tool_use_id} lacks its other half`);
    }
}
