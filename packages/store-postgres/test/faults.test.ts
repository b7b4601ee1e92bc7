import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { StoreError } from '@palimpsest/store';
import { type PostgresStoreOptions, postgresStore } from '@palimpsest/store-postgres';
import { urlOf } from '@palimpsest/testing/postgres-server';
import { afterEach, expect, it } from 'vitest';
import { type Cable, layCable } from './cable.ts';
import {
  connectOwner,
  describeOnServer,
  findDatabase,
  findServer,
  makeDatabase,
  newTenant,
  openStore,
} from './postgres.ts';
import { smallRecords } from './records.ts';

const SECRET = 's3cret-never-shown';

/** The error that opening a session ends with, looked through for the password. */
async function openError(options: Partial<PostgresStoreOptions>): Promise<StoreError> {
  const store = await openStore({ retryMs: 0, tenant: newTenant(), ...options });
  const error: unknown = await store.open('s').catch((thrown: unknown) => thrown);
  const shown = inspect(error, { depth: 20, showHidden: true }) + inspect(store, { depth: 20, showHidden: true });
  expect(shown).not.toContain(SECRET);
  expect(error).toBeInstanceOf(StoreError);
  return error as StoreError;
}

const cables: Cable[] = [];
afterEach(async () => {
  for (const cable of cables.splice(0)) await cable.close();
});

async function cableTo(url: string): Promise<{ cable: Cable; url: string }> {
  const cable = await layCable(findServer());
  cables.push(cable);
  const through = new URL(url);
  through.port = String(cable.address.port);
  return { cable, url: through.href };
}

describeOnServer('a server that refuses', () => {
  it('a wrong password is told as such, with what to check', async () => {
    const connectionString = urlOf({ ...findServer(), password: SECRET });
    const error = await openError({ connectionString });
    expect(error).toMatchObject({ code: 'denied', message: /password authentication failed.*Check the user name/ });
    const none = await openError({ connectionString: connectionString.replace(`:${SECRET}`, '') });
    expect(none).toMatchObject({ code: 'denied', message: /Check the user name and the password/ });
  });

  it('a database that is not there is named, with how to make it', async () => {
    const connectionString = urlOf(findServer(), 'no_such_database');
    expect(await openError({ connectionString })).toMatchObject({
      code: 'denied',
      message: /"no_such_database" does not exist.*createdb/,
    });
  });

  it('a user without rights is told whom to ask for what', async () => {
    const mine = new URL(await makeDatabase());
    const others = new URL(await makeDatabase());
    await connectOwner(others.pathname.slice(1)).query('revoke create on schema public from public');
    mine.pathname = others.pathname;
    expect(await openError({ connectionString: mine.href })).toMatchObject({
      code: 'denied',
      message: /permission denied for database.*migratePostgres/,
    });
  });

  it('a string that is no address is refused without being repeated', async () => {
    for (const connectionString of [`postgres://user:${SECRET}/x@host:port/db`, `postgres://u:${SECRET}@host:99999/db`])
      expect(await openError({ connectionString })).toMatchObject({ code: 'bad-option', message: /postgres:\/\/user/ });
  });

  it('a port where nobody listens is told with its number, after the time that was given', async () => {
    const connectionString = urlOf({ ...findServer(), port: 1, password: SECRET });
    const error = await openError({ connectionString });
    expect(error).toMatchObject({ code: 'unavailable', message: /ECONNREFUSED 127\.0\.0\.1:1\b/ });
  });

  it('a database that cannot hold every character is refused before anything is made', async () => {
    const connectionString = await makeDatabase(findServer(), "encoding 'LATIN1' template template0");
    expect(await openError({ connectionString })).toMatchObject({ code: 'bad-option', message: /LATIN1.*UTF8/ });
  });

  it('options that cannot be meant are refused at once', () => {
    const connectionString = 'postgres://localhost/x';
    const pool = { connect: () => Promise.reject(new Error('unused')) };
    const wrong: readonly unknown[] = [
      { tenant: 't' },
      { connectionString, pool, tenant: 't' },
      { connectionString: '', tenant: 't' },
      { connectionString },
      { connectionString, tenant: '' },
      { connectionString, tenant: 'x'.repeat(201) },
      { connectionString, tenant: 't', schema: 'a"b' },
      { connectionString, tenant: 't', leaseMs: 0 },
      { connectionString, tenant: 't', retryMs: Number.NaN },
      { connectionString, tenant: 't', statementTimeoutMs: 0 },
    ];
    for (const options of wrong)
      expect(() => postgresStore(options as PostgresStoreOptions), inspect(options)).toThrowError(StoreError);
  });
});

