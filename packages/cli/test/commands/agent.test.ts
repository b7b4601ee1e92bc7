import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PROVIDER_NAMES } from '@palimpsest/agent';
import { presets } from '@palimpsest/core';
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

  it('has its options in the help, every provider among them; the list of commands names it', async () => {
    const { code, out } = await hear(['agent', '--help']);
    expect({ code, usage: out.split('\n')[0] }).toEqual({ code: 0, usage: 'Usage: palimpsest agent [options]' });
    for (const name of PROVIDER_NAMES)
      expect(out).toMatch(new RegExp(`--provider <name> [^-]*(?:[a-z]-[^-]*)*\\b${name}\\b`));
    expect((await hear(['--help'])).out).toMatch(/^ +agent /m);
  });

  it.each([
    [['--window', 'many', '-p', 'x'], /whole number of tokens/],
    [['stray'], /too many arguments/],
  ])('%j is refused with code 2 and one line that names it', async (words, why) => {
    const { code, out, err } = await hear(['agent', ...words]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(err).toMatch(why);
  });
});

describe('agent, without a terminal and without options', () => {
  it('plays the sample, which proves that nothing was forgotten, and leaves nothing behind', async () => {
    const [home, scratch] = [newFolder(), newFolder()];
    const env = { ...plain(), PALIMPSEST_HOME: home, HOME: home, TMPDIR: scratch };
    const { code, out, err } = await runPalimpsest(['agent'], { env });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const { name } of presets.default()) expect(out).toMatch(new RegExp(`^ ${name} +[\\d,]+×`, 'm'));
    for (const words of [
      '✓ (\\d+) of \\1 hidden things read back by reference',
      '✓ (\\d+) of \\1 stashed texts read back',
      '✓ compacted once more, then undone: the view as it was',
      'model calls had in view:\\s+“never touch the\\s+migrations\\s+folder”',
      'In a terminal you can talk to an agent: npm start, or palimpsest agent\\.',
    ])
      expect(out).toMatch(new RegExp(words));
    expect(out).not.toContain('✗');
    expect([...readdirSync(home), ...readdirSync(scratch)]).toEqual([]);
  });

  it('and is broken off where nobody reads it any more', async () => {
    const TMPDIR = newFolder();
    const ran = await runPalimpsest(['agent'], {
      env: { ...plain(), TMPDIR },
      onFirstWords: (child) => child.stdout!.destroy(),
    });
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(readdirSync(TMPDIR)).toEqual([]);
  });
});
