import { asFields, asList, asString, type Fields, isFields, isSameJson } from '@palimpsest/core/json';
import { bytesOf, checkCharacters, checkToolNames, type Finds, violation } from '../body/violations.ts';
import type { ValidateOptions, Violation } from '../wire.ts';
import { type GeminiBody, KINDS, toCamelCase } from './body.ts';
import { TOOL_NAME } from './mend.ts';

/** What may come inline in one request. */
export const MAX_BYTES = 100 * 1024 * 1024;

export const validate = (body: GeminiBody, options: ValidateOptions<GeminiBody> = {}): readonly Violation[] => [
  ...check(body, options),
];

interface Turn {
  readonly path: string;
  readonly role: string;
  readonly parts: readonly Fields[];
}

function* check(body: GeminiBody, { previous }: ValidateOptions<GeminiBody>): Finds {
  yield* checkCharacters(body);
  yield* checkToolNames(listTools(body), TOOL_NAME);
  const contents: unknown = body.contents;
  if (!Array.isArray(contents) || contents.length === 0)
    return yield violation('contents', 'contents-empty', 'GenerateContentRequest.contents: contents is not specified');
  if (bytesOf(body) > MAX_BYTES)
    yield violation('', 'too-many-bytes', `Request payload size exceeds the limit: ${MAX_BYTES} bytes.`);
  for (const [c, content] of contents.entries()) yield* checkContent(content, `contents.${c}`);
  const turns = turnsOf(contents);
  const isHeld = (body.cachedContent ?? body.cached_content ?? null) !== null;
  if (turns[0]?.role === 'model' && !isHeld)
    yield violation(turns[0].path, 'first-role', 'Please ensure that the conversation begins with a user turn.');
  for (const [t, turn] of turns.entries()) yield* checkTurn(turn, turns[t - 1], turns[t + 1], isHeld);
  if (previous !== undefined) yield* checkSignatures(turns, turnsOf(previous.contents));
}

const listTools = (body: GeminiBody): readonly (readonly [string, unknown])[] =>
  asList(body.tools).flatMap((tool, t) => {
    const { functionDeclarations, function_declarations } = asFields(tool);
    return asList(functionDeclarations ?? function_declarations).map(
      (declared, i) => [`tools.${t}.function_declarations.${i}.name`, asFields(declared).name] as const,
    );
  });

const turnsOf = (contents: readonly unknown[]): readonly Turn[] =>
  contents.map((content, c) => {
    const { role, parts } = asFields(content);
    const isModel = role === 'model';
    return {
      path: `contents.${c}`,
      role: isModel ? 'model' : 'user',
      parts: asList(parts).map((part) => toCamelCase(asFields(part))),
    };
  });

function* checkContent(content: unknown, path: string): Finds {
  if (!isFields(content)) return yield violation(path, 'not-a-content', `${path}: expected an object`);
  const { role } = content;
  if (role !== undefined && role !== 'user' && role !== 'model' && role !== 'function')
    return yield violation(path, 'unknown-role', 'Please use a valid role: user, model.');
  const parts = asList(content.parts);
  if (parts.length === 0) return yield violation(path, 'empty-content', `${path}.parts must not be empty.`);
  for (const [p, given] of parts.entries()) {
    const at = `${path}.parts.${p}`;
    const part = isFields(given) ? toCamelCase(given) : {};
    const kinds = KINDS.filter((kind) => part[kind] !== undefined && part[kind] !== null);
    if (kinds.length !== 1)
      yield violation(at, 'part-data', `${at}.data: required oneof field 'data' must have one initialized field`);
    if (part.text === '' && part.thoughtSignature === undefined)
      yield violation(at, 'empty-text', `${at}: it has an empty text parameter in a submission.`);
    const misplaced = role === 'model' ? part.functionResponse : part.functionCall;
    if (misplaced !== undefined)
      yield violation(at, 'misplaced-block', `${at}: ${kinds[0]} does not belong to role ${role ?? 'user'}`);
    const named = asFields(part.functionCall ?? part.functionResponse ?? { name: 'none' });
    if (!TOOL_NAME.test(asString(named.name) ?? ''))
      yield violation(at, 'call-name', `${at}.name: Invalid function name; it should match '${TOOL_NAME.source}'.`);
  }
}

const callsOf = (turn: Turn | undefined): readonly Fields[] =>
  turn?.role === 'model' ? turn.parts.flatMap((part) => (isFields(part.functionCall) ? [part.functionCall] : [])) : [];

const responsesOf = (turn: Turn | undefined): readonly Fields[] =>
  turn?.role === 'user'
    ? turn.parts.flatMap((part) => (isFields(part.functionResponse) ? [part.functionResponse] : []))
    : [];

function* checkTurn(turn: Turn, before: Turn | undefined, after: Turn | undefined, isHeld: boolean): Finds {
  const calls = callsOf(turn);
  if (calls.length > 0 && before?.role !== 'user' && !(before === undefined && isHeld))
    yield violation(
      turn.path,
      'call-order',
      'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
    );
  if (calls.length > 0 && responsesOf(after).length !== calls.length)
    yield violation(
      turn.path,
      'call-without-result',
      'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
    );
  const responses = responsesOf(turn);
  if (responses.length === 0 || (before === undefined && isHeld)) return;
  const asked = callsOf(before);
  if (asked.length === 0)
    return yield violation(
      turn.path,
      'result-without-call',
      'Please ensure that function response turn comes immediately after a function call turn.',
    );
  const left = asked.map(({ name }) => name);
  for (const [i, { name, id }] of responses.entries()) {
    const at = left.indexOf(name);
    const isKnown =
      typeof id !== 'string' ||
      asked.every((call) => typeof call.id !== 'string') ||
      asked.some((call) => call.id === id);
    if (at < 0 || !isKnown)
      yield violation(
        `${turn.path}.parts.${i}`,
        'result-without-call',
        `${turn.path}: no call for the response of ${String(name)}.`,
      );
    else left.splice(at, 1);
  }
}

/** Calls since the user last spoke must bear the signature they came with. */
function* checkSignatures(turns: readonly Turn[], before: readonly Turn[]): Finds {
  const signed = before.flatMap((turn) =>
    turn.parts.filter((part) => isFields(part.functionCall) && typeof part.thoughtSignature === 'string'),
  );
  const spoke = turns.findLastIndex(
    (turn) => turn.role === 'user' && turn.parts.some((part) => typeof part.text === 'string'),
  );
  for (const turn of turns.slice(spoke + 1))
    for (const [p, part] of turn.parts.entries()) {
      const origin = signed.find(
        (one) => isFields(part.functionCall) && isSameJson(one.functionCall, part.functionCall),
      );
      if (origin !== undefined && origin.thoughtSignature !== part.thoughtSignature)
        yield violation(
          `${turn.path}.parts.${p}`,
          'signature-missing',
          'Function call is missing a thought_signature in functionCall parts.',
        );
    }
}
