import { type Fields, isFields } from '@palimpsest/core/json';

export const GEMINI = 'gemini';

/** The body of `models/…:generateContent`, as far as this wire looks at it. */
export interface GeminiBody {
  readonly contents: readonly { readonly role?: string; readonly parts?: unknown }[];
  readonly systemInstruction?: unknown;
  readonly system_instruction?: unknown;
  readonly tools?: unknown;
  readonly cachedContent?: unknown;
  readonly cached_content?: unknown;
}

/** A call that waits for its response. */
export interface Waiting {
  readonly callId: string;
  readonly tool: string;
}

/** Both spellings are taken by the server; this one is the SDK's. What a call or a response holds is left alone. */
export function toCamelCase(part: Fields): Fields {
  const keys = Object.keys(part);
  if (!keys.some((key) => key.includes('_')) && !DATA.some((key) => isFields(part[key]))) return part;
  const rename = (fields: Fields): Fields =>
    Object.fromEntries(
      Object.entries(fields).map(([key, value]) => [
        key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
        value,
      ]),
    );
  const outer = rename(part);
  const inner = DATA.flatMap((key) => (isFields(outer[key]) ? [[key, rename(outer[key])]] : []));
  return { ...outer, ...Object.fromEntries(inner) };
}

const DATA = ['inlineData', 'fileData'];

/** A part holds exactly one of these. */
export const KINDS = [
  'text',
  'functionCall',
  'functionResponse',
  'inlineData',
  'fileData',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
];
