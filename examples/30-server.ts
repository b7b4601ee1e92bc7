/** A server: hundreds of users, one keeper, one store. Each has a window's worth in view, recalls only what is theirs, and a stop saves all. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSim } from '@palimpsest/sim';
import { fileStore } from '@palimpsest/store';
import { type Account, startChatServer } from './server/chat-server.ts';

// Two hundred users talk at once; each has told a code of their own, and it may be in nobody else's request.
const USERS = 200;
const TURNS = 3;
const sim = await startSim({
  model: ({ turn }) => ({ text: `Noted, ${turn}. ${'And so on. '.repeat(90)}` }),
  window: 4_000,
});
const dir = await mkdtemp(join(tmpdir(), 'palimpsest-server-'));
const accounts = new Map<string, Account>();
const startServer = () =>
  startChatServer({
    provider: sim.url,
    window: 4_000,
    store: fileStore({ dir }), // several processes: see server/on-postgres.ts
    live: 100,
    accounts: {
      read: async (user) => accounts.get(user),
      append: async (user, turns, session) => {
        const before = accounts.get(user)?.turns ?? [];
        accounts.set(user, { turns: [...before, ...turns], ...(session === undefined ? {} : { session }) });
      },
    },
  });
const users = Array.from({ length: USERS }, (_, i) => ({ name: `user-${i}`, code: `code-${i * 7919}-x` }));
const ask = async (url: string, user: string, path: string, body?: string): Promise<string> =>
  (
    await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-user': user },
      ...(body === undefined ? {} : { body }),
    })
  ).text();

const first = await startServer();
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
const second = await startServer();
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
const compactions = Number(/^palimpsest_compactions_total (\d+)/m.exec(metrics)![1]);
assert.ok(compactions >= USERS);
console.log(`${USERS} users, ${sim.requests.length} requests, ${compactions} compactions, none refused, none mixed.`);
await sim.close();
await rm(dir, { recursive: true });
