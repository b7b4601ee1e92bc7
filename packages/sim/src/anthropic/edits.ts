import { asFields, asList, asNumber, type Fields, isFields } from '@palimpsest/core/json';
import { isThinking, type Placed } from './blocks.ts';

const TRIGGER = { type: 'input_tokens', value: 100_000 };
const KEEP_USES = 3;
const KEEP_TURNS = 1;
const CLEARED = '[cleared to save context]';

export type AppliedEdit =
  | {
      readonly type: 'clear_tool_uses_20250919';
      readonly cleared_tool_uses: number;
      readonly cleared_input_tokens: number;
    }
  | {
      readonly type: 'clear_thinking_20251015';
      readonly cleared_thinking_turns: number;
      readonly cleared_input_tokens: number;
    };

export interface Edited {
  readonly placed: readonly Placed[];
  readonly applied: readonly AppliedEdit[];
}

/** Context editing, really done: what is cleared is gone from the prompt, from its count and from its cached prefix. */
export function applyEdits(
  body: Fields,
  placed: readonly Placed[],
  count: (placed: readonly Placed[]) => number,
): Edited {
  const edits = asList(asFields(body.context_management).edits).map(asFields);
  if (edits.length === 0) return { placed, applied: [] };
  const original = count(placed);
  let now = placed;
  const applied: AppliedEdit[] = [];
  for (const edit of edits) {
    const step =
      edit.type === 'clear_thinking_20251015'
        ? clearThinking(now, edit)
        : edit.type === 'clear_tool_uses_20250919' && isTriggered(edit, now, original)
          ? clearToolUses(now, edit)
          : undefined;
    if (step === undefined || step.count === 0) continue;
    const freed = count(now) - count(step.placed);
    if (freed < (asNumber(asFields(edit.clear_at_least).value) ?? 0)) continue;
    now = step.placed;
    applied.push(
      edit.type === 'clear_thinking_20251015'
        ? { type: 'clear_thinking_20251015', cleared_thinking_turns: step.count, cleared_input_tokens: freed }
        : { type: 'clear_tool_uses_20250919', cleared_tool_uses: step.count, cleared_input_tokens: freed },
    );
  }
  return { placed: now, applied };
}

const listUses = (placed: readonly Placed[]): readonly Placed[] =>
  placed.filter(({ block }) => block.type === 'tool_use');

function isTriggered(edit: Fields, placed: readonly Placed[], tokens: number): boolean {
  const { type, value } = isFields(edit.trigger) ? edit.trigger : TRIGGER;
  return (type === 'tool_uses' ? listUses(placed).length : tokens) > (asNumber(value) ?? TRIGGER.value);
}

interface Step {
  readonly placed: readonly Placed[];
  readonly count: number;
}

function clearToolUses(placed: readonly Placed[], edit: Fields): Step {
  const keep = asNumber(asFields(edit.keep).value) ?? KEEP_USES;
  const spared = asList(edit.exclude_tools);
  const uses = listUses(placed);
  const cleared = new Map(
    uses
      .slice(0, Math.max(0, uses.length - keep))
      .filter(({ block }) => !spared.includes(block.name))
      .map(({ block }) => [block.id, block.name]),
  );
  const inputs = edit.clear_tool_inputs;
  const clearsInput = (name: unknown): boolean =>
    inputs === true || (Array.isArray(inputs) && (inputs as readonly unknown[]).includes(name));
  return {
    count: cleared.size,
    placed: placed.map((one) => {
      const { block } = one;
      if (block.type === 'tool_result' && cleared.has(block.tool_use_id))
        return { ...one, block: { ...block, content: CLEARED } };
      if (block.type === 'tool_use' && cleared.has(block.id) && clearsInput(block.name))
        return { ...one, block: { ...block, input: {} } };
      return one;
    }),
  };
}

/** The newest turns with thinking keep it. */
function clearThinking(placed: readonly Placed[], edit: Fields): Step {
  const { type, value } = asFields(edit.keep);
  if (edit.keep === 'all' || type === 'all') return { placed, count: 0 };
  const turns = [...new Set(placed.filter(({ block }) => isThinking(block.type)).map(({ message }) => message))];
  const keep = asNumber(value) ?? KEEP_TURNS;
  const gone = new Set(turns.slice(0, Math.max(0, turns.length - keep)));
  return {
    count: gone.size,
    placed: placed.filter(({ message, block }) => !(isThinking(block.type) && gone.has(message))),
  };
}
