import type { CallPart, Message } from '@palimpsest/core';
import { asFields, asList, type Fields, isFields, omitFields } from '@palimpsest/core/json';
import { messageFieldsOf } from '../body/native.ts';
import { OPENING } from '../body/opening.ts';
import { callsIn, type Piece, splice, unshare } from '../body/splice.ts';
import { makeEncoder } from '../make-encoder.ts';
import type { EncodeOptions } from '../wire.ts';
import { GEMINI, type GeminiBody, toCamelCase } from './body.ts';
import { encodePart } from './encode-part.ts';
import { mendBody } from './mend.ts';
import { readContents } from './read.ts';

export const encode = makeEncoder<GeminiBody>({ layView, mendBody });

function layView<B extends GeminiBody>(view: readonly Message[], body: B, { ids }: EncodeOptions): B {
  const reads = readContents(body);
  let spliced = splice(view, reads, ids);
  if (spliced.shared === view.length && spliced.shared === reads.length) return body;
  while (spliced.shared > 0 && mustJoin(view[spliced.shared - 1]!, spliced.rest[0]?.message))
    spliced = unshare(spliced, 1, view, reads);
  const head = body.contents.slice(0, spliced.shared);
  const contents = [...head, ...assemble(spliced.rest, view.slice(0, spliced.shared))];
  return { ...body, contents };
}

/** A call may follow only a user's turn, and all responses to a turn's calls stand in one content. */
const mustJoin = (last: Message, next: Message | undefined): boolean =>
  next !== undefined &&
  last.role === next.role &&
  (next.role === 'assistant' || next.parts.some((part) => part.type === 'result'));

interface Row {
  readonly role: string;
  readonly parts: readonly unknown[];
  /** The caller's own content, where it can be sent as it is. */
  readonly verbatim?: unknown;
  readonly fields: Fields;
}

function assemble(pieces: readonly Piece<unknown>[], head: readonly Message[]): readonly Fields[] {
  const calls = callsIn(head);
  const answers: Answers = new Map();
  const rows: Row[] = [];
  let asked = [...callsIn(head.slice(-1)).keys()];
  const close = (): void => {
    const last = rows.at(-1);
    if (last?.role === 'user') rows[rows.length - 1] = responsesFirst(last, asked, answers);
  };
  for (const { message, read, exact } of pieces) {
    const own = callsIn([message]);
    for (const [id, call] of own) calls.set(id, call);
    const parts = exact ? reuseParts(message, read?.source, answers) : makeParts(message, calls, answers);
    if (parts.length === 0) continue;
    const role = message.role === 'assistant' ? 'model' : 'user';
    const last = rows.at(-1);
    if (last?.role === role) rows[rows.length - 1] = { role, parts: [...last.parts, ...parts], fields: last.fields };
    else {
      close();
      const fields = omitFields(messageFieldsOf(message, GEMINI), 'role');
      rows.push({ role, parts, fields, ...(exact ? { verbatim: read?.source } : {}) });
    }
    if (role === 'model') asked = last?.role === role ? [...asked, ...own.keys()] : [...own.keys()];
  }
  close();
  const opening = head.length === 0 && rows[0]?.role === 'model' ? [{ role: 'user', parts: [{ text: OPENING }] }] : [];
  const sent = rows.map((row) => asFields(row.verbatim ?? { role: row.role, ...row.fields, parts: row.parts }));
  return [...opening, ...sent];
}

/** Which call each response part answers; the part itself may not say. */
type Answers = Map<unknown, string>;

function reuseParts(message: Message, source: unknown, answers: Answers): readonly unknown[] {
  const parts = asList(asFields(source).parts);
  const responses = parts.filter(isResponse);
  const results = message.parts.filter((part) => part.type === 'result');
  if (responses.length === results.length)
    for (const [i, part] of responses.entries()) answers.set(part, results[i]!.callId);
  return parts;
}

/** A content of thoughts alone answers nothing and is left out. */
function makeParts(message: Message, calls: ReadonlyMap<string, CallPart>, answers: Answers): readonly unknown[] {
  const parts = message.parts.flatMap((part) => {
    const made = encodePart(part, (id) => calls.get(id));
    if (part.type === 'result') answers.set(made[0], part.callId);
    return made;
  });
  return parts.some((part) => part.thought !== true) ? parts : [];
}

const isResponse = (part: unknown): boolean => isFields(part) && toCamelCase(part).functionResponse !== undefined;

const nameOf = (part: unknown): unknown => asFields(toCamelCase(asFields(part)).functionResponse).name;

/** Responses go first. Those of one name are told apart by their order, which must be that of the calls. */
function responsesFirst(row: Row, asked: readonly string[], answers: Answers): Row {
  const responses = row.parts.filter(isResponse);
  const rank = (part: unknown): number => asked.indexOf(answers.get(part) ?? '');
  const sorted = [...responses].sort((a, b) => rank(a) - rank(b));
  const ordered = responses.map((part) => {
    const at = sorted.findIndex((other) => nameOf(other) === nameOf(part));
    return sorted.splice(at, 1)[0];
  });
  const parts = [...ordered, ...row.parts.filter((part) => !isResponse(part))];
  return parts.every((part, i) => part === row.parts[i]) ? row : { role: row.role, fields: row.fields, parts };
}
