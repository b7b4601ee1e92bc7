import { startSim } from '@palimpsest/sim';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runPalimpsest } from '../run-palimpsest.ts';
import { fileOf } from './fixtures.ts';
import { startPalimpsest } from './start-palimpsest.ts';

const ask = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': 'sk-secret-1',
      'anthropic-version': '2023-06-01',
      ...headers,
    },
    body: JSON.stringify({
      model: 'claude-sonnet-5-5',
      max_tokens: 50,
      messages: [{ role: 'user', content: 'a private word' }],
    }),
  });

async function provider(): Promise<string> {
  const sim = await startSim();
  onTestFinished(sim.close);
  return sim.url;
}

describe('gateway', () => {
  it('says what to set, passes requests on, prints a line for each without a secret or a word of it, and ends on a signal', async () => {
    const upstream = await provider();
    const flags = ['--upstream', upstream, '--window', '30000'];
    const { child, ran, said } = startPalimpsest(['gateway', '--port', '0', ...flags]);
    const url = (await said('Ctrl-C')).split('\n')[0]!;
    expect(await said('Ctrl-C')).toContain(`ANTHROPIC_BASE_URL=${url} claude`);
    expect(await said('Ctrl-C')).toContain(`to ${upstream} · window 30,000 · nothing is written down`);
    const answer = await ask(url);
    expect(await answer.json()).toMatchObject({ role: 'assistant' });
    const out = await said('POST /v1/messages');
    expect(out).toMatch(/^\d\d:\d\d:\d\d POST \/v1\/messages 200 \d+ ms · anthropic/m);
    child.kill('SIGTERM');
    const { code, err, out: all } = await ran;
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(all).not.toMatch(/sk-secret|private word/);
  });

  it('prints where its conversations are seen; inspect takes that address, and says what is wrong with another', async () => {
    const { child, ran, said } = startPalimpsest(['gateway', '--port', '0', '--upstream', await provider()]);
    const [, address = ''] = /What it keeps (\S+)/.exec(await said('Ctrl-C')) ?? [];
    const { code, out } = await runPalimpsest(['inspect', address, '--no-open']);
    expect({ code, out: out.trim() }).toEqual({ code: 0, out: address });
    const keyless = await runPalimpsest(['inspect', address.replace(/\?.*/, ''), '--no-open']);
    expect(keyless.code).toBe(1);
    expect(keyless.err).toContain('asks for a key');
    child.kill('SIGTERM');
    await ran;
    expect((await runPalimpsest(['inspect', address, '--no-open'])).err).toContain('no page of a gateway is there');
  });

  it('takes upstreams and keys from a file, whose keys stand in the environment', async () => {
    const file = fileOf(
      'gateway.json',
      JSON.stringify({
        upstreams: { anthropic: { url: await provider(), keyFrom: 'REAL_KEY' } },
        keys: { alice: 'ALICE' },
      }),
    );
    const env = { REAL_KEY: 'sk-real', ALICE: 'key-of-alice-0123' };
    const { said } = startPalimpsest(['gateway', '--port', '0', '--config', file, '--json'], env);
    const { url } = JSON.parse((await said('\n')).split('\n')[0]!) as { url: string };
    expect((await ask(url)).status).toBe(401);
    expect((await ask(url, { 'x-api-key': 'key-of-alice-0123' })).status).toBe(200);
    const lines = (await said('"status":200'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines.at(-1)).toMatchObject({ type: 'request', status: 200, path: '/v1/messages' });
    expect(JSON.stringify(lines)).not.toMatch(/sk-real|key-of-alice/);
  });

  it('is looked at by the doctor', async () => {
    const { said } = startPalimpsest(['gateway', '--port', '0', '--upstream', await provider(), '--json']);
    const { url } = JSON.parse((await said('\n')).split('\n')[0]!) as { url: string };
    await ask(url);
    const look = (place: string) => runPalimpsest(['doctor'], { env: { PALIMPSEST_GATEWAY: place } });
    expect((await look(url)).out).toMatch(new RegExp(`✓ gateway +runs at ${url}: \\d+ requests, 0 compactions`));
    expect((await runPalimpsest(['doctor', url])).out).toContain(`runs at ${url}`);
    expect((await runPalimpsest(['doctor', 'nowhere'])).err).toContain('It is an address such as');
    const gone = await look('http://127.0.0.1:9');
    expect([gone.code, gone.out]).toEqual([1, expect.stringContaining('http://127.0.0.1:9 does not answer')]);
  });

  it('repeats no password of its store, wherever it stands in the address', async () => {
    const place = 'postgres://me:p@ss%2Fword1@127.0.0.1:9/db?user=me&password=word2&sslmode=disable';
    const env = { PALIMPSEST_GATEWAY_SECRET: 'a secret of all' };
    const { child, ran, said } = startPalimpsest(['gateway', '--port', '0', '--store', place], env);
    expect(await said('Ctrl-C')).toContain('kept at postgres://127.0.0.1:9/db');
    child.kill('SIGTERM');
    const { out, err } = await ran;
    expect(out + err).not.toMatch(/ss%2F|word[12]|a secret of all/);
  });

  it('says what is wrong with what it was told', async () => {
    const wrong = async (...words: string[]) => (await runPalimpsest(['gateway', '--port', '0', ...words])).err;
    expect(await wrong('--upstream', 'nowhere')).toContain('It is an address such as');
    expect(await wrong('--host', '0.0.0.0')).toContain('needs a key of its own');
    expect(await wrong('--config', fileOf('bad.json', '{"upstream":1}'))).toContain('there is no setting upstream');
    for (const [name, value] of [
      ['keys', { alice: 5 }],
      ['keys', ['ALICE']],
      ['keys', 'ALICE'],
      ['upstreams', { anthropic: { keyFrom: 'A' } }],
      ['upstreams', { anthropic: { url: 'http://127.0.0.1:1', key: 'sk-secret-2' } }],
      ['upstreams', { anthropic: { url: 'http://127.0.0.1:1', keyFORM: 'A' } }],
      ['windows', { m: '32000' }],
      ['windows', { m: 0.5 }],
      ['preset', 'constructor'],
      ['recall', 'yes'],
      ['summaries', true],
      ['port', '7474'],
      ['host', 1],
    ] as const)
      expect(await wrong('--config', fileOf('odd.json', JSON.stringify({ [name]: value })))).toContain(
        `${name} must be `,
      );
    const missing = JSON.stringify({ keys: { a: 'NO_SUCH_VARIABLE' } });
    expect(await wrong('--config', fileOf('key.json', missing))).toContain('NO_SUCH_VARIABLE, which is not set');
  });
});
