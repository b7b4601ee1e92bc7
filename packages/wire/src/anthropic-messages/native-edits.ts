import type { NativeEdit } from '@palimpsest/core';
import { asFields, asList, asString, type Fields } from '@palimpsest/core/json';
import type { Encoded } from '../wire.ts';
import type { AnthropicBody } from './read.ts';

const BETA = 'context-management-2025-06-27';

/** Thinking edits must stand first in the list. */
const ORDER = ['clear_thinking_20251015', 'clear_tool_uses_20250919', 'compact_20260112'];

/** Asks the server to clear what a layer wanted cleared. The caller's own edit of the same kind stays as it is. */
export function addNativeEdits<B extends AnthropicBody>(body: B, wanted: readonly NativeEdit[]): Encoded<B> {
  const given = asFields(body.context_management);
  const before = asList(given.edits).map(asFields);
  const added = wanted.filter((edit) => isApplicable(edit, body)).map(editOf);
  const fresh = added.filter(({ type }) => before.every((edit) => edit.type !== type));
  if (fresh.length === 0) return { body, headers: {} };
  const edits = [...before, ...fresh].sort((a, b) => rank(a) - rank(b));
  return { body: { ...body, context_management: { ...given, edits } }, headers: { 'anthropic-beta': BETA } };
}

const rank = (edit: Fields): number => {
  const at = ORDER.indexOf(asString(edit.type) ?? '');
  return at < 0 ? ORDER.length : at;
};

/** A compaction request and a thread take no context edits; thinking can only be cleared where it is on. */
function isApplicable(edit: NativeEdit, body: AnthropicBody): boolean {
  if ((body.compaction ?? null) !== null || (body.thread ?? null) !== null) return false;
  if (edit.type !== 'clear-reasoning') return true;
  const thinking = asFields(body.thinking).type;
  return thinking === 'enabled' || thinking === 'adaptive';
}

const tokens = (value: number): Fields => ({ type: 'input_tokens', value });
const uses = (value: number): Fields => ({ type: 'tool_uses', value });

function editOf(edit: NativeEdit): Fields {
  if (edit.type === 'clear-reasoning')
    return { type: 'clear_thinking_20251015', keep: { type: 'thinking_turns', value: Math.max(1, edit.keep) } };
  const trigger =
    edit.triggerCount !== undefined
      ? uses(edit.triggerCount)
      : edit.triggerTokens !== undefined
        ? tokens(edit.triggerTokens)
        : undefined;
  return {
    type: 'clear_tool_uses_20250919',
    ...(trigger === undefined ? {} : { trigger }),
    keep: uses(edit.keep),
    ...(edit.atLeastTokens === undefined ? {} : { clear_at_least: tokens(edit.atLeastTokens) }),
    ...(edit.exceptTools === undefined ? {} : { exclude_tools: edit.exceptTools }),
    ...(edit.clearInputs === undefined ? {} : { clear_tool_inputs: edit.clearInputs }),
  };
}
