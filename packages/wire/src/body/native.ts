import type { Json, Message, NativePart, Part } from '@palimpsest/core';
import { asFields, type Fields, isFields } from '@palimpsest/core/json';

/**
 * What the vocabulary does not model rides in `native`, under the wire's name, so that no wire sends another's fields.
 * The mark is set, if need be empty, on everything signed: a signature is worth something to its own provider only.
 */
export const native = (wire: string, fields: Fields): { readonly native?: Json } =>
  Object.keys(fields).length === 0 ? {} : mark(wire, fields);

/** The same where the part is to be known as this wire's even without fields of its own. */
export const mark = (wire: string, fields: Fields = {}): { readonly native: Json } => ({
  native: { [wire]: fields as Json },
});

/** The fields that this wire left on a part. */
export const nativeOf = (part: Part, wire: string): Fields => asFields(asFields(part.native)[wire]);

/** True where another wire made the part. */
export const isForeign = (part: Part, wire: string): boolean => isFields(part.native) && !(wire in part.native);

/** A block that the vocabulary does not know, as a part that rides along. */
export const nativePart = (wire: string, block: unknown): NativePart => ({
  type: 'native',
  wire,
  block: block as Json,
});

const MESSAGE_FIELDS = 'message-fields';

/** A message's own fields (a name, a system role) as a part before the others; none where there is nothing to keep. */
export function messageFields(wire: string, fields: Fields): readonly NativePart[] {
  const kept = Object.entries(fields).filter(([, value]) => !isEmpty(value));
  return kept.length === 0 ? [] : [nativePart(wire, { type: MESSAGE_FIELDS, ...Object.fromEntries(kept) })];
}

/** What `messageFields` kept of a message. */
export function messageFieldsOf(message: Pick<Message, 'parts'>, wire: string): Fields {
  const part = message.parts.find((one) => isMessageFields(one) && one.type === 'native' && one.wire === wire);
  if (part?.type !== 'native') return {};
  const { type: _, ...fields } = asFields(part.block);
  return fields;
}

/** Whether a part is only there to keep a message's own fields. */
export const isMessageFields = (part: Part): boolean =>
  part.type === 'native' && asFields(part.block).type === MESSAGE_FIELDS;

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);
