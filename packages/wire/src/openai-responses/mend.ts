import { asFields, asList, type Fields } from '@palimpsest/core/json';
import { type CallIdRule, createCallIds } from '../body/call-ids.ts';
import { type Change, changeEach, changeFields, type Mended, makeMended, makeRenames } from '../body/mend.ts';
import { createToolNames } from '../body/tool-names.ts';
import type { ResponsesBody } from './body.ts';
import { CALL_KINDS, isOutput } from './items.ts';
import { itemsIn } from './read.ts';

export const CALL_ID: CallIdRule = { pattern: /^[^\s]+$/, maxChars: 64, trustsBody: true };
export const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Calls in the form that is taken; `given` is the body that came in, whose ids its server knows. */
export function mendBody<B extends ResponsesBody>(body: B, given: ResponsesBody): Mended<B> {
  const names = createToolNames(TOOL_NAME, declaredNames(body.tools));
  const { call, result, tool } = makeRenames(createCallIds(CALL_ID, knownIds(given)), names);
  const define: Change = (one) => (isOwnTool(asFields(one)) ? changeFields({ name: tool })(one) : nested(one));
  const nested = changeFields({ tools: changeEach(define) });
  const asked = changeFields({ call_id: call });
  const named = changeFields({ call_id: call, name: tool });
  const approval = changeFields({ id: call });
  const answer = changeFields({ call_id: result, approval_request_id: result });
  // It names its call in the place of its own id.
  const shellAnswer = changeFields({ call_id: result, id: result });
  const item: Change = (one) => {
    const { type, execution } = asFields(one);
    if (typeof type !== 'string' || execution === 'server') return one;
    if (type === 'mcp_approval_request') return approval(one);
    if (type === 'additional_tools') return nested(one);
    if (Object.hasOwn(CALL_KINDS, type)) return CALL_KINDS[type]!.tool === undefined ? named(one) : asked(one);
    if (type === 'local_shell_call_output') return shellAnswer(one);
    return isOutput(type) ? answer(one) : one;
  };
  const change = changeFields({ tools: changeEach(define), tool_choice: define });
  return makeMended(changeFields({ input: changeEach(item) })(change(body)) as B, names);
}

/** Tools of the other kinds have names of the server's, or none. */
const isOwnTool = ({ type }: Fields): boolean => type === 'function' || type === 'custom';

const declaredNames = (tools: unknown): readonly unknown[] =>
  asList(tools).flatMap((tool) => {
    const { name, tools: inner } = asFields(tool);
    return [name, ...declaredNames(inner)];
  });

const knownIds = (body: ResponsesBody): ReadonlySet<string> =>
  new Set(itemsIn(body.input).flatMap((item) => idsOf(asFields(item))));

const idsOf = (item: Fields): readonly string[] =>
  [item.call_id, item.approval_request_id, item.type === 'mcp_approval_request' ? item.id : undefined].filter(
    (id) => typeof id === 'string',
  );
