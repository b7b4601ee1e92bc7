import { asFields, asList, type Fields, omitFields } from '@palimpsest/core/json';
import { type CallIdRule, createCallIds } from '../body/call-ids.ts';
import { type Change, changeEach, changeFields, type Mended, makeMended, makeRenames } from '../body/mend.ts';
import { createToolNames } from '../body/tool-names.ts';
import type { GeminiBody } from './body.ts';
import { UNSIGNED } from './encode-part.ts';

/** Ids are optional, and free. */
const CALL_ID: CallIdRule = { pattern: /./s, maxChars: Number.POSITIVE_INFINITY, trustsBody: true };
export const TOOL_NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;

/** Calls in the form that is taken; `given` is the body that came in. Both spellings of fields are. */
export function mendBody<B extends GeminiBody>(body: B, given: GeminiBody): Mended<B> {
  const names = createToolNames(TOOL_NAME, declaredNames(body));
  const { call, result, tool } = makeRenames(createCallIds(CALL_ID, knownIds(given)), names);
  const asked = changeFields({ id: call, name: tool });
  const answered = changeFields({ id: result, name: tool });
  const renamed = changeFields({
    functionCall: asked,
    function_call: asked,
    functionResponse: answered,
    function_response: answered,
  });
  const part: Change = (given) => replaceSignature(given, renamed(given));
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
  });
  const inContent = changeFields({ parts: changeEach(part) });
  return makeMended(changeFields({ contents: changeEach(inContent) })(change(body)) as B, names);
}

/** A signature stands for the call as it was made. */
function replaceSignature(given: unknown, made: unknown): unknown {
  const isSigned = (asFields(given).thoughtSignature ?? asFields(given).thought_signature) !== undefined;
  if (!isSigned || callOf(given).name === callOf(made).name) return made;
  return { ...omitFields(asFields(made), 'thought_signature'), thoughtSignature: UNSIGNED };
}

const callOf = (part: unknown): Fields => asFields(asFields(part).functionCall ?? asFields(part).function_call);

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
