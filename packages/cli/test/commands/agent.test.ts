import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newFolder, runPalimpsest } from '../run-palimpsest.ts';
import { hear } from './recording-terminal.ts';
import { startPalimpsest } from './start-palimpsest.ts';

/** No key of whoever runs the tests is used, and nothing is left in their home. */
const plain = () => ({
  PALIMPSEST_HOME: newFolder(),
  ANTHROPIC_API_KEY: '',
  OPENAI_API_KEY: '',
  GEMINI_API_KEY: '',
  GOOGLE_API_KEY: '',
});

describe('agent', () => {
  it('hands its words on, and what the agent prints and ends with back', async () => {
    const env = plain();
    const asked = [
      'agent',
      '--json',
      '-p',
      'remember: never touch the migrations folder',
      '-p',
      'what did I ask first?',
    ];
    const { code, out } = await runPalimpsest([...asked, '--cwd', newFolder()], { env });
    expect(code).toBe(0);
    const events = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
    expect(events.filter(({ type }) => type === 'turn-ended')).toHaveLength(2);
    expect(out).toContain('migrations folder');

    const misused = await runPalimpsest(['agent', '--no-such-flag'], { env });
    expect(misused).toMatchObject({ code: 2, out: '' });
    expect(misused.err).toContain('--no-such-flag');
  });

  it('gives the agent its own input', async () => {
    const { child, ran } = startPalimpsest(['agent', '-p', '-', '--cwd', newFolder()], plain());
    child.stdin.end('what did I ask first?');
    expect(await ran).toMatchObject({ code: 0, out: expect.stringMatching(/first/) });
  });

  it('a signal to end reaches the agent, whose exit code is ours', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const asked = once(server, 'request') as Promise<[IncomingMessage]>;
    const words = ['--provider', 'openai-chat', '--base-url', url, '--model', 'some', '--window', '16000'];
    const { child, ran } = startPalimpsest(['agent', ...words, '-p', 'hello', '--cwd', newFolder()], {
      ...plain(),
      OPENAI_API_KEY: 'any',
    });
    const [request] = await Promise.race([asked, ran.then((ended) => Promise.reject(new Error(ended.err)))]);
    const hungUp = once(request.socket, 'close');
    child.kill('SIGTERM');
    expect((await ran).code).toBe(130);
    await hungUp;
  });

  it('has the help and the version of the agent; ours names it', async () => {
    const { out } = await runPalimpsest(['agent', '--help']);
    expect(out).toContain('palimpsest-agent');
    expect((await hear(['--help'])).out).toMatch(/^ +agent /m);
  });
});
