import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSim } from '@palimpsest/sim';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newFolder, runPalimpsest } from '../run-palimpsest.ts';
import { startPalimpsest } from './start-palimpsest.ts';

/** Programs by these names that do what a script says. */
function install(script: string, ...names: string[]): { PATH: string; HOME: string } {
  const folder = newFolder();
  const home = join(folder, 'home');
  mkdirSync(home);
  for (const name of names) {
    writeFileSync(join(folder, name), `#!${process.execPath}\n${script}`);
    chmodSync(join(folder, name), 0o755);
  }
  return { PATH: `${folder}:${process.env.PATH}`, HOME: home };
}

const SAY = `console.log(JSON.stringify({ argv: process.argv.slice(2), env: process.env }));`;

describe('run', () => {
  it('starts each client with its base URL set, by environment and flags alone', async () => {
    const env = install(SAY, 'claude', 'codex', 'opencode', 'pi', 'gemini', 'qwen');
    const said = async (client: string) => {
      const { out, code } = await runPalimpsest(['run', client, '-p', 'hi', '--model', 'm'], { env });
      expect(code).toBe(0);
      return JSON.parse(out) as { argv: string[]; env: Record<string, string> };
    };
    const local = /^http:\/\/127\.0\.0\.1:\d+/;
    expect((await said('claude')).env.ANTHROPIC_BASE_URL).toMatch(local);
    const codex = await said('codex');
    expect(codex.argv.join(' ')).toMatch(/base_url="http:\/\/127\.0\.0\.1:\d+\/v1".* -p hi --model m$/);
    expect(JSON.parse((await said('opencode')).env.OPENCODE_CONFIG_CONTENT!)).toMatchObject({
      provider: { anthropic: { options: { baseURL: expect.stringMatching(local) } } },
    });
    expect((await said('gemini')).env.GOOGLE_GEMINI_BASE_URL).toMatch(local);
    expect((await said('qwen')).env.OPENAI_BASE_URL).toMatch(local);
    expect((await said('pi')).argv).toEqual(['-e', expect.stringMatching(/\.mjs$/), '-p', 'hi', '--model', 'm']);
    expect(readdirSync(env.HOME)).toEqual([]);
  });

  it('gives pi, which knows no variable for it, an extension of this run that sets every provider’s base URL', async () => {
    const env = install(
      `const { pathToFileURL } = require('node:url');
       const file = process.argv[3];
       import(pathToFileURL(file)).then(({ default: extend }) => {
         const registered = {};
         extend({ registerProvider: (name, { baseUrl }) => { registered[name] = new URL(baseUrl).pathname; } });
         console.log(JSON.stringify({ file, registered }));
       });`,
      'pi',
    );
    const { out, err } = await runPalimpsest(['run', '--quiet', 'pi', '-p', 'hi'], { env });
    const { file, registered } = JSON.parse(out) as { file: string; registered: Record<string, string> };
    expect(err).toBe('');
    expect(registered).toEqual({ anthropic: '/', openai: '/v1', google: '/v1beta' });
    expect(existsSync(file)).toBe(false);
  });

  it('lays its settings for opencode over those that the environment has', async () => {
    const env = install(SAY, 'opencode');
    const mine = { model: 'anthropic/m', provider: { anthropic: { options: { timeout: 9 } }, house: { npm: 'x' } } };
    const settings = async (content: string) => {
      const { out } = await runPalimpsest(['run', 'opencode'], { env: { ...env, OPENCODE_CONFIG_CONTENT: content } });
      return JSON.parse(JSON.parse(out).env.OPENCODE_CONFIG_CONTENT) as unknown;
    };
    const base = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1/);
    expect(await settings(JSON.stringify(mine))).toMatchObject({
      model: 'anthropic/m',
      provider: { anthropic: { options: { timeout: 9, baseURL: base } }, house: { npm: 'x' } },
    });
    const commented = '{ // a, comment\n "model": "x//y",\n /* "a": 1, */ "tools": ["a, ]", ], }';
    expect(await settings(commented)).toMatchObject({
      model: 'x//y',
      tools: ['a, ]'],
      provider: { openai: { options: { baseURL: base } } },
    });
    const broken = await runPalimpsest(['run', 'opencode'], { env: { ...env, OPENCODE_CONFIG_CONTENT: '{ "a": ' } });
    expect([broken.code, broken.err]).toEqual([2, expect.stringContaining('OPENCODE_CONFIG_CONTENT is no JSON')]);
  });

  const ask = (model: string): string =>
    `const body = JSON.stringify({ model: '${model}', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] });
     const headers = { 'content-type': 'application/json', 'x-api-key': 'k', 'anthropic-version': '2023-06-01' };
     const send = () => fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', headers, body });
     send().then(send);`;

  it('says at the end why requests went on as they came, once for each reason', async () => {
    const sim = await startSim();
    onTestFinished(sim.close);
    const told = async (model: string): Promise<string> =>
      (await runPalimpsest(['run', '--quiet', '--upstream', sim.url, 'claude'], { env: install(ask(model), 'claude') }))
        .err;
    expect(await told('house-model')).toBe(
      'palimpsest: 2 requests went on as they came: the window of house-model is not known (--window)\n',
    );
    expect(await told('claude-sonnet-5')).toBe('');
  });

  it('passes the client’s requests on, and ends with the client’s exit code', async () => {
    const sim = await startSim();
    onTestFinished(sim.close);
    const env = install(
      `const body = JSON.stringify({ model: 'claude-sonnet-5', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] });
       const headers = { 'content-type': 'application/json', 'x-api-key': 'k', 'anthropic-version': '2023-06-01' };
       fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', headers, body })
         .then((answer) => { process.exitCode = answer.status === 200 ? 7 : 1; });`,
      'claude',
    );
    const { code, err } = await runPalimpsest(['run', '--quiet', '--upstream', sim.url, 'claude'], { env });
    expect({ code, err }).toEqual({ code: 7, err: '' });
    expect(sim.requests).toHaveLength(1);
  });

  const WORK = `const url = process.env.ANTHROPIC_BASE_URL + '/v1/messages';
     const headers = { 'content-type': 'application/json', 'x-api-key': 'k', 'anthropic-version': '2023-06-01' };
     const messages = [{ role: 'user', content: 'Never touch LOCKED.md.' }];
     (async () => {
       for (let n = 0; n < 30; n++) {
         messages.push({ role: 'assistant', content: 'Part ' + n + ': ' + 'more words '.repeat(300) }, { role: 'user', content: 'Go on with ' + n });
         const body = JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 9, messages });
         const answer = await fetch(url, { method: 'POST', headers, body });
         await answer.text();
       }
     })();`;
  const PLACE = String.raw`127\.0\.0\.1:\d+`;

  it('says at the start where its page is, and at the end what was saved', async () => {
    const sim = await startSim();
    onTestFinished(sim.close);
    const words = ['run', '--upstream', sim.url, '--window', '8000', 'claude'];
    const { err, out } = await runPalimpsest(words, { env: install(WORK, 'claude') });
    const [first, last, ...others] = err.trimEnd().split('\n');
    expect(first).toMatch(
      new RegExp(
        `^palimpsest: in front of Claude Code, to http://${PLACE} · window 8,000 · nothing is written down · page: http://${PLACE}/inspect\\?key=[\\w-]+$`,
      ),
    );
    expect(last).toMatch(
      /^palimpsest: 30 requests, \d+ compactions, [\d,]+ tokens not sent, about \$[\d.]+ (?:saved|lost) · its page ended with the run \(--store keeps conversations\)$/,
    );
    expect([others, out]).toEqual([[], '']);
  });

  it('names a command at the end that shows the page, where the conversation was kept', async () => {
    const sim = await startSim();
    onTestFinished(sim.close);
    const store = newFolder();
    const words = ['run', '--upstream', sim.url, '--window', '8000', '--store', store, 'claude'];
    const { err } = await runPalimpsest(words, { env: install(WORK, 'claude') });
    const command = / · page: palimpsest (inspect .*)$/m.exec(err)?.[1]?.split(' ') ?? [];
    const page = join(newFolder(), 'page.html');
    const shown = await runPalimpsest([...command, '--html', page]);
    expect(shown.code).toBe(0);
    expect(existsSync(page)).toBe(true);
  });

  it('says so at the end where nothing was compacted, or nothing came through', async () => {
    const sim = await startSim();
    onTestFinished(sim.close);
    const end = async (script: string): Promise<string | undefined> => {
      const { err } = await runPalimpsest(['run', '--upstream', sim.url, 'claude'], { env: install(script, 'claude') });
      return err.trimEnd().split('\n').at(-1);
    };
    expect(await end(ask('claude-sonnet-5'))).toBe('palimpsest: 2 requests, nothing had to be compacted');
    expect(await end(`console.log('hi')`)).toBe('palimpsest: no request came through the gateway');
  });

  it('hands signals to the client, and says so where it is not there or not known', async () => {
    const env = install(`console.log('up'); setInterval(() => {}, 1000);`, 'claude');
    const { child, ran, said } = startPalimpsest(['run', 'claude'], env);
    await said('up');
    child.kill('SIGTERM');
    expect((await ran).code).toBe(143);
    expect((await runPalimpsest(['run', 'nobody'])).err).toContain('there is no client "nobody"');
    const missing = await runPalimpsest(['run', 'qwen'], { env: { PATH: '/nowhere' } });
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('Qwen Code is not installed here')]);
  });
});
