import { asFields, asList } from '@palimpsest/core/json';

const isUse = (type: unknown): boolean => type === 'server_tool_use' || type === 'mcp_tool_use';

const isAnswer = (type: unknown): boolean =>
  typeof type === 'string' && type.endsWith('_tool_result') && type !== 'tool_result';

/**
 * Tools that run at the provider leave their call and their answer in assistant messages, sometimes in two of them
 * (code that calls our tools in between). Tells the blocks of
 * the assistant's contents whose other half is gone; a call in the last one may still be running.
 */
export function isUnpairedServerTool(contents: readonly unknown[]): (block: unknown) => boolean {
  const last = asList(contents.at(-1));
  const called = new Map<unknown, number>();
  const answered = new Map<unknown, number>();
  let place = 0;
  for (const content of contents)
    for (const block of asList(content)) {
      const { type, id, tool_use_id } = asFields(block);
      if (isUse(type)) called.set(id, place);
      if (isAnswer(type)) answered.set(tool_use_id, place);
      place++;
    }
  return (block) => {
    const { type, id, tool_use_id } = asFields(block);
    if (isUse(type)) return !answered.has(id) && !last.includes(block);
    return isAnswer(type) && (called.get(tool_use_id) ?? Number.POSITIVE_INFINITY) > (answered.get(tool_use_id) ?? -1);
  };
}
