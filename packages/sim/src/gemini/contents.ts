import { asFields, asList, type Fields, given } from '../json.ts';

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

export const camel = (key: string): string => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The server takes both spellings of its own fields; what calls and responses hold is the user's. */
export const camelled = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [camel(key), value]));

export interface Content {
  readonly path: string;
  /** Roles other than the model's are the user's. */
  readonly isModel: boolean;
  readonly parts: readonly Fields[];
}

export const contentsIn = (body: Fields): readonly Content[] =>
  asList(body.contents).map((content, c) => {
    const { role, parts } = asFields(content);
    return {
      path: `contents.${c}`,
      isModel: role === 'model',
      parts: asList(parts).map((part) => camelled(asFields(part))),
    };
  });

const heldBy = (content: Content | undefined, key: string): readonly Fields[] =>
  (content?.parts ?? []).filter((part) => given(part[key])).map((part) => asFields(part[key]));

export const callsIn = (content: Content | undefined): readonly Fields[] =>
  content?.isModel === true ? heldBy(content, 'functionCall') : [];

export const responsesIn = (content: Content | undefined): readonly Fields[] =>
  content?.isModel === false ? heldBy(content, 'functionResponse') : [];

export function instructionParts(body: Fields): readonly Fields[] {
  const instruction = body.systemInstruction;
  if (typeof instruction === 'string') return [{ text: instruction }];
  const { parts } = asFields(instruction);
  return (Array.isArray(parts) ? parts : given(parts) ? [parts] : []).map(asFields);
}
