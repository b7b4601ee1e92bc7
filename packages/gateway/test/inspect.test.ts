import { request } from 'node:http';
import { type Gateway, type GatewayOptions, type RequestLine, startGateway } from '@palimpsest/gateway';
import { startSim } from '@palimpsest/sim';
import { afterEach, describe, expect, it } from 'vitest';

const WINDOW = 8_000;
const ROUNDS = 40;
/** Enough for a body that is looked into. */
const FEW = 9;
const SECRET = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
const TASK = `<script>alert(1)</script> Never touch LOCKED.md. My key is ${SECRET}.`;

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function start(options: GatewayOptions = {}): Promise<{ gateway: Gateway; lines: RequestLine[] }> {
  const sim = await startSim({ window: WINDOW });
  ends.push(sim.close);
  const lines: RequestLine[] = [];
  const own = { upstreams: { '*': sim.url }, window: WINDOW, onRequest: (line: RequestLine) => lines.push(line) };
  const gateway = await startGateway({ ...own, ...options });
  ends.push(() => gateway.close({ graceMs: 0 }));
  return { gateway, lines };
}

const makeBody = (rounds: number, task = TASK) => ({
  model: 'claude-sonnet-5',
  max_tokens: 512,
  tools: [{ name: 'read', input_schema: { type: 'object' } }],
  messages: [
    { role: 'user', content: task },
    ...Array.from({ length: rounds }, (_, n) => [
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: `toolu_${n}`, name: 'read', input: { path: `src/f${n}.ts` } }],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: `toolu_${n}`, content: `// f${n}\n${'const x = 1;\n'.repeat(80)}` },
        ],
      },
    ]).flat(),
  ],
});

async function converse(
  url: string,
  rounds: number,
  headers: Record<string, string>,
  task?: string,
): Promise<Response> {
  const answer = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', ...headers },
    body: JSON.stringify(makeBody(rounds, task)),
  });
  await answer.text();
  expect(answer.status).toBe(200);
  return answer;
}

interface Told {
  readonly courses: readonly {
    readonly calls: { readonly at: readonly number[] };
    readonly cliffs: readonly { readonly declared: boolean; readonly undoneAt?: number }[];
    readonly budget: { readonly window: number };
  }[];
  readonly messages: { readonly ids: readonly string[] };
  readonly undoable?: number;
}

/** What the page of the only conversation in a list asks for. */
async function openOnly(listUrl: string) {
  const list = await (await fetch(listUrl)).text();
  const found = [...list.matchAll(/href="(\/inspect\/[^"]+)"/g)].map(
    ([, path]) => path?.replaceAll('&amp;', '&') ?? '',
  );
  expect(found).toHaveLength(1);
  const page = new URL(found[0] ?? '', listUrl);
  const headers = { 'x-palimpsest-key': page.searchParams.get('key') ?? '' };
  const ask = (path: string, method = 'GET') => fetch(new URL(path, page), { method, headers });
  return { page, ask, tell: async () => (await (await ask('inspection')).json()) as Told };
}

