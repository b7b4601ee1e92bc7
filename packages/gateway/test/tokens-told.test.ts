import { asFields } from '@palimpsest/core/json';
import { type RequestLine, startGateway } from '@palimpsest/gateway';
import { startSim } from '@palimpsest/sim';
import { describe, expect, it, onTestFinished } from 'vitest';

const WINDOW = 60_000;
const ROUNDS = 40;
const write = (count: number, name: string): string =>
  Array.from({ length: count }, (_, i) => `${name}${(i * 7_919) % 997}`).join(' ');

/** As coding agents have them: a system prompt and tools that take half of what the view may hold. */
const FIXED = {
  model: 'claude-sonnet-5',
  max_tokens: 512,
  system: write(2_000, 'rule'),
  tools: Array.from({ length: 30 }, (_, n) => ({
    name: `tool_${n}`,
    description: write(300, 'about'),
    input_schema: { type: 'object', properties: { path: { type: 'string' } } },
  })),
};

const makeRound = (n: number): readonly object[] => [
  {
    role: 'assistant',
    content: [{ type: 'tool_use', id: `toolu_${n}`, name: 'tool_0', input: { path: `src/f${n}.ts` } }],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${n}`, content: write(500, `file${n}x`) }] },
];

interface Cliff {
  readonly call: number;
  readonly before: readonly number[];
  readonly after: readonly number[];
}

const addUp = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

async function readCourse(inspectUrl: string) {
  const list = await (await fetch(inspectUrl)).text();
  const path = /href="(\/inspect\/[^"]+)"/.exec(list)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const page = new URL(path, inspectUrl);
  const headers = { 'x-palimpsest-key': page.searchParams.get('key') ?? '' };
  const inspection = await (await fetch(new URL('inspection', page), { headers })).json();
  const [course] = asFields(inspection).courses as readonly {
    readonly cliffs: readonly Cliff[];
    readonly calls: { readonly hidden: readonly number[]; readonly kinds: readonly (readonly number[])[] };
  }[];
  return course;
}

describe('tokens of a conversation with a large system prompt and tools', () => {
  it('are in log, headers and metrics what was said and what went on, and those of a compaction are the inspector’s', async () => {
    const sim = await startSim({ window: WINDOW });
    onTestFinished(sim.close);
    const lines: RequestLine[] = [];
    const onRequest = (line: RequestLine): void => void (line.tokens === undefined || lines.push(line));
    const gateway = await startGateway({ upstreams: { '*': sim.url }, window: WINDOW, onRequest });
    onTestFinished(() => gateway.close({ graceMs: 0 }));
    const messages: object[] = [{ role: 'user', content: 'Read all files.' }];
    const shown: string[] = [];
    for (let n = 0; n < ROUNDS; n++) {
      messages.push(...makeRound(n));
      const answer = await fetch(`${gateway.url}/v1/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': 'k', 'anthropic-version': '2023-06-01' },
        body: JSON.stringify({ ...FIXED, messages }),
      });
      await answer.arrayBuffer();
      shown.push(answer.headers.get('x-palimpsest-tokens') ?? '');
      await expect.poll(() => lines.length).toBe(n + 1);
    }
    expect(shown).toEqual(lines.map(({ tokens }) => `${tokens?.before}/${tokens?.after}`));

    const course = await readCourse(gateway.inspectUrl);
    const compactions = lines.flatMap(({ compaction }, call) =>
      compaction === undefined ? [] : { call, ...compaction },
    );
    expect(compactions.length).toBeGreaterThan(1);
    expect(compactions).toEqual(
      course?.cliffs.map(({ call, before, after }) => ({ call, before: addUp(before), after: addUp(after) })),
    );
    const [first] = compactions;
    expect(lines[first?.call ?? 0]?.tokens).toEqual({ before: first?.before, after: first?.after });

    const last = lines.at(-1)?.tokens;
    const drawn = addUp(course?.calls.kinds.map((tokens) => tokens.at(-1) ?? 0) ?? []);
    expect(last?.after).toBeGreaterThan(drawn * 0.98);
    expect(last?.after).toBeLessThan(drawn * 1.02);
    // What is hidden is drawn whole; a digest stands for it in the view.
    const hidden = course?.calls.hidden.at(-1) ?? 0;
    const freed = (last?.before ?? 0) - (last?.after ?? 0);
    expect(freed).toBeLessThan(hidden);
    expect(freed).toBeGreaterThan(hidden * 0.8);

    const saved = addUp(lines.map(({ tokens }) => (tokens?.before ?? 0) - (tokens?.after ?? 0)));
    expect(saved).toBeGreaterThan(0);
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(metrics).toContain(`palimpsest_tokens_saved_total ${saved}\n`);
  });
});
