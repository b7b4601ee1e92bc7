import {
  ApiError,
  type Content,
  type GenerateContentConfig,
  type GenerateContentResponse,
  GoogleGenAI,
} from '@google/genai';
import { describe, expect, it } from 'vitest';
import { program } from '../src/index.ts';
import { post, prose, sim } from './talk.ts';

const MODEL = 'gemini-3-pro-preview';
const client = (url: string, apiKey = 'key') => new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } });
/** The SDK's own `text` warns of the call beside it. */
const words = (response: GenerateContentResponse): string =>
  (response.candidates?.[0]?.content?.parts ?? [])
    .filter(({ thought }) => thought !== true)
    .map(({ text = '' }) => text)
    .join('');
const config: GenerateContentConfig = {
  systemInstruction: 'be brief',
  thinkingConfig: { includeThoughts: true },
  tools: [{ functionDeclarations: [{ name: 'read', parametersJsonSchema: { type: 'object' } }] }],
};
const turns = program([
  { thinking: 'I should look.', text: 'Looking 🙂.', calls: [{ name: 'read', input: { path: 'a.ts' } }] },
  { text: 'Done.' },
]);

describe('the Gemini SDK', () => {
  it('reads an answer with a signed call and takes the response back', async () => {
    const { url, requests } = await sim({ model: turns });
    const contents: Content[] = [{ role: 'user', parts: [{ text: 'go' }] }];
    const first = await client(url).models.generateContent({ model: MODEL, contents, config });
    expect(first.functionCalls).toMatchObject([{ name: 'read', args: { path: 'a.ts' } }]);
    expect(words(first)).toBe('Looking 🙂.');
    expect(first.usageMetadata!.promptTokenCount).toBe(requests[0]!.usage!.input);
    const said = first.candidates![0]!.content!;
    const back: Content = {
      role: 'user',
      parts: [{ functionResponse: { id: first.functionCalls![0]!.id!, name: 'read', response: { output: 'x' } } }],
    };
    const second = await client(url).models.generateContent({
      model: MODEL,
      contents: [...contents, said, back],
      config,
    });
    expect(second.text).toBe('Done.');
    const bare = { ...said, parts: said.parts!.map(({ thoughtSignature: _, ...part }) => part) };
    await expect(
      client(url).models.generateContent({ model: MODEL, contents: [...contents, bare, back], config }),
    ).rejects.toThrow(/Function call is missing a thought_signature/);
  });

  it('streams to the same content', async () => {
    const { url, requests } = await sim({ model: turns });
    const stream = await client(url).models.generateContentStream({ model: MODEL, contents: 'go', config });
    let text = '';
    let calls = 0;
    let last: { finish?: string | undefined; total?: number | undefined } = {};
    for await (const chunk of stream) {
      text += words(chunk);
      calls += chunk.functionCalls?.length ?? 0;
      last = { finish: chunk.candidates?.[0]?.finishReason, total: chunk.usageMetadata?.totalTokenCount };
    }
    expect(text).toBe('Looking 🙂.');
    expect(calls).toBe(1);
    expect(last).toEqual({ finish: 'STOP', total: requests[0]!.usage!.input + requests[0]!.usage!.output });
  });

  it('streams as one JSON array to those who do not ask for events', async () => {
    const { url } = await sim({ model: turns });
    const { json } = await post(url, `/v1beta/models/${MODEL}:streamGenerateContent`, {
      contents: [{ parts: [{ text: 'go' }] }],
    });
    expect(Array.isArray(json)).toBe(true);
    expect(json.at(-1).candidates[0].finishReason).toBe('STOP');
  });

  it('gets refusals as its error, with the status', async () => {
    const { url } = await sim({ window: 2_000, faults: [{ at: 4, kind: 'overloaded' }] });
    const ask = (contents: string, model = MODEL, key = 'key') =>
      client(url, key).models.generateContent({ model, contents });
    await expect(ask('go', MODEL, 'invalid')).rejects.toMatchObject({ status: 400 });
    await expect(ask('go', 'gemini-nonesuch')).rejects.toMatchObject({ status: 404 });
    await expect(ask(prose(4_000))).rejects.toThrow(
      /The input token count \(\d+\) exceeds the maximum number of tokens allowed \(2000\)/,
    );
    const failure = await ask('go').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ status: 503 });
    expect((await ask('go')).text).toBe('ok');
  });
});
