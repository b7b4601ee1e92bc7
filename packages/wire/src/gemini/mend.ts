import { asFields, asList, type Fields } from '@palimpsest/core/json';
import { type CallIdRule, createCallIds } from '../body/call-ids.ts';
import { changeEach, changeFields, type Mended, mended, renames } from '../body/mend.ts';
import { createToolNames } from '../body/tool-names.ts';
import type { GeminiBody } from './body.ts';

/** Ids are optional, and free. */
const CALL_ID: CallIdRule = { pattern: /./s, maxChars: Number.POSITIVE_INFINITY, trustsBody: true };
export const TOOL_NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;

/** Calls in the form that is taken; `given` is the body that came in. Both spellings of fields are. */
export function mendBody<B extends GeminiBody>(body: B, given: GeminiBody): Mended<B> {
  const names = createToolNames(TOOL_NAME, declaredNames(body));
  const { call, result, tool } = renames(createCallIds(CALL_ID, knownIds(given)), names);
  const asked = changeFields({ id: call, name: tool });
  const answered = changeFields({ id: result, name: tool });
  const part = changeFields({
    functionCall: asked,
    function_call: asked,
    functionResponse: answered,
    function_response: answered,
  });
  const declared = changeEach(changeFields({ name: tool }));
  const allowed = changeFields({
    allowedFunctionNames: changeEach(tool),
    allowed_function_names: changeEach(tool),
  });
  const config = changeFields({ functionCallingConfig: allowed, function_calling_config: allowed });
  const change = changeFields({
    tools: changeEach(changeFields({ functionDeclarations: declared, function_declarations: declared })),
    toolConfig: config,
    tool_config: config,
    contents: changeEach(changeFields({ parts: changeEach(part) })),
  });
  return mended(change(body) as B, names);
}

const declaredNames = (body: GeminiBody): readonly unknown[] =>
  asList(body.tools)
    .map(asFields)
    .flatMap((one) => asList(one.functionDeclarations ?? one.function_declarations))
    .map((one) => asFields(one).name);

const knownIds = (body: GeminiBody): ReadonlySet<string> =>
  new Set(
    asList(body.contents)
      .flatMap((content) => asList(asFields(content).parts))
      .map(asFields)
      .map(
        (part): Fields =>
          asFields(part.functionCall ?? part.function_call ?? part.functionResponse ?? part.function_response),
      )
      .map(({ id }) => id)
      .filter((id) => typeof id === 'string'),
  );
