import { asFields, asList } from '@palimpsest/core/json';
import { type CallIdRule, createCallIds } from '../body/call-ids.ts';
import { type Change, changeEach, changeFields, type Mended, makeMended, makeRenames } from '../body/mend.ts';
import { createToolNames } from '../body/tool-names.ts';
import type { ChatBody } from './read.ts';

export const CALL_ID: CallIdRule = { pattern: /^[^\s]+$/, maxChars: 40, trustsBody: true };
export const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Calls in the form that is taken; `given` is the body that came in, whose ids its server knows. */
export function mendBody<B extends ChatBody>(body: B, given: ChatBody): Mended<B> {
  const names = createToolNames(TOOL_NAME, declaredNames(body));
  const { call, result, tool } = makeRenames(createCallIds(CALL_ID, knownIds(given)), names);
  const named = changeFields({ name: tool });
  const defined = changeFields({ function: named, custom: named });
  const message: Change = changeFields({
    tool_calls: changeEach(changeFields({ id: call, function: named, custom: named })),
    function_call: named,
    tool_call_id: result,
  });
  const answer = changeFields({ name: tool });
  const change = changeFields({
    tools: changeEach(defined),
    functions: changeEach(named),
    tool_choice: changeFields({
      function: named,
      custom: named,
      allowed_tools: changeFields({ tools: changeEach(defined) }),
    }),
    function_call: named,
  });
  const said = changeFields({
    messages: changeEach((one) => {
      const { role } = asFields(one);
      return message(role === 'function' || role === 'tool' ? answer(one) : one);
    }),
  });
  return makeMended(said(change(body)) as B, names);
}

const declaredNames = (body: ChatBody): readonly unknown[] => [
  ...asList(body.tools)
    .map(asFields)
    .map((one) => asFields(one.function ?? one.custom).name),
  ...asList(body.functions).map((one) => asFields(one).name),
];

function knownIds(body: ChatBody): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const message of asList(body.messages)) {
    const { tool_calls, tool_call_id } = asFields(message);
    if (typeof tool_call_id === 'string') ids.add(tool_call_id);
    for (const call of asList(tool_calls)) ids.add(String(asFields(call).id));
  }
  return ids;
}
