import { Agent } from 'undici';

/** A conversation that grows with every request, as agents' do. */
export function newTalk(name: string, bytes: number): () => Buffer {
  const messages: object[] = [{ role: 'user', content: `${name}: read all files. Never touch db/. The code is QX-1.` }];
  let n = 0;
  const add = (): void => {
    const id = `toolu_${name}_${n}`;
    const lines = Array.from({ length: 40 }, (_, i) => `export const VALUE_${n}_${i} = ${n * 7919 + i};`);
    messages.push(
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: { path: `src/f${n++}.ts` } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: lines.join('\n') }] },
    );
  };
  while (JSON.stringify(messages.at(-1)).length * messages.length < bytes * 2) add();
  const tools = [{ name: 'read', description: 'reads a file', input_schema: { type: 'object' } }];
  return () => {
    add();
    const body = { model: 'm', max_tokens: 4_000, stream: true, system: 'Work.', tools, messages };
    return Buffer.from(JSON.stringify(body));
  };
}

export interface Load {
  /** Until the first byte of the answer, one for each request. */
  readonly firstByteMs: readonly number[];
  readonly seconds: number;
}

/** So many requests, so many at a time, each lane one conversation. */
export async function sendLoad(url: string, talks: readonly (() => Buffer)[], count: number): Promise<Load> {
  const agent = new Agent({ connections: talks.length });
  const firstByteMs: number[] = [];
  let left = count;
  const start = performance.now();
  let makingMs = 0;
  const runLane = async (makeBody: () => Buffer): Promise<void> => {
    while (left-- > 0) {
      const made = performance.now();
      const body = makeBody();
      const begun = performance.now();
      makingMs += begun - made;
      const headers = { 'content-type': 'application/json', 'x-api-key': 'k' };
      const answer = await agent.request({ origin: url, path: '/v1/messages', method: 'POST', headers, body });
      let isFirst = true;
      for await (const _ of answer.body) {
        if (isFirst) firstByteMs.push(performance.now() - begun);
        isFirst = false;
      }
      if (answer.statusCode !== 200) throw new Error(`the gateway answered ${answer.statusCode}`);
    }
  };
  await Promise.all(talks.map(runLane));
  const seconds = (performance.now() - start - makingMs) / 1_000;
  await agent.close();
  return { firstByteMs, seconds };
}
