import { readdirSync, readFileSync } from 'node:fs';
import { type RequestLine, startGateway } from '@palimpsest/gateway';
import { DEFAULT_MODELS, startSim } from '@palimpsest/sim';
import { memoryStore } from '@palimpsest/store';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answerJson, sendRaw, sha256, startUpstream } from './raw-upstream.ts';

/** What a real client sent, in a run of ours against the simulator; long texts of its own were taken out, keys and paths replaced. */
interface Recorded {
  readonly client: string;
  readonly version: string;
  readonly requests: readonly { readonly target: string; readonly headers: readonly string[]; readonly body: object }[];
}

const FOLDER = new URL('./clients/', import.meta.url);
const CLIENTS = readdirSync(FOLDER).map((file) => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Recorded);
const WITHOUT_LENGTH = new Set(['content-length', 'host', 'connection', 'accept-encoding']);
const pairsOf = (raw: readonly string[]): readonly string[] =>
  raw.flatMap((name, i) => (i % 2 === 0 && !WITHOUT_LENGTH.has(name.toLowerCase()) ? [`${name}: ${raw[i + 1]}`] : []));

describe.each(CLIENTS)('$client $version, as it was recorded', ({ requests }) => {
  it('goes on byte for byte while nothing has to go, with its headers in their order', async () => {
    const upstream = await startUpstream((_, response) => answerJson(response, { usage: { output_tokens: 1 } }));
    onTestFinished(upstream.close);
    const gateway = await startGateway({ upstreams: { '*': upstream.url }, window: 200_000, store: memoryStore() });
    onTestFinished(() => gateway.close({ graceMs: 0 }));
    for (const { target, headers, body } of requests) {
      const bytes = JSON.stringify(body);
      await sendRaw(`${gateway.url}${target}`, {
        headers: ['host', 'localhost', ...headers, 'content-length', String(Buffer.byteLength(bytes))],
        body: bytes,
      });
      const arrived = upstream.arrived.at(-1)!;
      expect(arrived.target).toBe(target);
      expect(sha256(arrived.bytes)).toBe(sha256(bytes));
      expect(pairsOf(arrived.rawHeaders)).toEqual(pairsOf(headers));
    }
  });

  it('is one conversation that a strict provider takes in a window too small for it, rule and code in every view', async () => {
    const window = 2_400;
    const sim = await startSim({ window, models: DEFAULT_MODELS.map((model) => ({ ...model, maxOutput: 1_000_000 })) });
    onTestFinished(sim.close);
    const lines: RequestLine[] = [];
    const gateway = await startGateway({
      upstreams: { '*': sim.url },
      window,
      patienceMs: 30_000,
      onRequest: (line) => lines.push(line),
    });
    onTestFinished(() => gateway.close({ graceMs: 0 }));
    const work = requests.filter(({ body }) => 'tools' in body);
    for (const { target, headers, body } of [...work, ...work.slice(-1)]) {
      const bytes = JSON.stringify(growResults(body));
      const { status, text } = await sendRaw(`${gateway.url}${target}`, {
        headers: ['host', 'localhost', ...headers, 'content-length', String(Buffer.byteLength(bytes))],
        body: bytes,
      });
      expect([status, status === 200 ? '' : text]).toEqual([200, '']);
    }
    expect(sim.requests.flatMap(({ problem }) => problem ?? [])).toEqual([]);
    for (const { body } of sim.requests) expect(JSON.stringify(body)).toMatch(/never modify lib.*QX-4471-ZED/);
    await expect.poll(() => lines.length).toBe(work.length + 1);
    expect(lines.some(({ compacted }) => compacted)).toBe(true);
    expect(lines.at(-1)!.session).toBe(lines.at(-2)!.session);
  });
});

/** Results as long as files are, in the place of what was trimmed. */
const growResults = (body: object): unknown =>
  JSON.parse(
    JSON.stringify(body).replaceAll('let total = 0;', `let total = 0; ${'total += weigh(rows[0]); '.repeat(120)}`),
  );
