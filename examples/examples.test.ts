import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isDeep } from '@palimpsest/testing';
import { afterEach, expect, it, vi } from 'vitest';

const folder = fileURLToPath(new URL('.', import.meta.url));
const examples = readdirSync(folder).filter((name) => /^\d\d-.*\.ts$/.test(name));

afterEach(() => {
  vi.restoreAllMocks();
});

it('there are examples', () => {
  expect(examples.length).toBeGreaterThan(4);
});

it.each(examples)('%s holds what it asserts and says so in one line', async (name) => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const complaints = [vi.spyOn(console, 'warn'), vi.spyOn(console, 'error'), vi.spyOn(process.stderr, 'write')];
  await import(`${folder}${name}`);
  for (const complaint of complaints) expect(complaint).not.toHaveBeenCalled();
  expect(log.mock.calls.join('\n').split('\n')).toHaveLength(1);
});

it.runIf(isDeep).each(examples)('%s does so as a program that ends by itself', async (name) => {
  const words = ['--import', 'tsx', '--conditions=palimpsest-source', `${folder}${name}`];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, words, { cwd: folder });
  expect(stderr).toBe('');
  expect(stdout.trim().split('\n')).toHaveLength(1);
});
