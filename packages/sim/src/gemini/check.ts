import { asFields, asList, asString, type Fields, isFields } from '@palimpsest/core/json';
import { type Problem, type Problems, takeFirst } from '../api/problem.ts';
import { isPresent } from '../is-present.ts';
import type { SimModel } from '../models.ts';
import { BESIDES, type Content, camelizeKeys, DATA, listCalls, listContents, listResponses } from './contents.ts';
import { isSigned } from './sign.ts';

/** The parameters of `models/…:generateContent`. */
const PARAMETERS = new Set(
  `contents systemInstruction tools toolConfig safetySettings generationConfig cachedContent labels model store
  serviceTier`.split(/\s+/),
);

const AFTER_USER =
  'Please ensure that function call turn comes immediately after a user turn or after a function response turn.';
const AFTER_CALL =
  'Please ensure that function response turn comes immediately after a function call turn. And the number of function response parts should be equal to number of function call parts of the function call turn.';
const AS_MANY =
  'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';

export const checkContents = (body: unknown, model: SimModel | undefined): Problem | undefined =>
  takeFirst(check(body, model));

const invalidRequest = (path: string, rule: string, message: string): Problem => ({ status: 400, path, rule, message });

/** `contents.1.parts.0` as Google writes it in a list of complaints. */
const complaint = (path: string, rule: string, field: string, what: string): Problem =>
  invalidRequest(path, rule, `* GenerateContentRequest.${spellPath(field)}: ${what}\n`);

const spellPath = (path: string): string => path.replace(/\.(\d+)/g, '[$1]');

const unknownName = (path: string, name: string, at: string): Problem =>
  invalidRequest(
    path,
    'unknown-parameter',
    `Invalid JSON payload received. Unknown name "${name}"${at === '' ? '' : ` at '${spellPath(at)}'`}: Cannot find field.`,
  );

function* check(body: unknown, model: SimModel | undefined): Problems {
  if (!isFields(body))
    return yield invalidRequest('', 'not-an-object', 'Invalid JSON payload received. Unexpected token.');
  for (const key of Object.keys(camelizeKeys(body))) if (!PARAMETERS.has(key)) yield unknownName(key, key, '');
  const request = camelizeKeys(body);
  if (isPresent(request.cachedContent))
    yield {
      ...invalidRequest('cachedContent', 'unknown-held', 'CachedContent not found (or permission denied)'),
      status: 403,
      type: 'PERMISSION_DENIED',
    };
  yield* checkTools(request.tools);
  const { contents } = request;
  if (!Array.isArray(contents) || contents.length === 0)
    return yield complaint('contents', 'contents-empty', 'contents', 'contents is not specified');
  for (const [c, content] of contents.entries()) yield* checkContent(content, `contents.${c}`);
  const list = listContents(request);
  if (list[0]?.isModel === true)
    yield invalidRequest('contents.0', 'first-role', 'Please ensure that multiturn requests begin with a user turn.');
  for (const [c, content] of list.entries()) yield* checkTurn(content, list[c - 1], list[c + 1]);
  if (model?.thoughtSignatures === true) yield* checkSignatures(list);
}

function* checkContent(content: unknown, path: string): Problems {
  if (!isFields(content))
    return yield invalidRequest(
      path,
      'not-a-content',
      `Invalid value at '${spellPath(path)}' (type.googleapis.com/google.ai.generativelanguage.v1beta.Content), ${JSON.stringify(content)}`,
    );
  const { role, parts } = content;
  if (isPresent(role) && !['user', 'model', 'function'].includes(String(role)))
    return yield invalidRequest(path, 'unknown-role', 'Please use a valid role: user, model.');
  if (!Array.isArray(parts) || parts.length === 0)
    return yield complaint(path, 'empty-content', `${path}.parts`, 'contents.parts must not be empty.');
  for (const [p, part] of parts.entries()) yield* checkPart(part, `${path}.parts.${p}`, role === 'model');
}

