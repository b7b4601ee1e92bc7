import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newFolder, runPalimpsest } from '../run-palimpsest.ts';
import { fileOf } from './fixtures.ts';
import { hear } from './recording-terminal.ts';
import { startPalimpsest } from './start-palimpsest.ts';

const ask = (url: string, content: string): Promise<Response> =>
  fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'any', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ model: 'claude-sonnet-5-5', max_tokens: 50, messages: [{ role: 'user', content }] }),
  });

const LONG = Array.from({ length: 2_000 }, (_, i) => `word ${i} of it`).join('\n');

describe('sim', () => {
  it('says where it is and how an SDK is pointed at it, answers over HTTP, keeps to the window, and ends with a bill', async () => {
    const { child, ran, said } = startPalimpsest(['sim', '--window', '2000']);
    const url = (await said('Ctrl-C')).split('\n')[0]!;
    expect(await said('Gemini')).toContain(`new OpenAI({ baseURL: '${url}/v1', apiKey: 'any' })`);
    const answer = await ask(url, 'go');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ role: 'assistant', usage: { output_tokens: expect.any(Number) } });
    const refused = await ask(url, LONG);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toMatch(/prompt is too long: \d+ tokens > 2000 maximum/);
    child.kill('SIGINT');
    const { code, out, err } = await ran;
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^ +1 {2}200 {2}\/v1\/messages {2}claude-sonnet-5-5 {2}\d+ in, 0\.0 % cached · \d+ out$/m);
    expect(out).toMatch(/^ +2 {2}400 .* prompt is too long/m);
    expect(out).toContain('2 requests: 1 answered, 1 refused, 0 faults');
    expect(out).toMatch(/^claude-sonnet-5-5 +1 +\d+ +0\.0 % +\d+ +0\.\d+$/m);
  });

  it('goes wrong as often as it was told to', async () => {
    const { child, ran, said } = startPalimpsest(['sim', '--faults', '1', '--json', '--seed', '4']);
    const { url } = JSON.parse(await said('\n')) as { url: string };
    await Promise.allSettled([ask(url, 'go'), ask(url, 'go on')]);
    child.kill('SIGINT');
    const { code, out } = await ran;
    expect(code).toBe(0);
    expect(JSON.parse(out.trim().split('\n').at(-1)!)).toMatchObject({
      type: 'ended',
      requests: 2,
      faults: 2,
      bill: {},
    });
  });

  it('works on the folder it is given', async () => {
    const file = fileOf('only-here.ts', 'export const only = 1;\n');
    const { said } = startPalimpsest(['sim', '--json', '--dir', file.slice(0, file.lastIndexOf('/'))]);
    const { url } = JSON.parse(await said('\n')) as { url: string };
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer any' },
      body: JSON.stringify({
        model: 'gpt-5.5',
        messages: [{ role: 'user', content: 'go' }],
        tools: [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }],
      }),
    });
    expect(await response.text()).toContain('only-here.ts');
  });
});

describe('a simulator that cannot be started is one line', () => {
  it('and code 1 where the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, out, err } = await runPalimpsest(['sim', '--port', String(port)]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toBe(`palimpsest: port ${port} is in use: name another one, or none for any free one.\n`);
  });

  it('and code 1 where the folder is none, or holds nothing to read', async () => {
    for (const dir of ['/no/such/folder', fileOf('a-file', ''), newFolder()]) {
      const { code, out, err } = await hear(['sim', '--dir', dir]);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err.trim().split('\n')).toHaveLength(1);
      expect(err).toMatch(/folder/);
    }
  });

  it.each([
    [['--port', '70000'], /--port/],
    [['--window', '0'], /--window/],
    [['--faults', '2'], /--faults/],
    [['--turns', 'few'], /--turns/],
    [['here'], /argument/],
  ])('and code 2 for %j', async (words, named) => {
    const { code, out, err } = await hear(['sim', ...words]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(err).toMatch(named);
  });
});
