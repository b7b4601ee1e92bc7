import { type CallPart, type Message, mediaMarker, type NativePart, type Part } from '@palimpsest/core';
import { asFields, asList, type Fields, isBlank, omitFields } from '@palimpsest/core/json';
import { isMessageFields, messageFieldsOf, nativeOf } from '../body/native.ts';
import { callsIn, type Piece, splice } from '../body/splice.ts';
import { makeEncoder } from '../make-encoder.ts';
import type { EncodeOptions } from '../wire.ts';
import { PIECE, RESPONSES, type ResponsesBody } from './body.ts';
import { encodeCall, encodePiece, encodeResult } from './encode-item.ts';
import { isServerOutput, serverOutput } from './items.ts';
import { mendBody } from './mend.ts';
import { type ItemRange, readItems } from './read.ts';

export const encode = makeEncoder<ResponsesBody>({ layView, mendBody });

function layView<B extends ResponsesBody>(view: readonly Message[], body: B, { ids }: EncodeOptions): B {
  const { items, lead, reads } = readItems(body);
  const { shared, rest } = splice(view, reads, ids);
  if (shared === view.length && shared === reads.length) return body;
  const head = items.slice(0, shared === 0 ? lead : reads[shared - 1]!.source.to);
  const tail = assemble(rest, items, callsIn(view.slice(0, shared)));
  return { ...body, input: dropUnpaired(head, tail) };
}

function assemble(
  pieces: readonly Piece<ItemRange>[],
  items: readonly unknown[],
  calls: Map<string, CallPart>,
): readonly unknown[] {
  const made: unknown[] = [];
  for (const { message, read, exact } of pieces) {
    for (const [id, call] of callsIn([message])) calls.set(id, call);
    const own = exact && read !== undefined ? items.slice(read.source.from, read.source.to) : undefined;
    for (const item of own ?? encodeMessage(message, calls)) made.push(item);
  }
  return made;
}

const encodeMessage = (message: Message, calls: ReadonlyMap<string, CallPart>): readonly Fields[] =>
  message.role === 'assistant' ? encodeAssistant(message) : encodeUser(message, calls);

function encodeUser(message: Message, calls: ReadonlyMap<string, CallPart>): readonly Fields[] {
  const { role: given, ...fields } = messageFieldsOf(message, RESPONSES);
  const role = given === 'system' || given === 'developer' ? given : 'user';
  const items: Fields[] = [];
  let pieces: Fields[] = [];
  const flush = (): void => {
    const [only] = pieces;
    const isPlain = pieces.length === 1 && only?.type === 'input_text' && Object.keys(only).length === 2;
    if (pieces.length > 0) items.push({ type: 'message', role, ...fields, content: isPlain ? only.text : pieces });
    pieces = [];
  };
  for (const part of message.parts) {
    if (part.type === 'result') {
      flush();
      items.push(encodeResult(part, calls.get(part.callId)));
    } else if (part.type === 'native' && isItem(part)) {
      flush();
      if (part.wire === RESPONSES && !isMessageFields(part)) items.push(asFields(part.block));
    } else if (part.type === 'text' || part.type === 'media' || part.type === 'native')
      pieces.push(...encodePiece(part).map(addDetail));
  }
  flush();
  return items;
}

/** In a message, though not in an output, an image must say how closely it is to be looked at. */
const addDetail = (piece: Fields): Fields => (piece.type === 'input_image' ? { detail: 'auto', ...piece } : piece);

const isItem = (part: NativePart): boolean => asFields(part.block).type !== PIECE;

function encodeAssistant(message: Message): readonly Fields[] {
  const items: Fields[] = [];
  const ids = new Set<unknown>();
  for (const part of message.parts) {
    const item = itemOf(part, ids);
    if (item === undefined) continue;
    const last = items.at(-1);
    // Pieces of one message item come together again.
    if (item.type === 'message' && typeof item.id === 'string' && last?.id === item.id)
      items[items.length - 1] = { ...last, content: [...asList(last.content), ...asList(item.content)] };
    else items.push(ids.has(item.id) ? omitFields(item, 'id') : item);
    if (item.id !== undefined) ids.add(item.id);
  }
  // Reasoning is taken only together with the item behind it.
  while (items.at(-1)?.type === 'reasoning') items.pop();
  return items;
}

/** Items that are nothing without their id, because it is required or because the answer names it. */
const NEEDS_ID = ['mcp_approval_request', 'local_shell_call', 'computer_call'];

/** `ids` are those sent so far: an item whose reasoning is gone must not name itself, or the server misses the other. */
function itemOf(part: Part, ids: ReadonlySet<unknown>): Fields | undefined {
  const { after, item, ...rest } = nativeOf(part, RESPONSES);
  const orphaned = typeof after === 'string' && !ids.has(after);
  const keepId = (made: Fields): Fields =>
    orphaned && !NEEDS_ID.includes(String(made.type)) ? omitFields(made, 'id') : made;
  switch (part.type) {
    case 'reasoning':
      return item === undefined
        ? undefined
        : {
            type: 'reasoning',
            ...(part.signature === undefined ? {} : { encrypted_content: part.signature }),
            ...asFields(item),
          };
    case 'call':
      return keepId(encodeCall(part));
    case 'text':
      if (isBlank(part.text)) return undefined;
      if (typeof asFields(item).id !== 'string')
        return { type: 'message', role: 'assistant', ...asFields(item), content: part.text };
      return keepId({
        type: 'message',
        role: 'assistant',
        ...asFields(item),
        content: [{ type: 'output_text', text: part.text, ...rest }],
      });
    case 'media':
      return { type: 'message', role: 'assistant', content: mediaMarker(part) };
    case 'native':
      return part.wire !== RESPONSES || isMessageFields(part) ? undefined : asFields(part.block);
    case 'result':
      return undefined;
  }
}

/** Of pairs that the server wrote, a half whose other half is hidden goes too; a call still under way has none yet. */
function dropUnpaired(head: readonly unknown[], tail: readonly unknown[]): readonly unknown[] {
  const all = [...head, ...tail].map(asFields);
  const turn = all.findLastIndex(({ role }) => role === 'user');
  const hasItem = (type: string, id: unknown): boolean => all.some((item) => item.type === type && item.call_id === id);
  const kept = tail.filter((given, i) => {
    const { type, call_id } = asFields(given);
    if (typeof call_id !== 'string') return true;
    if (isServerOutput(type)) return all.some((item) => serverOutput(item.type) === type && item.call_id === call_id);
    const output = serverOutput(type);
    return output === undefined || hasItem(output, call_id) || head.length + i > turn;
  });
  return [...head, ...kept];
}
