import { asFields, asList, asNumber, type Fields, isBlank, isFields, omitFields } from '@palimpsest/core/json';
import type { Incoming, Prepared } from '../api/api.ts';
import { isPresent } from '../is-present.ts';
import type { SimModel } from '../models.ts';
import type { Counter } from '../prompt/counter.ts';
import { countTokens, makeSegments, type PromptBlock, type Ttl } from '../prompt/prompt.ts';
import { dropCompacted, isThinking, listBlocks, type Placed, placeBlocks } from './blocks.ts';
import { readBetas } from './check.ts';
import { type AppliedEdit, applyEdits } from './edits.ts';
import { judgeThinking } from './sign.ts';

export interface AnthropicPrepared extends Prepared {
  /** The conversation as it was sent, to which thinking of this answer will be bound. */
  readonly sent: readonly Placed[];
  /** Undefined where the request did not speak of context management. */
  readonly applied: readonly AppliedEdit[] | undefined;
  /** Thinking that was taken out, where the request may be told. */
  readonly dropped: readonly Fields[] | undefined;
}

const BINDING_BETA = 'thinking-binding-controls-2026-08-01';

export function prepareMessages(
  body: Fields,
  incoming: Incoming,
  model: SimModel,
  counter: Counter,
): AnthropicPrepared {
  const sent = placeBlocks(body);
  const unbound = model.thinkingBound === true ? findUnbound(sent) : new Set<Placed>();
  const read = dropCompacted(sent.filter((placed) => !unbound.has(placed)));
  // Thinking and the choice of tools change how messages are rendered; tools and system stay cached.
  const salt = JSON.stringify([body.tool_choice ?? null, body.thinking ?? null]);
  const makePromptBlocks = (placed: readonly Placed[]): readonly PromptBlock[] => [
    ...makeHead(body),
    ...placed.map((one, i) => (i === 0 ? { ...makePromptBlock(one), salt } : makePromptBlock(one))),
  ];
  const count = (placed: readonly Placed[]): number => countTokens(makeSegments(makePromptBlocks(placed), counter));
  const edited = applyEdits(body, read, count);
  const thinking = asFields(body.thinking);
  return {
    segments: makeSegments(markLast(makePromptBlocks(edited.placed), body), counter),
    maxOutput: asNumber(body.max_tokens) ?? model.maxOutput,
    stream: body.stream === true,
    thinks:
      thinking.type === undefined
        ? model.refuses?.includes('no-thinking') === true
        : thinking.type === 'enabled' || thinking.type === 'adaptive',
    tools: asList(body.tools).flatMap((tool) => listName(asFields(tool))),
    conversation: body,
    sent,
    applied: isPresent(body.context_management) ? edited.applied : undefined,
    ...(isPresent(body.context_management) ? { tokensBeforeEdits: count(read) } : {}),
    dropped: readBetas(incoming.headers).includes(BINDING_BETA) ? [...unbound].map(transformation) : undefined,
  };
}

const listName = ({ name }: Fields): readonly string[] => (typeof name === 'string' ? [name] : []);

const transformation = ({ path }: Placed): Fields => ({
  type: 'thinking_dropped',
  path,
  reason: 'prefix_binding_mismatch',
});

/** What fails the check, and the thinking that directly follows it in its message. */
function findUnbound(placed: readonly Placed[]): ReadonlySet<Placed> {
  const moved = new Set<Placed>();
  for (const { placed: one, state } of judgeThinking(placed)) if (state === 'moved') moved.add(one);
  for (const [i, one] of placed.entries()) {
    const before = placed[i - 1];
    if (before !== undefined && moved.has(before) && before.message === one.message && isThinking(one.block.type))
      moved.add(one);
  }
  return moved;
}

function readMark(block: unknown): { readonly mark?: Ttl } {
  const fields = asFields(block);
  const inner = listBlocks(fields.content).findLast((piece) => isFields(asFields(piece).cache_control));
  const control = fields.cache_control ?? asFields(inner).cache_control;
  return isFields(control) ? { mark: control.ttl === '1h' ? '1h' : '5m' } : {};
}

const stripMarks = (block: unknown): Fields => {
  const fields = omitFields(asFields(block), 'cache_control');
  return Array.isArray(fields.content)
    ? {
        ...fields,
        content: fields.content.map((piece) => (isFields(piece) ? omitFields(piece, 'cache_control') : piece)),
      }
    : fields;
};

const makePromptBlock = ({ role, block }: Placed): PromptBlock => ({
  run: role,
  block: stripMarks(block),
  ...readMark(block),
});

const makeHead = (body: Fields): readonly PromptBlock[] => [
  ...asList(body.tools).map((tool) => ({ run: 'tools', block: stripMarks(tool), ...readMark(tool) })),
  ...listBlocks(body.system)
    .filter((block) => !isBlank(String(asFields(block).text)))
    .map((block) => ({ run: 'system', block: stripMarks(block), ...readMark(block) })),
];

/** A mark on the request as a whole stands for one on the last block that can bear it. */
function markLast(blocks: readonly PromptBlock[], body: Fields): readonly PromptBlock[] {
  const control = asFields(body.cache_control);
  if (control.type !== 'ephemeral') return blocks;
  const at = blocks.findLastIndex(({ block }) => !isThinking(asFields(block).type));
  return blocks.map((block, i) => (i === at ? { ...block, mark: control.ttl === '1h' ? '1h' : '5m' } : block));
}
