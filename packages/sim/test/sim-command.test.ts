import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { post, prose } from './talk.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const run = (...args: readonly string[]) =>
  spawn(process.execPath, ['--import', 'tsx', '--conditions=source', main, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });

it('runs from the command line, tells its address and how to use it, and ends with a bill', async () => {
  const child = run('--port', '0', '--window', '2000');
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  while (!out.includes('Ctrl-C')) await once(child.stdout, 'data');
  const url = out.split('\n')[0]!;
  expect(out).toContain(`baseURL: '${url}/v1'`);
  const body = { model: 'claude-sonnet-5-5', max_tokens: 50 };
  expect((await post(url, '/v1/messages', { ...body, messages: [{ role: 'user', content: 'go' }] })).status).toBe(200);
  const long = await post(url, '/v1/messages', { ...body, messages: [{ role: 'user', content: prose(3_000) }] });
  expect(long.json.error.message).toMatch(/> 2000 maximum$/);
  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
  expect(out).toContain('1 answers');
});

it('a number that is none is told', async () => {
  const child = run('--window', 'many');
  let err = '';
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const [code] = await once(child, 'exit');
  expect(code).toBe(1);
  expect(err).toContain('--window takes a number, not "many"');
});
