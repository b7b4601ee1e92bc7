import { assistant, createSession, user } from '@palimpsest/core';
import { startSim } from '@palimpsest/sim';
import { providerSummarizer } from '@palimpsest/wire';
import { afterEach, expect, it } from 'vitest';

let server: { close(): Promise<void> } | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const APIS = [
  ['anthropic', 'claude-sonnet-5', ''],
  ['openai-chat', 'gpt-5.5', '/v1'],
  ['openai-responses', 'gpt-5.5', '/v1'],
  ['gemini', 'gemini-2.5-pro', ''],
] as const;

it.each(APIS)(
  'statements over %s: three summaries in a row, what stood stays, each with its place',
  async (api, model, path) => {
    const sim = await startSim({});
    server = sim;
    const summarizer = providerSummarizer({ api, endpoint: { url: sim.url + path, key: 'k' }, model, window: 16_000 });
    const session = createSession({ window: 30_000, drafts: false, ports: { summarizer } });
    let before: readonly string[] = [];
    for (let n = 1; n <= 3; n++) {
      for (let i = 0; i < 6; i++) {
        session.append(user(`Please mend part ${n}.${i} in src/part_${n}_${i}.ts today.`));
        session.append(assistant(`Part ${n}.${i} is mended. ${'It took a while. '.repeat(60)}`));
      }
      session.append(user('go on with the next part'));
      const receipt = await session.compact({ form: 'up-to' });
      expect(receipt!.summary).toMatchObject({ by: 'model', calls: 1 });
      const { items } = session.summary()!;
      const said = items.filter(({ section }) => section === 'Facts' || section === 'Code').map(({ text }) => text);
      expect(said).toEqual(expect.arrayContaining([...before]));
      expect(said.length).toBeGreaterThan(before.length);
      expect(items.some(({ places }) => places[0]?.by === 'quote')).toBe(true);
      before = said;
    }
  },
);
