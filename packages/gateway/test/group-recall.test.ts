import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Gateway, type GatewayOptions, startGateway } from '@palimpsest/gateway';
import { fileStore } from '@palimpsest/store';
import { afterEach, describe, expect, it } from 'vitest';
import { answerJson, sendRaw, startUpstream } from './raw-upstream.ts';

const TOOL = 'palimpsest_recall';
const FACT = 'the deploy key of heron is 58-4471';
const ROUNDS = 24;

const ends: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

interface Said {
  readonly role: string;
  readonly content: unknown;
}

const say = (content: string): Said => ({ role: 'user', content });

/** What the client has said before it compacts: many files, and the fact in the first: a long answer of recall shows its beginning. */
const begun = (name: string, rounds: number): readonly Said[] => [
  say(`I am ${name}. Read every file.`),
  ...Array.from({ length: rounds }, (_, n) => [
    { role: 'assistant', content: [{ type: 'tool_use', id: `t${n}`, name: 'read', input: { path: `f${n}` } }] },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: `t${n}`,
          content: `${n === 0 ? `${FACT}\n` : ''}${`line of file ${n}\n`.repeat(100)}`,
        },
      ],
    },
  ]).flat(),
];

/** And after it: its own summary, what was said since, and what is to be looked up now. */
const goOn = (...asked: readonly object[]): readonly Said[] => [
  say('This session is being continued. All files were read.'),
  ...asked.flatMap((input, n) => [
    { role: 'assistant', content: [{ type: 'text', text: `Answer ${n}.` }] },
    say(`LOOK UP ${JSON.stringify(input)}`),
  ]),
];

