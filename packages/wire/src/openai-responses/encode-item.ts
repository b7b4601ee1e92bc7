import { type CallPart, type ContentPart, type MediaPart, mediaMarker, type ResultPart } from '@palimpsest/core';
import { asFields, asList, asNumber, asString, type Fields, isBlank } from '@palimpsest/core/json';
import { urlOf } from '../body/media.ts';
import { nativeOf } from '../body/native.ts';
import { spellArguments } from '../body/tool-arguments.ts';
import { PIECE, RESPONSES } from './body.ts';
import { CALL_KINDS, isSpelled } from './items.ts';

const kindOf = (call: CallPart | undefined): string => {
  const type = call === undefined ? undefined : asString(nativeOf(call, RESPONSES).type);
  return type !== undefined && type in CALL_KINDS ? type : 'function_call';
};

export function encodeCall(part: CallPart): Fields {
  const { arguments: spelled, field, item } = nativeOf(part, RESPONSES);
  const type = kindOf(part);
  const kind = CALL_KINDS[type]!;
  const id = part.callId;
  const input = isSpelled(type)
    ? spellArguments(part.input, spelled)
    : kind.input[0] === 'input'
      ? spellInput(part.input)
      : part.input;
  return {
    type,
    ...(type === 'mcp_approval_request' ? { id } : { call_id: id }),
    ...(kind.tool === undefined ? { name: part.tool } : {}),
    [asString(field) ?? kind.input[0]!]: input,
    ...asFields(item),
  };
}

const spellInput = (input: CallPart['input']): string => (typeof input === 'string' ? input : JSON.stringify(input));

/** The answer has the form that the call's kind wants, also where a layer made it. */
export function encodeResult(part: ResultPart, call: CallPart | undefined): Fields {
  const { type: given, chunks, item: kept } = nativeOf(part, RESPONSES);
  const type = asString(given) ?? CALL_KINDS[kindOf(call)]!.output;
  const call_id = part.callId;
  const item = asFields(kept);
  switch (type) {
    case 'mcp_approval_response':
      return { type, approval_request_id: call_id, approve: false, ...item };
    case 'local_shell_call_output':
      return {
        type,
        id: asFields(call === undefined ? {} : nativeOf(call, RESPONSES).item).id ?? call_id,
        output: spellWords(part),
        ...item,
      };
    case 'shell_call_output':
      return { type, call_id, output: encodeChunks(part, asList(chunks)), ...item };
    case 'apply_patch_call_output':
      return {
        type,
        call_id,
        status: part.isError === true ? 'failed' : 'completed',
        output: spellWords(part),
        ...item,
      };
    case 'computer_call_output':
      return { type, call_id, output: screenshot(part), ...item };
    case 'tool_search_output':
      return { type, call_id, tools: toolsIn(part), ...item };
    default:
      return { type, call_id, output: outputOf(part), ...item };
  }
}

/** There is no flag for errors, so the text says it. */
function outputOf(part: ResultPart): unknown {
  const pieces = part.content.flatMap(encodePiece);
  const isPlain = pieces.every((piece) => piece.type === 'input_text' && Object.keys(piece).length === 2);
  if (isPlain) return `${part.isError === true ? 'Error: ' : ''}${pieces.map((piece) => piece.text).join('\n')}`;
  return part.isError === true ? [{ type: 'input_text', text: 'Error:' }, ...pieces] : pieces;
}

const spellWords = (part: ResultPart): string =>
  part.content
    .map((piece) => (piece.type === 'text' ? piece.text : piece.type === 'media' ? mediaMarker(piece) : ''))
    .filter((one) => !isBlank(one))
    .join('\n');

function encodeChunks(part: ResultPart, chunks: readonly unknown[]): readonly Fields[] {
  const own = part.content.filter((piece) => 'chunk' in nativeOf(piece, RESPONSES));
  const outcome = { type: 'exit', exit_code: part.isError === true ? 1 : 0 };
  if (own.length < part.content.length || chunks.length === 0)
    return [{ outcome, ...asFields(chunks[0]), stdout: spellWords(part), stderr: '' }];
  const stream = (chunk: number, name: string): string =>
    own.flatMap((piece) => {
      const fields = nativeOf(piece, RESPONSES);
      return piece.type === 'text' && asNumber(fields.chunk) === chunk && fields.stream === name ? [piece.text] : [];
    })[0] ?? '';
  return chunks.map((chunk, i) => ({
    outcome,
    ...asFields(chunk),
    stdout: stream(i, 'stdout'),
    stderr: stream(i, 'stderr'),
  }));
}

/** One transparent pixel: a screenshot that was hidden still has to be a picture. */
const BLANK_PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

function screenshot(part: ResultPart): Fields {
  const [piece] = part.content;
  if (piece?.type === 'native' && piece.wire === RESPONSES) return asFields(piece.block);
  const media = piece?.type === 'media' ? encodeMedia(piece) : undefined;
  if (media === undefined) return { type: 'computer_screenshot', image_url: BLANK_PIXEL };
  const { type: _, detail: __, ...rest } = media;
  return { type: 'computer_screenshot', ...rest };
}

const toolsIn = (part: ResultPart): readonly unknown[] =>
  part.content.flatMap((piece) => (piece.type === 'native' && piece.wire === RESPONSES ? asList(piece.block) : []));

/** A piece of a user's message or of an output. */
export function encodePiece(part: ContentPart): readonly Fields[] {
  if (part.type === 'text')
    return isBlank(part.text) ? [] : [{ type: 'input_text', text: part.text, ...pieceFields(part) }];
  if (part.type === 'native')
    return part.wire === RESPONSES && asFields(part.block).type === PIECE ? [asFields(asFields(part.block).piece)] : [];
  return [encodeMedia(part) ?? { type: 'input_text', text: mediaMarker(part) }];
}

const pieceFields = (part: ContentPart): Fields => {
  const { chunk: _, stream: __, ...rest } = nativeOf(part, RESPONSES);
  return rest;
};

function encodeMedia(part: MediaPart): Fields | undefined {
  const rest = nativeOf(part, RESPONSES);
  const isStored = typeof rest.file_id === 'string';
  const url = urlOf(part);
  if (part.kind === 'image' && (isStored || url !== undefined))
    return { type: 'input_image', ...(isStored ? {} : { image_url: url }), ...rest };
  if (part.kind !== 'document') return undefined;
  const name = part.name === undefined ? {} : { filename: part.name };
  if (isStored) return { type: 'input_file', ...name, ...rest };
  if (part.data !== undefined) return { type: 'input_file', filename: 'document', ...name, file_data: url, ...rest };
  return url === undefined ? undefined : { type: 'input_file', ...name, file_url: url, ...rest };
}
