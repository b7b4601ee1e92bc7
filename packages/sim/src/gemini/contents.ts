import { asFields, asList, type Fields } from '@palimpsest/core/json';
import { isPresent } from '../is-present.ts';

/** A part holds exactly one of these. */
export const DATA = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
];

export const BESIDES = ['thought', 'thoughtSignature', 'videoMetadata', 'mediaResolution', 'partMetadata'];

export const spellCamel = (key: string): string =>
  key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The server takes both spellings of its own fields; what calls and responses hold is the user's. */
export const camelizeKeys = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [spellCamel(key), value]));

export interface Content {
  readonly path: string;
  /** Roles other than the model's are the user's. */
  readonly isModel: boolean;
  readonly parts: readonly Fields[];
}

export const listContents = (body: Fields): readonly Content[] =>
  asList(body.contents).map((content, c) => {
    const { role, parts } = asFields(content);
    return {
      path: `contents.${c}`,
      isModel: role === 'model',
      parts: asList(parts).map((part) => camelizeKeys(asFields(part))),
    };
  });

const pickHeld = (content: Content | undefined, key: string): readonly Fields[] =>
  (content?.parts ?? []).filter((part) => isPresent(part[key])).map((part) => asFields(part[key]));

export const listCalls = (content: Content | undefined): readonly Fields[] =>
  content?.isModel === true ? pickHeld(content, 'functionCall') : [];

export const listResponses = (content: Content | undefined): readonly Fields[] =>
  content?.isModel === false ? pickHeld(content, 'functionResponse') : [];

export function listInstructions(body: Fields): readonly Fields[] {
  const instruction = body.systemInstruction;
  if (typeof instruction === 'string') return [{ text: instruction }];
  const { parts } = asFields(instruction);
  return (Array.isArray(parts) ? parts : isPresent(parts) ? [parts] : []).map(asFields);
}
