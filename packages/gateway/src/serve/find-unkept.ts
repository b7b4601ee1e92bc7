/** Paths whose requests are never kept, and why. */
const UNKEPT_PATHS: readonly (readonly [RegExp, string])[] = [
  [/\/threads(?:\/|$)/, 'threads: the provider holds the messages, which cannot be shortened here'],
  [/\/batches$|:batchGenerateContent$/, 'batches are not shortened here'],
  [/\/api\/(?:chat|generate)$/, 'the API of Ollama is not shortened here; its /v1 is'],
  [/\/model\/[^/]+\/(?:invoke|converse)/, 'the API of Bedrock is not shortened here'],
  [/:(?:streamR|r)awPredict$/, 'the API of Vertex is not shortened here'],
  [/(?<!\/chat)\/completions$/, 'completions without messages are not shortened here'],
];

/** Why a request to a path that is never kept is sent as it came, though it could be too long. */
export const findUnkeptPath = (method: string, pathname: string): string | undefined =>
  method === 'POST' ? UNKEPT_PATHS.find(([path]) => path.test(pathname))?.[1] : undefined;
