import { type Json, type Part, partText } from '../message/message.ts';

/** What a part says, line by line as a reader would have it: a call by its fields, without the JSON around them. */
export function showPart(part: Part): string {
  if (part.type !== 'call') return partText(part);
  const { input } = part;
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return listValues(input).join('\n');
  const fields = Object.entries(input as { readonly [key: string]: Json });
  const [only] = fields;
  if (only !== undefined && fields.length === 1) return listValues(only[1]).join('\n');
  return fields.flatMap(([key, value]) => nameValue(key, listValues(value).join('\n'))).join('\n');
}

const nameValue = (key: string, value: string): readonly string[] =>
  value === '' ? [] : [value.includes('\n') ? `${key}:\n${value}` : `${key}: ${value}`];

function listValues(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(listValues);
  return value === null ? [] : [String(value)];
}
