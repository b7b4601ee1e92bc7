import { Agent } from 'undici';

/**
 * A conversation that grows with every request, as agents' do. What was said before is written once: to write all of it anew for each request
 * would take the client longer than the gateway takes.
 */
export function newTalk(name: string, bytes: number): () => Buffer {
  const tools = [{ name: 'read', description: 'reads a file', input_schema: { type: 'object' } }];
  const head = { model: 'm', max_tokens: 4_000, stream: true, system: 'Work.', tools, messages: [] };
  const first = { role: 'user', content: `${name}: read all files. Never touch db/. The code is QX-1.` };
  const written = [Buffer.from(`${JSON.stringify(head).slice(0, -2)}${JSON.stringify(first)}`)];
  let n = 0;
  /** Returns how many bytes the result takes. */
  const add = (): number => {
    const id = `toolu_${name}_${n}`;
    const lines = Array.from({ length: 40 }, (_, i) => `export const VALUE_${n}_${i} = ${n * 7919 + i};`);
    const input = { path: `src/f${n++}.ts` };
    const call = { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input }] };
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: lines.join('\n') }] };
    const told = JSON.stringify(result);
    written.push(Buffer.from(`,${JSON.stringify(call)},${told}`));
    return told.length;
  };
  while (add() * (2 * n + 1) < bytes * 2);
  return () => {
    add();
    return Buffer.concat([...written, END]);
  };
}

const END = Buffer.from(']}');

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
  const runLane = async (makeBody: () => Buffer): Promise<void> => {
    while (left-- > 0) {
      const body = makeBody();
      const begun = performance.now();
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
  const seconds = (performance.now() - start) / 1_000;
  await agent.close();
  return { firstByteMs, seconds };
}
