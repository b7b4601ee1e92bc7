import { isFields } from '../json.ts';
import type { ContentPart, Json, Message, Part } from './message.ts';
import { isSecretName, redact } from './redact.ts';

/** A message without its secrets, for what leaves the conversation. */
export const redactMessage = (message: Message): Message => ({ ...message, parts: message.parts.map(redactPart) });

function redactPart<One extends Part | ContentPart>(part: One): One {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { ...part, text: redact(part.text) };
    case 'call':
      return { ...part, input: redactJson(part.input) };
    case 'result':
      return { ...part, content: part.content.map(redactPart) };
    case 'native':
      return { ...part, block: redactJson(part.block) };
    default:
      return part;
  }
}

function redactJson(value: Json, name = ''): Json {
  if (typeof value === 'string') return isSecretName(name) ? '[redacted]' : redact(value);
  if (Array.isArray(value)) return value.map((one) => redactJson(one));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, redactJson(one as Json, key)]));
}
