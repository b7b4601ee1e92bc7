import type { Usage } from '@palimpsest/core';
import { asFields, asList, asNumber, type Fields } from '@palimpsest/core/json';
import type { AppliedEdit, Reported } from '../wire.ts';

/** Reads a message, a `message_start` or a `message_delta` event. */
export function usage(response: unknown): Reported {
  const top = asFields(response);
  const message = top.type === 'message_start' ? asFields(top.message) : top;
  const reported = asFields(message.usage);
  const compactions = asList(reported.iterations)
    .map(asFields)
    .filter(({ type }) => type === 'compaction');
  const management = asFields(message.context_management ?? asFields(top.delta).context_management);
  return {
    usage: usageOf(reported),
    appliedEdits: asList(management.applied_edits).map(asFields).flatMap(readAppliedEdit),
    ...(compactions.length === 0 ? {} : { compaction: compactions.map(usageOf).reduce(addUsage) }),
  };
}

const NAMES = {
  input: 'input_tokens',
  output: 'output_tokens',
  cacheRead: 'cache_read_input_tokens',
  cacheWrite: 'cache_creation_input_tokens',
} as const;

const KEYS = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;

function usageOf(reported: Fields): Usage {
  const usage: { -readonly [K in keyof Usage]: Usage[K] } = {};
  for (const key of KEYS) {
    const value = asNumber(reported[NAMES[key]]);
    if (value !== undefined) usage[key] = value;
  }
  return usage;
}

function addUsage(a: Usage, b: Usage): Usage {
  const total: { -readonly [K in keyof Usage]: Usage[K] } = { ...a };
  for (const key of KEYS) if (b[key] !== undefined) total[key] = (a[key] ?? 0) + b[key];
  return total;
}

function readAppliedEdit(edit: Fields): readonly AppliedEdit[] {
  const tokens = asNumber(edit.cleared_input_tokens) ?? 0;
  if (edit.type === 'clear_tool_uses_20250919')
    return [{ type: 'clear-results', tokens, count: asNumber(edit.cleared_tool_uses) ?? 0 }];
  if (edit.type === 'clear_thinking_20251015')
    return [{ type: 'clear-reasoning', tokens, count: asNumber(edit.cleared_thinking_turns) ?? 0 }];
  return [];
}
