import type { MediaPart } from '@palimpsest/core';

/** What a media part holds: an image, a document and the like. */
export type MediaKind = MediaPart['kind'];

/** The kind of media that a MIME type stands for. */
export function kindOf(mediaType: string): MediaKind {
  const family = mediaType.split('/')[0];
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'document';
}

/** `data:` URLs hold the bytes themselves; any other is left to the provider to fetch. */
export function parseDataUrl(url: string): { readonly mediaType: string; readonly data: string } | undefined {
  const match = /^data:([^;,]+);base64,/.exec(url);
  return match === null ? undefined : { mediaType: match[1]!, data: url.slice(match[0].length) };
}

/** Bytes as a URL that holds them. */
export const dataUrl = (mediaType: string, data: string): string => `data:${mediaType};base64,${data}`;

/** Whether a provider could fetch it. */
export const isWebUrl = (url: string): boolean => /^https?:\/\//i.test(url);

/** A media part out of a URL; `fallback` names the type where the URL does not. */
export function mediaFromUrl(url: string, kind: MediaKind, fallback: string): MediaPart {
  const held = parseDataUrl(url);
  return held === undefined
    ? { type: 'media', kind, mediaType: fallback, url }
    : { type: 'media', kind, mediaType: held.mediaType, data: held.data };
}

/** The URL under which a part's bytes can be sent, unless it only has a reference that another provider understands. */
export function urlOf(part: MediaPart): string | undefined {
  if (part.data !== undefined) return dataUrl(part.mediaType, part.data);
  return part.url !== undefined && isWebUrl(part.url) ? part.url : undefined;
}
