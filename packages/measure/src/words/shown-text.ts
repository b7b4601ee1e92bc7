import { type Json, type Message, type Part, partText } from '@palimpsest/core';

/** The words in a call's input, without the JSON around them. */
function joinValues(input: Json): string {
  if (typeof input === 'string') return input;
  if (typeof input === 'number') return String(input);
  if (typeof input !== 'object' || input === null) return '';
  return Object.values(input as { readonly [key: string]: Json })
    .map(joinValues)
    .join('\n');
}

/** What a part shows to a model, as text. */
export const showPart = (part: Part): string => (part.type === 'call' ? joinValues(part.input) : partText(part));

export const showMessage = (message: Message): string => message.parts.map(showPart).join('\n');
