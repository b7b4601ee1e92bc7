import { asFields, asList, asNumber, type Fields } from '@palimpsest/core/json';

/** How many uses of tools a request asks its provider to clear, where it does so by their number (`clear_tool_uses`). */
export function countCleared(request: unknown): number {
  const body = asFields(request);
  const edits = asList(asFields(body.context_management).edits).map(asFields);
  const edit = edits.find(({ type }) => type === 'clear_tool_uses_20250919');
  if (edit === undefined) return 0;
  const uses = countUses(body);
  const { type, value } = asFields(edit.trigger);
  const isTriggered = type === 'tool_uses' ? uses > (asNumber(value) ?? 0) : true;
  return isTriggered ? Math.max(0, uses - (asNumber(asFields(edit.keep).value) ?? 0)) : 0;
}

const countUses = (body: Fields): number =>
  asList(body.messages)
    .flatMap((message) => asList(asFields(message).content))
    .filter((block) => asFields(block).type === 'tool_use').length;
