import { type Content, GoogleGenAI, type Part } from '@google/genai';
import type { Work } from '@palimpsest/testing/sdk-agents';

/** The loop of the other agents, by Google's own SDK. */
export async function runGeminiAgent({ url, key, workshop, task, stream }: Work): Promise<string> {
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } });
  const functionDeclarations = workshop.tools.map(({ name, description, schema }) => ({
    name,
    description,
    parametersJsonSchema: schema,
  }));
  const contents: Content[] = [{ role: 'user', parts: [{ text: task }] }];
  for (;;) {
    const request = {
      model: 'gemini-2.5-pro',
      contents,
      config: { maxOutputTokens: 1_024, tools: [{ functionDeclarations }] },
    };
    const parts: Part[] = [];
    if (stream)
      for await (const { candidates } of await client.models.generateContentStream(request))
        parts.push(...(candidates?.[0]?.content?.parts ?? []));
    else parts.push(...((await client.models.generateContent(request)).candidates?.[0]?.content?.parts ?? []));
    contents.push({ role: 'model', parts });
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
    if (calls.length === 0) return parts.map(({ text }) => text ?? '').join('');
    contents.push({
      role: 'user',
      parts: calls.map(({ name = '', args = {}, id }) => ({
        functionResponse: { name, response: { output: workshop.run(name, args) }, ...(id === undefined ? {} : { id }) },
      })),
    });
  }
}