describeOnServer('a store that was closed', () => {
  it('says so, and can be closed again', async () => {
    const store = await openStore({ tenant: newTenant() });
    await store.list();
    await store.close();
    await store.close();
    await expect(store.open('s')).rejects.toMatchObject({ name: 'StoreError', code: 'closed' });
  });
});

describeOnServer('a server that is slow', () => {
  it('ends an append after the time it was given, and goes on when it is quick again, with nothing doubled', async () => {
    const tenant = newTenant();
    const store = await openStore({ tenant, statementTimeoutMs: 1_000, retryMs: 0 });
    const session = await store.open('s');
    await session.journal.append(smallRecords(0, 1));
    const blocker = await connectOwner(new URL(await findDatabase()).pathname.slice(1)).connect();
    await blocker.query('begin');
    await blocker.query('select from palimpsest.session where tenant = $1 for update', [tenant]);
    const before = performance.now();
    await expect(session.journal.append(smallRecords(1, 1))).rejects.toMatchObject({ code: 'unavailable' });
    expect(performance.now() - before).toBeLessThan(5_000);
    await blocker.query('rollback');
    blocker.release();
    await session.journal.append(smallRecords(1, 2));
    await session.journal.close();
    expect((await store.read('s')).records).toEqual(smallRecords(0, 3));
  });

  it('that does not answer at all is given up, and what it did all the same is taken back by the next append', async () => {
    const { cable, url } = await cableTo(await findDatabase());
    const tenant = newTenant();
    const store = await openStore({ connectionString: url, tenant, statementTimeoutMs: 1_000, retryMs: 0 });
    const session = await store.open('s');
    await session.journal.append(smallRecords(0, 1));
    cable.mute(true);
    await expect(session.journal.append(smallRecords(1, 2))).rejects.toMatchObject({ code: 'unavailable' });
    cable.mute(false);
    const looking = await openStore({ tenant });
    // The server heard it and did it; nobody was told.
    expect((await looking.read('s')).records).toEqual(smallRecords(0, 3));
    // As a session does: what was not acknowledged is appended again, with what came since.
    await session.journal.append(smallRecords(1, 4));
    expect((await looking.read('s')).records).toEqual(smallRecords(0, 5));
    cable.mute(true);
    await expect(session.journal.append(smallRecords(5, 2))).rejects.toMatchObject({ code: 'unavailable' });
    cable.mute(false);
    await session.journal.close();
    expect((await looking.read('s')).records).toEqual(smallRecords(0, 5));
  });

  it('does not keep those waiting who called it off', async () => {
    const { cable, url } = await cableTo(await findDatabase());
    const store = await openStore({ connectionString: url, tenant: newTenant() });
    await store.list();
    cable.mute(true);
    cable.cut();
    const stop = new AbortController();
    const reason = new Error('the user left');
    setTimeout(() => stop.abort(reason), 50);
    await expect(store.open('s', { signal: stop.signal })).rejects.toBe(reason);
  });
});

describeOnServer('a connection that breaks', () => {
  it('loses nothing and doubles nothing, wherever it breaks', async () => {
    const { cable, url } = await cableTo(await findDatabase());
    const tenant = newTenant();
    const store = await openStore({ connectionString: url, tenant });
    const session = await store.open('s');
    let answers = 0;
    let breakAt = 0;
    let breaks = 0;
    cable.onAnswer = () => {
      if (++answers < breakAt) return false;
      breakAt = answers + 1 + Math.floor(Math.random() * 25);
      breaks++;
      return true;
    };
    for (let i = 0; i < 60; i++) await session.journal.append(smallRecords(i * 2, 2));
    await session.stash.put('some text');
    cable.onAnswer = undefined;
    await session.journal.close();
    expect(breaks).toBeGreaterThan(5);
    expect((await store.read('s')).records).toEqual(smallRecords(0, 120));
    const next = await store.open('s');
    await next.journal.close();
  });

  it('at the moment of opening leaves no session locked', async () => {
    const { cable, url } = await cableTo(await findDatabase());
    const store = await openStore({ connectionString: url, tenant: newTenant() });
    for (let at = 1; at <= 6; at++) {
      let answers = 0;
      cable.onAnswer = () => ++answers === at;
      const session = await store.open(`s${at}`);
      cable.onAnswer = undefined;
      await session.journal.append(smallRecords(0, 1));
      await session.journal.close();
      await sleep(0);
    }
    expect((await store.list()).length).toBe(6);
  });
});
