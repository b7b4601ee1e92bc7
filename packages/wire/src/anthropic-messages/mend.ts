import { asFields, asList, type Fields, isFields } from '@palimpsest/core/json';
import { type CallIdRule, createCallIds } from '../body/call-ids.ts';
import {
  type Change,
  changeByType,
  changeEach,
  changeFields,
  type Mended,
  makeMended,
  makeRenames,
} from '../body/mend.ts';
import { createToolNames } from '../body/tool-names.ts';
import type { AnthropicBody } from './read.ts';

export const CALL_ID: CallIdRule = { pattern: /^[a-zA-Z0-9_-]+$/, maxChars: 256, trustsBody: false };
export const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;

/** Calls in the form that is taken, whoever wrote them: ids once per request, good names, an object as input, errors with words. */
export function mendBody<B extends AnthropicBody>(body: B): Mended<B> {
  const names = createToolNames(
    TOOL_NAME,
    asList(body.tools).map((tool) => asFields(tool).name),
  );
  const { call, result, tool } = makeRenames(createCallIds(CALL_ID, new Set()), names);
  const named = changeFields({ name: tool });
  const inResult = changeByType({ tool_reference: changeFields({ tool_name: tool }) });
  const block = changeByType({
    tool_use: changeFields({ id: call, name: tool, input: wrapInput }),
    tool_result: (one) => fillError(changeFields({ tool_use_id: result, content: changeEach(inResult) })(one)),
  });
  const declared = changeFields({ tools: changeEach(named), tool_choice: named })(body);
  const said = changeFields({ messages: changeEach(changeFields({ content: changeEach(block) })) })(declared);
  const managed = changeFields({
    context_management: changeFields({ edits: changeEach(changeFields({ exclude_tools: changeEach(tool) })) }),
  });
  return makeMended(managed(said) as B, names);
}

const wrapInput: Change = (input) => (isFields(input) ? input : { input });

/** "content cannot be empty if `is_error` is true". */
export const isSilentError = ({ is_error, content }: Fields): boolean =>
  is_error === true && ((content ?? '') === '' || (Array.isArray(content) && content.length === 0));

const fillError: Change = (block) =>
  isSilentError(asFields(block)) ? { ...asFields(block), content: 'The tool failed and said nothing.' } : block;