function* checkPart(given_: unknown, path: string, isModel: boolean): Problems {
  const part = camelizeKeys(asFields(given_));
  for (const key of Object.keys(part))
    if (!DATA.includes(key) && !BESIDES.includes(key)) yield unknownName(path, key, path);
  const held = DATA.filter((key) => isPresent(part[key]));
  if (held.length === 0)
    return yield complaint(
      path,
      'part-data',
      `${path}.data`,
      "required oneof field 'data' must have one initialized field",
    );
  if (held.length > 1)
    yield invalidRequest(
      path,
      'part-data',
      `Invalid value at '${spellPath(path)}' (oneof), oneof field 'data' is already set. Cannot set '${held[1]}'`,
    );
  if (part.text === '' && part.thoughtSignature === undefined)
    yield invalidRequest(
      path,
      'empty-text',
      'Unable to submit request because it has an empty text parameter. Add a value to the parameter and try again.',
    );
  if (!isModel && isPresent(part.functionCall)) yield invalidRequest(path, 'misplaced-block', AFTER_USER);
  if (isModel && isPresent(part.functionResponse)) yield invalidRequest(path, 'misplaced-block', AFTER_CALL);
  for (const [key, name] of [
    ['functionCall', 'function_call'],
    ['functionResponse', 'function_response'],
  ] as const)
    if (isPresent(part[key])) yield* checkName(asFields(part[key]).name, path, 'call-name', `${path}.${name}.name`);
}

const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;

function* checkName(name: unknown, path: string, rule: string, field: string): Problems {
  if ((asString(name) ?? '') === '') yield complaint(path, rule, field, 'Name cannot be empty.');
  else if (!NAME.test(String(name)))
    yield complaint(
      path,
      rule,
      field,
      'Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.',
    );
}

function* checkTools(tools: unknown): Problems {
  for (const [t, tool] of asList(tools).entries())
    for (const [i, declared] of asList(camelizeKeys(asFields(tool)).functionDeclarations).entries()) {
      const path = `tools.${t}.function_declarations.${i}`;
      yield* checkName(asFields(declared).name, path, 'tool-name', `${path}.name`);
    }
}

function* checkTurn(content: Content, before: Content | undefined, after: Content | undefined): Problems {
  const calls = listCalls(content);
  if (calls.length > 0) {
    if (before === undefined || before.isModel) yield invalidRequest(content.path, 'call-order', AFTER_USER);
    if (listResponses(after).length !== calls.length)
      yield invalidRequest(content.path, 'call-without-result', AS_MANY);
  }
  const responses = listResponses(content);
  if (responses.length === 0) return;
  const asked = [...listCalls(before)];
  if (asked.length === 0) return yield invalidRequest(content.path, 'result-without-call', AFTER_CALL);
  const identified = asked.some(({ id }) => typeof id === 'string');
  for (const [i, { name, id }] of responses.entries()) {
    const at = asked.findIndex(
      (call) => call.name === name && (typeof id !== 'string' || !identified || call.id === id),
    );
    if (at < 0) yield invalidRequest(`${content.path}.parts.${i}`, 'result-without-call', AFTER_CALL);
    else asked.splice(at, 1);
  }
}

/** In the turn under way, the first call of every step bears the signature it came with. */
function* checkSignatures(list: readonly Content[]): Problems {
  const spoke = list.findLastIndex(
    ({ isModel, parts }) => !isModel && parts.some((part) => typeof part.text === 'string'),
  );
  let position = 0;
  for (const [c, content] of list.entries()) {
    position += 1;
    if (c <= spoke || !content.isModel) continue;
    const p = content.parts.findIndex((part) => isFields(part.functionCall));
    if (p < 0) continue;
    const part = content.parts[p] as Fields;
    const call = asFields(part.functionCall);
    const path = `${content.path}.parts.${p}`;
    if (part.thoughtSignature === undefined)
      yield invalidRequest(
        path,
        'signature-missing',
        `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${String(call.name)}\` , position ${position}.`,
      );
    else if (!isSigned(part, call)) yield invalidRequest(path, 'signature-missing', 'Corrupted thought signature.');
  }
}