describe('/inspect', () => {
  it('lists conversations at hand and shows one as it runs: its window, its messages, its compactions', async () => {
    const { gateway, lines } = await start();
    expect(await (await fetch(gateway.inspectUrl)).text()).toContain('No conversation is at hand yet');
    for (let rounds = 1; rounds <= ROUNDS; rounds++) await converse(gateway.url, rounds, { 'x-api-key': 'k1' });
    const { page, tell } = await openOnly(gateway.inspectUrl);
    expect(await (await fetch(page)).text()).toContain('<div id="app">');
    const before = await tell();
    const [course] = before.courses;
    expect(before.messages.ids).toHaveLength(1 + 2 * ROUNDS);
    expect(course?.budget.window).toBe(WINDOW);
    const kept = lines.filter(({ session }) => session !== undefined);
    expect(kept.length).toBeGreaterThan(ROUNDS / 2);
    expect(course?.calls.at).toHaveLength(kept.length);
    expect(course?.cliffs.filter(({ declared }) => declared).length).toBeGreaterThan(0);
    await converse(gateway.url, ROUNDS + 1, { 'x-api-key': 'k1' });
    expect((await tell()).messages.ids).toHaveLength(3 + 2 * ROUNDS);
  });

  it('takes back a compaction for good: the next request of the client goes on from the view that stood before', async () => {
    const { gateway, lines } = await start({ window: 16_000 });
    let rounds = 0;
    while (!lines.some(({ compacted }) => compacted)) await converse(gateway.url, ++rounds, { 'x-api-key': 'k1' });
    const compacted = lines.find(({ compacted }) => compacted);
    const { ask, tell } = await openOnly(gateway.inspectUrl);
    const standing = (told: Told) =>
      told.courses[0]?.cliffs.filter(({ undoneAt }) => undoneAt === undefined).length ?? 0;
    const before = standing(await tell());
    const undo = async () => (await ask(`undo?walk=${walk}`, 'POST')).status;
    const { undoable: walk } = await tell();
    expect((await ask('undo')).status).toBe(404);
    // Two pages, or a double click: the second means what is gone already.
    expect((await Promise.all([undo(), undo()])).sort()).toEqual([200, 409]);
    expect(standing(await tell())).toBe(before - 1);
    await converse(gateway.url, rounds, { 'x-api-key': 'k1', 'x-palimpsest-window': '64000' });
    expect(lines.at(-1)?.tokens?.after).toBeGreaterThan(compacted?.tokens?.after ?? Number.POSITIVE_INFINITY);
  });

  it('answers nobody without its key, under no other name, and its log has no key', async () => {
    const { gateway, lines } = await start();
    await converse(gateway.url, FEW, { 'x-api-key': 'k1' });
    const { page } = await openOnly(gateway.inspectUrl);
    for (const path of ['/inspect', '/inspect?key=wrong', page.pathname, `${page.pathname}inspection`])
      expect((await fetch(new URL(path, gateway.url), { headers: { 'x-api-key': 'k1' } })).status).toBe(403);
    const asOther = await new Promise<number | undefined>((resolve, reject) => {
      const url = new URL(gateway.inspectUrl);
      const { hostname, port, pathname, search } = url;
      const sent = request({ hostname, port, path: pathname + search, headers: { host: 'evil.example' } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      sent.on('error', reject).end();
    });
    expect(asOther).toBe(421);
    const key = new URL(gateway.inspectUrl).searchParams.get('key') ?? '';
    expect(key.length).toBeGreaterThan(20);
    expect(JSON.stringify(lines)).not.toContain(key);
    expect((await fetch(`${gateway.url}/inspect/%/inspection?key=${key}`)).status).toBe(404);
    expect((await fetch(`${gateway.url}/inspect/nothing/inspection?key=${key}`)).status).toBe(404);
  });

  it('of a gateway with keys shows each key its own conversations and no other’s', async () => {
    const keys = { ann: 'a-key-for-ann-0123456789', ben: 'a-key-for-ben-0123456789' };
    const { gateway } = await start({ keys });
    await converse(gateway.url, FEW, { 'x-api-key': 'k1', 'x-palimpsest-key': keys.ann }, 'What Ann said.');
    await converse(gateway.url, FEW, { 'x-api-key': 'k1', 'x-palimpsest-key': keys.ben }, 'What Ben said.');
    expect(gateway.inspectUrl).not.toContain('key=');
    expect((await fetch(gateway.inspectUrl)).status).toBe(403);
    const list = async (key: string) => (await fetch(`${gateway.inspectUrl}?key=${key}`)).text();
    expect(await list(keys.ann)).toContain('What Ann said.');
    expect(await list(keys.ann)).not.toContain('What Ben said.');
    const ann = await openOnly(`${gateway.inspectUrl}?key=${keys.ann}`);
    const asBen = await fetch(new URL('inspection', ann.page), { headers: { 'x-palimpsest-key': keys.ben } });
    expect(asBen.status).toBe(404);
    expect((await ann.ask('inspection')).status).toBe(200);
  });

  it('shows what was said as text, and no secret that is known', async () => {
    const { gateway } = await start();
    await converse(gateway.url, FEW, { 'x-api-key': 'k1' });
    const answer = await fetch(gateway.inspectUrl);
    const list = await answer.text();
    expect(list).toContain('&lt;script&gt;');
    expect(list).not.toContain('<script');
    expect(list).not.toContain(SECRET);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    const { ask } = await openOnly(gateway.inspectUrl);
    expect(await (await ask('text?course=session&name=%231')).text()).not.toContain(SECRET);
    expect(await (await ask('export')).text()).not.toContain(SECRET);
  });
});
