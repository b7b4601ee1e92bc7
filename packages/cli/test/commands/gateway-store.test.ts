import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sim, startSim } from '@palimpsest/sim';
import { fileStore } from '@palimpsest/store';
import { NoPostgres, type PostgresServer, startPostgres, urlOf } from '@palimpsest/testing/postgres-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runPalimpsest } from '../run-palimpsest.ts';
import { startPalimpsest } from './start-palimpsest.ts';

const messages = (rounds: number) => [
  { role: 'user', content: 'Never touch LOCKED.md.' },
  ...Array.from({ length: rounds }, (_, n) => [
    { role: 'assistant', content: `Part ${n}: ${'more words '.repeat(100)}` },
    { role: 'user', content: `Go on with ${n + 1}.` },
  ]).flat(),
];

async function ask(url: string, rounds: number): Promise<string | null> {
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-1' },
    body: JSON.stringify({ model: 'gpt-5.5', messages: messages(rounds) }),
  });
  expect(answer.status).toBe(200);
  await answer.text();
  return answer.headers.get('x-palimpsest-session');
}

async function startProvider(): Promise<Sim> {
  const sim = await startSim({ window: 4_000 });
  onTestFinished(sim.close);
  return sim;
}

/** Starts the command, has it keep a conversation past its window, ends it, and starts it anew: the same body goes out. */
async function expectSameAfterRestart(store: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const sim = await startProvider();
  const words = ['gateway', '--port', '0', '--upstream', sim.url, '--window', '4000', '--store', store, '--json'];
  const runOnce = async (from: number, to: number): Promise<string | null> => {
    const { child, ran, said } = startPalimpsest(words, env);
    const { url } = JSON.parse((await said('\n')).split('\n')[0]!) as { url: string };
    let session: string | null = null;
    for (let rounds = from; rounds <= to; rounds++) session = await ask(url, rounds);
    child.kill('SIGTERM');
    expect(await ran).toMatchObject({ code: 0, err: '' });
    return session;
  };
  const before = await runOnce(1, 16);
  const sent = JSON.stringify(sim.requests.at(-1)!.body);
  expect(sent.length).toBeLessThan(JSON.stringify(messages(16)).length);
  expect(await runOnce(16, 16)).toBe(before);
  expect(JSON.stringify(sim.requests.at(-1)!.body)).toBe(sent);
}

describe('gateway --store', () => {
  it('in a folder: the same session and the same body after a restart', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'palimpsest-store-'));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    await expectSameAfterRestart(dir);
    expect(existsSync(join(dir, 'secret'))).toBe(true);
  });

  it('on Postgres: so too, and not without the secret that gateways share', async ({ skip }) => {
    const server = await startPostgres().catch((error: unknown): PostgresServer => {
      if (error instanceof NoPostgres) return skip(error.message);
      throw error;
    });
    onTestFinished(() => server.stop());
    const { err, code } = await runPalimpsest(['gateway', '--port', '0', '--store', urlOf(server)]);
    expect([code, err]).toEqual([2, expect.stringContaining('PALIMPSEST_GATEWAY_SECRET')]);
    await expectSameAfterRestart(urlOf(server), { PALIMPSEST_GATEWAY_SECRET: 'shared' });
  });

  it('--keep-days deletes what nobody went on with for so long, and nothing else', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'palimpsest-store-'));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const store = fileStore({ dir: join(dir, 'tenant'), fsync: 'never' });
    for (const id of ['old', 'new']) {
      const { journal } = await store.open(id);
      await journal.append([{ v: 1, type: 'session', id }]);
      await journal.close();
    }
    const longAgo = new Date(Date.now() - 3 * 24 * 3_600_000);
    const folder = join(dir, 'tenant', 'old');
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), longAgo, longAgo);
    const sim = await startProvider();
    const words = ['gateway', '--port', '0', '--upstream', sim.url, '--store', dir, '--keep-days', '2'];
    const { child, ran, said } = startPalimpsest(words);
    await said('Ctrl-C');
    await expect.poll(async () => (await store.list()).map(({ id }) => id)).toEqual(['new']);
    child.kill('SIGTERM');
    expect((await ran).code).toBe(0);
  });
});
