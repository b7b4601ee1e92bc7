import { type Sim, startSim } from '@palimpsest/sim';
import { migratePostgres, postgresStore, recordUsage, type UsageRow, type UsageSum } from '@palimpsest/store-postgres';
import { NoPostgres, type PostgresServer, startPostgres, urlOf } from '@palimpsest/testing/postgres-server';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runPalimpsest } from '../run-palimpsest.ts';
import { hear } from './recording-terminal.ts';
import { startPalimpsest } from './start-palimpsest.ts';

let server: PostgresServer | undefined;
let missing = '';
beforeAll(async () => {
  server = await startPostgres().catch((error: unknown) => {
    if (!(error instanceof NoPostgres)) throw error;
    missing = error.message;
    return undefined;
  });
});
afterAll(() => server?.stop());

let databases = 0;

/** An empty database of its own; the test is skipped where no server runs. */
async function makeDatabase(skip: (why: string) => never): Promise<{ server: PostgresServer; url: string }> {
  if (server === undefined) return skip(missing);
  const name = `usage_${databases++}`;
  await query(urlOf(server), `create database ${name}`);
  return { server, url: urlOf(server, name) };
}

async function query(url: string, text: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

interface Told {
  readonly total: UsageSum;
  readonly day: readonly UsageSum[];
  readonly model: readonly UsageSum[];
  readonly tenant: readonly UsageSum[];
  readonly session: readonly (UsageSum & { readonly tenant: string })[];
}

async function tellUsage(url: string, ...words: readonly string[]): Promise<Told> {
  const { code, out, err } = await hear(['usage', url, '--json', ...words]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out) as Told;
}

const newRow = (about: Partial<UsageRow>): UsageRow => ({ id: 'pr_1', tenant: 't', at: Date.now(), ...about });

const ENV = { PALIMPSEST_GATEWAY_SECRET: 'shared' };

async function startGateway(url: string, ...words: readonly string[]) {
  const sim = await startSim({ window: 4_000 });
  onTestFinished(sim.close);
  const where = ['--port', '0', '--upstream', sim.url, '--window', '4000', '--store', url, '--json', ...words];
  const started = startPalimpsest(['gateway', ...where], ENV);
  const first = JSON.parse((await started.said('\n')).split('\n')[0]!) as { url: string };
  return { ...started, sim, url: first.url };
}

async function ask(url: string, rounds: number, about: { key?: string; model?: string; stream?: boolean } = {}) {
  const { key = 'sk-1', model = 'gpt-5.5', stream = false } = about;
  const messages = [
    { role: 'user', content: 'Never touch LOCKED.md.' },
    ...Array.from({ length: rounds }, (_, n) => [
      { role: 'assistant', content: `Part ${n}: ${'more words '.repeat(100)}` },
      { role: 'user', content: `Go on with ${n + 1}.` },
    ]).flat(),
  ];
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, messages, stream, stream_options: stream ? { include_usage: true } : undefined }),
  });
  expect(answer.status).toBe(200);
  await answer.text();
}

const sumOf = (sim: Sim, model?: string) => {
  const used = sim.requests.filter((one) => model === undefined || one.model === model).map(({ usage }) => usage!);
  const add = (name: 'input' | 'output' | 'cacheRead' | 'cacheWrite') => used.reduce((sum, one) => sum + one[name], 0);
  return {
    requests: used.length,
    input: add('input'),
    output: add('output'),
    cacheRead: add('cacheRead'),
    cacheWrite: add('cacheWrite'),
  };
};

