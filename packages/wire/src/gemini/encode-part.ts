import { type CallPart, type MediaPart, mediaMarker, type Part, type ResultPart } from '@palimpsest/core';
import { asFields, type Fields, isBlank, isFields, omitFields, parseJson } from '@palimpsest/core/json';
import { isForeign, isMessageFields, nativeOf } from '../body/native.ts';
import { makeWellFormed } from '../body/well-formed.ts';
import { GEMINI } from './body.ts';

/** Google's documented stand-in for the signature of a call that another model or a host made, or that was changed since. */
export const UNSIGNED = 'skip_thought_signature_validator';

/** The parts that one part becomes; media of a result stand beside it unless they came inside. */
export function encodePart(part: Part, call: (callId: string) => CallPart | undefined): readonly Fields[] {
  const own = nativeOf(part, GEMINI);
  switch (part.type) {
    case 'text':
      return isBlank(part.text) ? [] : [{ text: part.text, ...omitFields(own, 'json') }];
    case 'reasoning':
      if (part.native === undefined || isForeign(part, GEMINI) || isBlank(part.text)) return [];
      return [{ text: part.text, thought: true, ...signatureField(part.signature), ...own }];
    case 'call': {
      const args = isFields(part.input) ? part.input : { input: part.input };
      return [
        {
          functionCall: { ...asFields(own.call), name: part.tool, args },
          ...signatureField(signatureOf(part)),
          ...omitFields(own, 'call'),
        },
      ];
    }
    case 'result':
      return encodeResult(part, call(part.callId));
    case 'media':
      return [encodeMedia(part)];
    case 'native':
      return part.wire !== GEMINI || isMessageFields(part) ? [] : [asFields(part.block)];
  }
}

/** Gemini refuses a step whose first call has none; of calls made together it signs the first alone. */
function signatureOf(part: CallPart): string | undefined {
  if (isForeign(part, GEMINI) || part.signature === '') return UNSIGNED;
  return part.signature ?? (part.native === undefined ? UNSIGNED : undefined);
}

const signatureField = (signature: string | undefined): Fields =>
  signature === undefined ? {} : { thoughtSignature: signature };

function encodeResult(part: ResultPart, call: CallPart | undefined): readonly Fields[] {
  const { key, inside, response, ...around } = nativeOf(part, GEMINI);
  const given = asFields(response);
  const id = given.id ?? (call === undefined ? undefined : asFields(nativeOf(call, GEMINI).call).id);
  const media = part.content.flatMap((piece) => (piece.type === 'text' ? [] : encodePart(piece, () => undefined)));
  const isInside = inside === true && media.length > 0;
  const made = {
    ...given,
    ...(id === undefined ? {} : { id }),
    name: given.name ?? call?.tool ?? part.callId,
    response: responseOf(part, key),
    ...(isInside ? { parts: media } : {}),
  };
  return [{ functionResponse: made, ...around }, ...(isInside ? [] : media)];
}

function responseOf(part: ResultPart, key: unknown): Fields {
  const texts = part.content.filter((piece) => piece.type === 'text');
  const [only] = texts;
  if (texts.length === 1 && only !== undefined && nativeOf(only, GEMINI).json === true)
    return makeWellFormed(asFields(parseJson(only.text)));
  const words = texts.map((piece) => piece.text).join('\n');
  return part.isError === true ? { error: words } : { [key === 'result' ? key : 'output']: words };
}

function encodeMedia(part: MediaPart): Fields {
  const { untyped, ...rest } = nativeOf(part, GEMINI);
  const name = part.name === undefined || isForeign(part, GEMINI) ? {} : { displayName: part.name };
  if (part.data !== undefined) return { inlineData: { mimeType: part.mediaType, data: part.data, ...name }, ...rest };
  const isOwn = part.native !== undefined && !isForeign(part, GEMINI);
  if (part.url === undefined || !(isOwn || part.url.startsWith('gs://'))) return { text: mediaMarker(part) };
  return {
    fileData: { ...(untyped === true ? {} : { mimeType: part.mediaType }), fileUri: part.url, ...name },
    ...rest,
  };
}
