import { storeContract } from '@palimpsest/store/testing';
import pg from 'pg';
import { afterAll, it } from 'vitest';
import { describeOnServer, findDatabase, newTenant, openStore } from './postgres.ts';

describeOnServer('the Postgres store, with connections of its own', () => {
  const contract = storeContract(() => {
    const tenant = newTenant();
    return { connect: () => openStore({ tenant }) };
  });
  for (const { rule, check } of contract) it(rule, check);
});

describeOnServer("the Postgres store, on the host's pool", () => {
  let made: Promise<pg.Pool> | undefined;
  const makePool = async (): Promise<pg.Pool> => new pg.Pool({ connectionString: await findDatabase(), max: 3 });
  afterAll(async () => (await made)?.end());
  const contract = storeContract(async () => {
    made ??= makePool();
    const pool = await made;
    const tenant = newTenant();
    return { connect: () => openStore({ pool, tenant }) };
  });
  for (const { rule, check } of contract) it(rule, check);
});