/** A model that looks up what it is told to, and a client that is told by what it heard. */
async function stage(more: Partial<GatewayOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-group-'));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  let told = '';
  let references: readonly string[] = [];
  const upstream = await startUpstream(({ bytes }, response) => {
    const text = bytes.toString();
    const { messages } = JSON.parse(text) as { messages: readonly Said[] };
    references = [...text.matchAll(/recall (e\d+(?: to e\d+)?)/g)].map(([, reference]) => reference ?? '');
    const last = messages.at(-1)?.content;
    const newest = typeof last === 'string' ? last : JSON.stringify(last);
    const asked = /LOOK UP (\{.*?\})(?="|\\n|$)/.exec(newest.replaceAll('\\"', '"'))?.[1];
    const answers = (last as readonly { type?: string; tool_use_id?: string; content?: unknown }[])[0];
    const isAnswered = answers?.type === 'tool_result' && answers.tool_use_id?.startsWith('own') === true;
    if (isAnswered) told = JSON.stringify(answers.content);
    const content =
      asked === undefined || isAnswered
        ? [{ type: 'text', text: `Answer ${Math.max(0, Math.floor(messages.length / 2))}.` }]
        : [{ type: 'tool_use', id: `own${messages.length}`, name: TOOL, input: JSON.parse(asked) as object }];
    answerJson(response, {
      id: 'msg',
      type: 'message',
      role: 'assistant',
      content,
      stop_reason: asked === undefined ? 'end_turn' : 'tool_use',
      usage: { input_tokens: Math.ceil(text.length / 4), output_tokens: 1 },
    });
  });
  ends.push(upstream.close);
  const start = async (): Promise<Gateway> => {
    const gateway = await startGateway({
      upstreams: { '*': upstream.url },
      window: 8_000,
      secret: 'the same',
      patienceMs: 30_000,
      recall: true,
      store: (tenant) => fileStore({ dir: join(folder, tenant), fsync: 'never' }),
      ...more,
    });
    ends.push(() => gateway.close({ graceMs: 0 }));
    return gateway;
  };
  const ask = async (gateway: Gateway, messages: readonly Said[], { key = 'k', id = 'one' } = {}) => {
    told = '';
    const { status } = await sendRaw(`${gateway.url}/v1/messages`, {
      headers: { 'x-api-key': key, 'x-palimpsest-session': id, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', max_tokens: 100, tools: [{ name: 'read', input_schema: {} }], messages }),
    });
    expect(status).toBe(200);
    return told;
  };
  return { folder, start, ask, references: () => references };
}

type Stage = Awaited<ReturnType<typeof stage>>;

/** A conversation that is compacted here and then by its client, which goes on in a new one. */
async function compactByClient({ ask, references }: Stage, gateway: Gateway): Promise<readonly string[]> {
  for (let rounds = 1; rounds <= ROUNDS; rounds++) await ask(gateway, begun('a', rounds));
  const seen = references();
  expect(seen.length).toBeGreaterThan(0);
  await ask(gateway, goOn());
  await ask(gateway, goOn({ query: 'nothing of the sort' }));
  return seen;
}

const WORDS = { query: 'deploy key of heron' };

/** By words, by the id that the passage is told with, and by the references that notices named before. */
async function expectFound({ ask }: Stage, gateway: Gateway, references: readonly string[]): Promise<void> {
  const byWords = await ask(gateway, goOn({ query: 'nothing of the sort' }, WORDS));
  expect(byWords).toContain(FACT);
  const id = /— (m-\w+) · result of read f0/.exec(byWords)?.[1] ?? 'none';
  expect(await ask(gateway, goOn({ query: 'nothing of the sort' }, WORDS, { reference: id }))).toContain(FACT);
  let isRead = false;
  for (const reference of new Set(references))
    isRead ||= (await ask(gateway, goOn({ query: 'nothing of the sort' }, { reference }))).includes(FACT);
  expect(isRead).toBe(true);
}

describe('what a client compacted away is recalled in the conversation that goes on from it', () => {
  it('while both are at hand', async () => {
    const all = await stage();
    const gateway = await all.start();
    await expectFound(all, gateway, await compactByClient(all, gateway));
  });

  it('after a restart of the gateway', async () => {
    const all = await stage();
    const first = await all.start();
    const references = await compactByClient(all, first);
    await first.close();
    await expectFound(all, await all.start(), references);
  });

  it('after the earlier one was evicted', async () => {
    const all = await stage({ live: { conversations: 1 } });
    const gateway = await all.start();
    await expectFound(all, gateway, await compactByClient(all, gateway));
  });

  it('by another gateway with the same store, while the first one has it', async () => {
    const all = await stage();
    const references = await compactByClient(all, await all.start());
    await expectFound(all, await all.start(), references);
  });

  it('also what was said in it on the other gateway, after this one had it', async () => {
    const all = await stage();
    const [first, second] = [await all.start(), await all.start()];
    await all.ask(first, begun('a', 1));
    // The fact is in the third file.
    for (let rounds = 2; rounds <= ROUNDS; rounds++) await all.ask(second, begun('a', rounds));
    await all.ask(first, goOn());
    await all.ask(first, goOn({ query: 'nothing of the sort' }));
    expect(await all.ask(first, goOn({ query: 'nothing of the sort' }, WORDS))).toContain(FACT);
  });

  it('and says what it cannot look into', async () => {
    const all = await stage();
    const first = await all.start();
    await compactByClient(all, first);
    await first.close();
    const files = readdirSync(all.folder, { recursive: true, encoding: 'utf8' }).map((name) => join(all.folder, name));
    const journals = files.filter((file) => file.endsWith('journal.jsonl'));
    const [holding, ...others] = journals.filter((file) => readFileSync(file, 'utf8').includes('"path":"f20"'));
    expect(others).toEqual([]);
    writeFileSync(holding!, `{"no": "record"}\n${readFileSync(holding!, 'utf8')}`);
    const told = await all.ask(await all.start(), goOn({ query: 'nothing of the sort' }, WORDS));
    expect(told).toContain('not looked into: 1 earlier conversation; the store did not give');
  });

  it('and by no other tenant, and under no other id', async () => {
    const all = await stage();
    const first = await all.start();
    const references = await compactByClient(all, first);
    await first.close();
    const gateway = await all.start();
    for (const whose of [{ key: 'another' }, { id: 'two' }])
      for (const asked of [WORDS, ...[...new Set(references)].map((reference) => ({ reference }))]) {
        const told = await all.ask(gateway, goOn(asked), whose);
        expect(told).not.toBe('');
        expect(told).not.toContain('58-4471');
      }
  });
});