describe('a gateway on Postgres', () => {
  it('writes down what its provider counted, and palimpsest usage adds it up', async ({ skip }) => {
    const { url } = await makeDatabase(skip);
    const gateway = await startGateway(url);
    for (let rounds = 1; rounds <= 18; rounds++) await ask(gateway.url, rounds, { stream: rounds % 2 === 0 });
    for (let rounds = 1; rounds <= 3; rounds++) await ask(gateway.url, rounds, { key: 'sk-2', model: 'gpt-5-mini' });
    gateway.child.kill('SIGTERM');
    expect(await gateway.ran).toMatchObject({ code: 0, err: '' });
    const told = await tellUsage(url);
    expect(told.total).toMatchObject({ ...sumOf(gateway.sim), failed: 0 });
    expect(told.total.compacted).toBeGreaterThan(0);
    expect(told.total.tokensAfter).toBeLessThan(told.total.tokensBefore);
    expect(told.model.map(({ name }) => name)).toEqual(['gpt-5.5', 'gpt-5-mini']);
    for (const sum of told.model) expect(sum).toMatchObject(sumOf(gateway.sim, sum.name));
    expect(told.tenant.map(({ requests }) => requests)).toEqual([18, 3]);
    const { session } = await tellUsage(url, '--by', 'session');
    for (const { name, tenant } of session) {
      const store = postgresStore({ connectionString: url, tenant });
      onTestFinished(() => store.close());
      expect((await store.list()).filter(({ id }) => id.endsWith(`-${name}`))).toHaveLength(1);
    }
    const { out } = await hear(['usage', url]);
    expect(out).toMatch(/^21 requests since \d{4}-\d\d-\d\d \d\d:\d\d, \d+ compacted\n.* tokens came, .* went on/);
    expect(out).toMatch(/^by day +requests +compacted +input +read +written +output$/m);
    expect(out).toMatch(/^gpt-5-mini +3 +0 /m);
    expect(out).not.toContain('by session');
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect((await hear(['usage', url, '--by', 'tenant'])).out).not.toContain('by day');
    const { username, password, host, pathname } = new URL(url);
    const env = { PGPASSWORD: password };
    const ran = await runPalimpsest(['usage', `postgres://${username}@${host}${pathname}`], { env });
    expect(ran).toMatchObject({ code: 0, err: '', out: expect.stringContaining('21 requests') });
  });

  it('answers while the server is away, says so once, and writes down later what was used meanwhile', async ({
    skip,
  }) => {
    const { server, url } = await makeDatabase(skip);
    const gateway = await startGateway(url);
    await ask(gateway.url, 1);
    await expect.poll(async () => (await hear(['usage', url])).out).toContain('1 request since');
    let heard = '';
    gateway.child.stderr.on('data', (chunk: Buffer) => (heard += chunk.toString()));
    await server.restart(async () => {
      for (let rounds = 2; rounds <= 4; rounds++) await ask(gateway.url, rounds);
      await expect.poll(() => heard).toContain('not written down for now');
      const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
      expect(metrics).toContain('palimpsest_usage_waiting 3');
    });
    await expect.poll(async () => (await tellUsage(url)).total.requests).toBe(4);
    gateway.child.kill('SIGTERM');
    const { err } = await gateway.ran;
    expect(err.split('\n').filter((line) => line.includes('written down'))).toHaveLength(1);
    expect(err).not.toContain(server.password);
    expect((await tellUsage(url)).total).toMatchObject(sumOf(gateway.sim));
  });

  it('that ends while the server is away says what is lost', async ({ skip }) => {
    const { server, url } = await makeDatabase(skip);
    const gateway = await startGateway(url);
    await ask(gateway.url, 1);
    await expect.poll(async () => (await hear(['usage', url])).out).toContain('1 request since');
    await server.restart(async () => {
      await ask(gateway.url, 2);
      gateway.child.kill('SIGTERM');
      expect((await gateway.ran).err).toMatch(/^palimpsest: what 1 request used is lost: /m);
    });
  });

  it('drops months of usage that are over for longer than --keep-days', async ({ skip }) => {
    const { url } = await makeDatabase(skip);
    const old = new Date(Date.UTC(2026, 0, 15));
    await recordUsage({ connectionString: url, rows: [newRow({ at: old.getTime() }), newRow({})] });
    const months = () => query(url, "select relname from pg_class where relkind = 'r' and relname like 'usage\\_2%'");
    expect(await months()).toHaveLength(2);
    const gateway = await startGateway(url, '--keep-days', '40');
    await expect.poll(months).toEqual([{ relname: expect.not.stringContaining('2026_01') }]);
    gateway.child.kill('SIGTERM');
    expect((await gateway.ran).code).toBe(0);
  });

  it('deletes all conversations that are older than --keep-days, however many there are', async ({ skip }) => {
    const { url } = await makeDatabase(skip);
    await migratePostgres({ connectionString: url });
    const insert = (name: string, days: number, count: number) =>
      query(
        url,
        `insert into palimpsest.session (tenant, id, updated_at)
         select 't', '${name}' || n, now() - interval '${days} days' from generate_series(1, ${count}) n`,
      );
    await insert('old', 90, 2_100);
    await insert('young', 20, 3);
    const gateway = await startGateway(url, '--keep-days', '40');
    const count = async () => (await query(url, 'select count(*)::int as n from palimpsest.session'))[0]!.n;
    await expect.poll(count).toBe(3);
    gateway.child.kill('SIGTERM');
    expect((await gateway.ran).code).toBe(0);
  });
});

