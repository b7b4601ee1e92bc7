import type { MediaPart } from '@palimpsest/core';
import { omitUndefined } from '../fields.ts';

const kindOf = (mediaType: string): MediaPart['kind'] => {
  const family = mediaType.split('/')[0];
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'document';
};

export const mediaData = (mediaType: string, data: string, name?: string): MediaPart => ({
  type: 'media',
  kind: kindOf(mediaType),
  mediaType,
  data,
  ...omitUndefined({ name }),
});

const DATA_URL = /^data:([^;,]+)(?:;[^,]*)?;base64,/;

/** A data URL gives its bytes; any other is kept as a reference. */
export function mediaUrl(url: string, mediaType: string, name?: string): MediaPart {
  const found = DATA_URL.exec(url);
  if (found !== null) return mediaData(found[1]!, url.slice(found[0].length), name);
  return { type: 'media', kind: kindOf(mediaType), mediaType, url, ...omitUndefined({ name }) };
}
