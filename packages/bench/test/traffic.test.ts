import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { check, type NewMessage } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { makeTraffic } from '../src/traffic.ts';

const first = (seed: number, rounds: number): readonly NewMessage[] => {
  const stream = makeTraffic(seed);
  return Array.from({ length: rounds }, () => stream.next().value as readonly NewMessage[]).flat();
};

describe('the traffic that turns are measured with', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(first(1, 60)).toEqual(first(1, 60));
    expect(first(1, 60)).not.toEqual(first(2, 60));
  });

  it('is a history that needs no mending', () => {
    expect(() => check(first(1, 300))).not.toThrow();
  });

  it('is Latin-1 throughout, so that a character is a byte of memory', () => {
    const widest = [...JSON.stringify(first(1, 300))].reduce((most, one) => Math.max(most, one.charCodeAt(0)), 0);
    expect(widest).toBeLessThan(256);
  });
});

it.each([
  ['a bench that is not there', ['speed'], /turn/],
  ['an option that it does not know', ['postgres', '--help'], /knows --sessions, --requests/],
])('%s is refused with code 2 and the names of those that are', async (_, words, names) => {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const { code, err } = await new Promise<{ code: unknown; err: string }>((resolve) => {
    execFile(
      process.execPath,
      ['--import', 'tsx', '--conditions=palimpsest-source', main, ...words],
      (error, _out, err) => resolve({ code: error?.code, err }),
    );
  });
  expect(code).toBe(2);
  expect(err).toMatch(names);
});
