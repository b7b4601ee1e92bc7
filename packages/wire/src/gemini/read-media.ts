import type { MediaPart } from '@palimpsest/core';
import { asFields, asString, type Fields, omitFields } from '@palimpsest/core/json';
import { kindOf } from '../body/media.ts';
import { mark, native } from '../body/native.ts';
import { GEMINI } from './body.ts';

export const keepUnder = (key: string, fields: Fields): Fields =>
  Object.keys(fields).length === 0 ? {} : { [key]: fields };

export function readMedia(part: Fields, kind: string): MediaPart | undefined {
  const data = asFields(part[kind]);
  const mediaType = asString(data.mimeType);
  const bytes = asString(data.data);
  const uri = asString(data.fileUri);
  const named = asString(data.displayName);
  const base = {
    type: 'media',
    kind: kindOf(mediaType ?? ''),
    ...(named === undefined ? {} : { name: named }),
  } as const;
  const rest = omitFields(part, kind);
  if (kind === 'inlineData' && mediaType !== undefined && bytes !== undefined)
    return { ...base, mediaType, data: bytes, ...native(GEMINI, rest) };
  if (kind === 'fileData' && uri !== undefined)
    return {
      ...base,
      mediaType: mediaType ?? 'application/octet-stream',
      url: uri,
      ...mark(GEMINI, { ...rest, ...(mediaType === undefined ? { untyped: true } : {}) }),
    };
  return undefined;
}
