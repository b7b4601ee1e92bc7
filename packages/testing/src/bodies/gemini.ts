import {
  type Content,
  FunctionResponseScheduling,
  Language,
  Outcome,
  type Part,
  PartMediaResolutionLevel,
  ToolType,
} from '@google/genai';

type Kind = Exclude<keyof Part, 'thought' | 'thoughtSignature' | 'mediaResolution' | 'videoMetadata' | 'partMetadata'>;

/** A part for every field of the SDK's type that holds data. */
export const parts: { readonly [K in Kind]: Part & Required<Pick<Part, K>> } = {
  text: { text: 'so', thoughtSignature: 'c2ln', partMetadata: { a: 1 } },
  functionCall: { functionCall: { id: 'f1', name: 'read', args: { path: 'a.ts' } }, thoughtSignature: 'c2ln' },
  functionResponse: {
    functionResponse: {
      id: 'f1',
      name: 'read',
      response: { output: 'the file' },
      scheduling: FunctionResponseScheduling.SILENT,
      parts: [
        { inlineData: { mimeType: 'image/png', data: 'iVBORw0K', displayName: 'a.png' } },
        { fileData: { fileUri: 'gs://b/c', mimeType: 'image/png' } },
      ],
    },
  },
  inlineData: {
    inlineData: { mimeType: 'image/png', data: 'iVBORw0K' },
    mediaResolution: { level: PartMediaResolutionLevel.MEDIA_RESOLUTION_LOW },
  },
  fileData: { fileData: { fileUri: 'https://example.org/v.mp4', mimeType: 'video/mp4' }, videoMetadata: { fps: 1 } },
  executableCode: { executableCode: { code: 'print(1)', language: Language.PYTHON } },
  codeExecutionResult: { codeExecutionResult: { outcome: Outcome.OUTCOME_OK, output: '1' } },
  toolCall: { toolCall: { id: 't1', toolType: ToolType.GOOGLE_SEARCH_WEB, args: { q: 'x' } } },
  toolResponse: { toolResponse: { id: 't1', toolType: ToolType.GOOGLE_SEARCH_WEB, response: { r: 1 } } },
};

export const everyKind: { contents: Content[]; [key: string]: unknown } = {
  systemInstruction: { parts: [{ text: 'be brief' }] },
  tools: [{ functionDeclarations: [{ name: 'read' }] }],
  generationConfig: { temperature: 0 },
  contents: [
    { parts: [{ text: 'look' }, parts.inlineData, parts.fileData] },
    {
      role: 'model',
      parts: [
        { text: 'thinking', thought: true, thoughtSignature: 'c2ln' },
        parts.text,
        parts.executableCode,
        parts.codeExecutionResult,
        parts.toolCall,
        parts.toolResponse,
        parts.functionCall,
        { functionCall: { name: 'read', args: { path: 'b.ts' } } },
        { functionCall: { name: 'list' } },
        { functionCall: { name: 'read', args: { path: 'c.ts' } } },
      ],
    },
    {
      role: 'user',
      parts: [
        parts.functionResponse,
        { functionResponse: { name: 'list', response: { files: ['a'], n: 1 } } },
        { functionResponse: { name: 'read', response: { error: 'no such file' } } },
        { functionResponse: { name: 'read', response: { result: 'c' } } },
      ],
    },
    { role: 'model', parts: [{ text: '', thoughtSignature: 'c2ln' }, { text: 'done' }] },
    { role: 'user', parts: [{ text: 'thanks' }] },
  ],
};

/** The other spelling, as people write it by hand. */
export const snakeCase = {
  system_instruction: { parts: [{ text: 'be brief' }] },
  contents: [
    { role: 'user', parts: [{ text: 'look' }, { inline_data: { mime_type: 'image/png', data: 'iVBORw0K' } }] },
    { role: 'model', parts: [{ function_call: { name: 'f', args: { snake_key: 1 } }, thought_signature: 'c2ln' }] },
    { role: 'function', parts: [{ function_response: { name: 'f', response: { output: 'x' } } }] },
  ],
};
