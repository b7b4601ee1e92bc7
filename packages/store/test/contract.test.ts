import { fileStore, memoryStore } from '@palimpsest/store';
import { storeContract } from '@palimpsest/store/testing';
import { describe, it } from 'vitest';
import { newGround } from './new-ground.ts';

describe('the file store, syncing always', () => {
  const contract = storeContract(() => {
    const dir = newGround();
    return { connect: () => fileStore({ dir }) };
  });
  for (const { rule, check } of contract) it(rule, check);
});

describe('the file store, syncing never', () => {
  const contract = storeContract(() => {
    const dir = newGround();
    return { connect: () => fileStore({ dir, fsync: 'never' }) };
  });
  for (const { rule, check } of contract) it(rule, check);
});

describe('the memory store', () => {
  const contract = storeContract(() => {
    const store = memoryStore();
    return { connect: () => store };
  });
  for (const { rule, check } of contract) it(rule, check);
});
