import type { ContentPart, MediaPart } from '@palimpsest/core';
import { asList, asString, type Fields, isBlank, isFields, omitFields } from '@palimpsest/core/json';
import { mediaFromUrl, parseDataUrl } from '../body/media.ts';
import { native, nativePart } from '../body/native.ts';
import { PIECE, RESPONSES } from './body.ts';

/** The content of a message or of an output: a string, or a list of input pieces. */
export function readPieces(content: unknown): readonly ContentPart[] {
  if (typeof content === 'string') return isBlank(content) ? [] : [{ type: 'text', text: content }];
  return asList(content).flatMap((piece) => readPiece(piece) ?? []);
}

function readPiece(piece: unknown): ContentPart | undefined {
  if (!isFields(piece)) return nativePart(RESPONSES, { type: PIECE, piece });
  // A breakpoint belongs to the request, not to the message.
  const fields = omitFields(piece, 'prompt_cache_breakpoint');
  if (fields.type === 'input_text' && typeof fields.text === 'string') {
    if (isBlank(fields.text)) return undefined;
    return { type: 'text', text: fields.text, ...native(RESPONSES, omitFields(fields, 'type', 'text')) };
  }
  return readMedia(fields) ?? nativePart(RESPONSES, { type: PIECE, piece: fields });
}

/** Also a computer's screenshot, which is an image under another name. */
export function readMedia(piece: Fields): MediaPart | undefined {
  const { type } = piece;
  if (type === 'input_image' || type === 'computer_screenshot') {
    const url = asString(piece.image_url);
    const id = asString(piece.file_id);
    if (url !== undefined)
      return { ...mediaFromUrl(url, 'image', 'image/*'), ...native(RESPONSES, omitFields(piece, 'type', 'image_url')) };
    if (id === undefined) return undefined;
    return {
      type: 'media',
      kind: 'image',
      mediaType: 'image/*',
      url: id,
      ...native(RESPONSES, omitFields(piece, 'type')),
    };
  }
  if (type !== 'input_file') return undefined;
  const filename = asString(piece.filename);
  const name = filename === undefined ? {} : { name: filename };
  const rest = omitFields(piece, 'type', ...(filename === undefined ? [] : ['filename']));
  const held = parseDataUrl(asString(piece.file_data) ?? '');
  if (held !== undefined)
    return { type: 'media', kind: 'document', ...held, ...name, ...native(RESPONSES, omitFields(rest, 'file_data')) };
  const url = asString(piece.file_url);
  const base = { type: 'media', kind: 'document', mediaType: 'application/pdf', ...name } as const;
  if (url !== undefined) return { ...base, url, ...native(RESPONSES, omitFields(rest, 'file_url')) };
  const id = asString(piece.file_id);
  return id === undefined ? undefined : { ...base, url: id, ...native(RESPONSES, rest) };
}
