/** A server: hundreds of users, one keeper, one store. Each has a window's worth in view, recalls only what is theirs, and a stop saves all. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { createKeeper, recallTool } from '@palimpsest/sdk/keeper';
import { startSim } from '@palimpsest/sim';
import { fileStore } from '@palimpsest/store';

type Turn = { readonly role: 'user' | 'assistant'; readonly content: string };
/** What your database holds of a user: what was said, and which session keeps it. */
type Account = { turns: Turn[]; session?: string };

function startServer({ provider, dir, accounts }: { provider: string; dir: string; accounts: Map<string, Account> }) {
  const counts = { requests: 0, compactions: 0, tokensHidden: 0, forks: 0 };
  const keeper = createKeeper({
    window: 4_000,
    store: fileStore({ dir }), // several processes: postgresStore() of @palimpsest/store-postgres
    live: { conversations: 100 }, // the others wait in the store: memory stays flat
    on: (event) => {
      if (event.type !== 'view-compacted' || !event.receipt.declared) return;
      counts.compactions++;
      counts.tokensHidden += event.receipt.tokensBefore - event.receipt.tokensAfter;
    },
  });

  async function chat(user: string, said: string): Promise<string> {
    const account = accounts.get(user) ?? { turns: [] };
    accounts.set(user, account);
    const messages: Turn[] = [...account.turns, { role: 'user', content: said }];
    const body = { model: 'claude-sonnet-5', max_tokens: 300, messages };
    // The tenant is whoever is logged in, never what a client says; the id is the conversation of your database.
    const kept = await keeper.keep({ wire: 'anthropic', body, tenant: user, id: 'support' });
    const send = (sent: object): Promise<Response> =>
      fetch(`${provider}/v1/messages`, {
        method: 'POST',
        headers: { 'x-api-key': 'secret', 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
        body: JSON.stringify(sent),
      });
    let response = await send(kept?.body ?? body);
    if (!response.ok) {
      const smaller = await kept?.fail({ status: response.status, body: await response.json() });
      if (smaller !== undefined) response = await send(smaller.body);
    }
    const answer = (await response.json()) as { content: { text: string }[] };
    kept?.hear(answer);
    const reply = answer.content.map((block) => block.text).join('');
    account.turns = [...messages, { role: 'assistant', content: reply }];
    if (kept?.how === 'forked') counts.forks++;
    if (kept !== undefined) account.session = kept.id;
    counts.requests++;
    return reply;
  }

  /** Undefined where it is not at hand: the next request of that user opens it again. */
  const recall = (user: string, query: string): string | undefined => {
    const session = keeper.find(accounts.get(user)?.session ?? '', user);
    return session && recallTool(() => session).run({ query });
  };

  const metrics = (): string =>
    Object.entries({ ...counts, live: keeper.status().conversations, liveBytes: keeper.status().bytes })
      .map(([name, value]) => `palimpsest_${name} ${value}`)
      .join('\n');

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const user = String(request.headers['x-user']); // in life: out of a session or a token that you have checked
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server');
    if (pathname === '/chat') response.end(await chat(user, await readText(request)));
    else if (pathname === '/recall') response.end(recall(user, searchParams.get('q') ?? '') ?? '');
    else if (pathname === '/metrics') response.end(metrics());
    else response.writeHead(404).end();
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.writeHead(500).end(error.message));
  });
  return new Promise<{ url: string; keeper: typeof keeper; stop(): Promise<void> }>((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve({
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        keeper,
        /** On SIGTERM: nobody new, whoever is inside is answered, then all is saved and the sessions are free for others. */
        async stop() {
          await new Promise((done) => server.close(done));
          await keeper.close();
        },
      }),
    );
  });
}

// Two hundred users talk at once; each has told a code of their own, and it may be in nobody else's request.
const USERS = 200;
const TURNS = 3;
const sim = await startSim({
  model: ({ turn }) => ({ text: `Noted, ${turn}. ${'And so on. '.repeat(90)}` }),
  window: 4_000,
});
const dir = await mkdtemp(join(tmpdir(), 'palimpsest-server-'));
const accounts = new Map<string, Account>();
const users = Array.from({ length: USERS }, (_, i) => ({ name: `user-${i}`, code: `code-${i * 7919}-x` }));
const ask = async (url: string, user: string, path: string, body?: string): Promise<string> =>
  (
    await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-user': user },
      ...(body === undefined ? {} : { body }),
    })
  ).text();

const first = await startServer({ provider: sim.url, dir, accounts });
for (let turn = 0; turn < TURNS; turn++)
  await Promise.all(
    users.map(({ name, code }) =>
      ask(
        first.url,
        name,
        '/chat',
        `Turn ${turn}: my code is ${turn === 0 ? code : 'as I said'}. ${'Please mind the details. '.repeat(240)}`,
      ),
    ),
  );
const metrics = await ask(first.url, '', '/metrics');
await first.stop();

// Another process goes on from the store: nothing is compacted anew, and what was hidden is found.
const second = await startServer({ provider: sim.url, dir, accounts });
const [one, other] = [users[3]!, users[4]!];
await ask(second.url, one.name, '/chat', 'What was my code?');
assert.match(await ask(second.url, one.name, '/recall?q=my+code'), new RegExp(one.code));
assert.doesNotMatch(await ask(second.url, one.name, `/recall?q=${other.code}`), new RegExp(other.code));
assert.equal(second.keeper.find(accounts.get(one.name)!.session!, other.name), undefined);
await second.stop();

const codes = sim.requests.map(({ body }) => new Set(JSON.stringify(body).match(/code-\d+-x/g)));
assert.ok(
  codes.every((seen) => seen.size <= 1),
  'no request holds the words of two users',
);
assert.ok(sim.requests.every(({ status }) => status === 200));
const compactions = Number(/compactions (\d+)/.exec(metrics)![1]);
assert.ok(compactions >= USERS);
console.log(`${USERS} users, ${sim.requests.length} requests, ${compactions} compactions, none refused, none mixed.`);
await sim.close();
await rm(dir, { recursive: true });