describe('palimpsest usage', () => {
  it('looks as far back as it is told', async ({ skip }) => {
    const { url } = await makeDatabase(skip);
    const daysAgo = (days: number) => newRow({ id: `pr_${days}`, at: Date.now() - days * 24 * 3_600_000 });
    await recordUsage({ connectionString: url, rows: [0, 3, 20, 50].map(daysAgo) });
    const count = async (...words: readonly string[]) => (await tellUsage(url, ...words)).total.requests;
    expect([
      await count('--days', '1'),
      await count('--days', '7'),
      await count(),
      await count('--days', '99'),
    ]).toEqual([1, 2, 3, 4]);
  });

  it('shows nothing of a name that would do something to the terminal, and of nothing that it is nothing', async ({
    skip,
  }) => {
    const { url } = await makeDatabase(skip);
    await recordUsage({ connectionString: url, rows: [newRow({ at: 0 })] });
    expect(await hear(['usage', url])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^0 requests since .*\n$/),
    });
    await recordUsage({ connectionString: url, rows: [newRow({ model: '\u001b]0;x\u0007\u001b[31mred\nline' })] });
    const { out } = await hear(['usage', url, '--by', 'model']);
    expect(out).toContain('red');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    expect(out.split('\n')).toHaveLength(5);
  });

  it('prints a thousand lines at most, and says that there are more', async ({ skip }) => {
    const { url } = await makeDatabase(skip);
    const rows = Array.from({ length: 1_001 }, (_, n) => newRow({ id: `pr_${n}`, model: `m${n}` }));
    await recordUsage({ connectionString: url, rows });
    const { out } = await hear(['usage', url, '--by', 'model']);
    expect(out.match(/^m\d+ /gm)).toHaveLength(1_000);
    expect(out).toMatch(/… and more than these 1,000\n$/);
    expect((await hear(['usage', url])).out).toContain('… and many more: --by model');
  });

  it('says in one line what is wrong with the server, and never the password', async ({ skip }) => {
    const { server, url } = await makeDatabase(skip);
    const { password } = server;
    const failures: readonly (readonly [address: string, told: RegExp])[] = [
      [
        urlOf({ ...server, port: 1 }),
        /^palimpsest: no answer from the Postgres at 127\.0\.0\.1:1\/postgres.*ECONNREFUSED/,
      ],
      [url.replace(password, `x${password}`), /refused \(password authentication failed .*check user, password/],
      [urlOf(server, 'nowhere'), /refused \(database "nowhere" does not exist\)/],
      [url, /^palimpsest: nothing is written down at \S+ yet: a gateway .* --store/],
    ];
    const expectTold = async (address: string, told: RegExp) => {
      const { code, out, err } = await hear(['usage', address]);
      expect([code, out, err]).toEqual([1, '', expect.stringMatching(told)]);
      expect(err.trimEnd().split('\n')).toHaveLength(1);
      expect(err).not.toContain(password);
    };
    for (const [address, told] of failures) await expectTold(address, told);
    await recordUsage({ connectionString: url, rows: [newRow({})] });
    await query(url, 'insert into palimpsest.migration (version) values (99)');
    await expectTold(url, /version 99, this package knows \d.*use the newer/);
  });

  it('refuses what cannot be meant', async () => {
    const url = 'postgres://user:secret@127.0.0.1:1/db';
    for (const [words, told] of [
      [[url, '--by', 'colour'], /Allowed choices are day, model, tenant, session/],
      [[url, '--days', '0'], /whole number from 1 to 3650/],
      [[url, '--days', 'many'], /whole number from 1 to 3650/],
      [[url, '--days', '9999999999'], /whole number from 1 to 3650/],
      [['mysql://user:secret@host/db'], /must be like postgres:/],
      [['postgres://user:sec/ret@host/db'], /must be like postgres:/],
      [[], /missing required argument 'address'/],
    ] as const) {
      const { code, err } = await hear(['usage', ...words]);
      expect([code, err]).toEqual([2, expect.stringMatching(told)]);
      expect(err).not.toMatch(/secret|sec\/ret/);
    }
  });
});
