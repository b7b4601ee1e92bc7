import { spawnSync } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { createSession, user } from '@palimpsest/core';
import { fileStore } from '@palimpsest/store';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newFolder, PALIMPSEST, runPalimpsest } from '../run-palimpsest.ts';
import { workdayFile } from './fixtures.ts';
import { FORGOTTEN } from './workday.ts';

interface Told {
  readonly text: string;
  readonly isError: boolean;
}
type Ask = (tool: string, input?: Record<string, unknown>) => Promise<Told>;

/** The server as an agent has it: a process of its own, spoken to by the official client. */
async function connect(...args: readonly string[]): Promise<{ client: Client; ask: Ask }> {
  const transport = new StdioClientTransport({ command: process.execPath, args: [PALIMPSEST, 'mcp', ...args] });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const ask: Ask = async (name, input = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: input });
    const [first] = content as readonly { readonly text: string }[];
    return { text: first?.text ?? '', isError: isError === true };
  };
  return { client, ask };
}

/** A stored session of ours, with a pin, small enough that nothing but a request compacts it. */
async function store(dir: string, id: string, ...said: readonly string[]): Promise<void> {
  const { journal } = await fileStore({ dir }).open(id);
  const session = createSession({ window: 4_000, journal });
  for (const text of said) session.append(user(text));
  session.pin(session.append(user('Never touch the migrations folder.')));
  for (let i = 0; i < 30; i++) session.append(user(`Then step ${i} was taken, ${'and so on '.repeat(60)}`));
  await session.view();
  await session.saved();
  await journal.close();
}

describe('an MCP server over a recording', () => {
  it('lends recall: search, reading by id, pages, by file', async () => {
    const { client, ask } = await connect(workdayFile());
    expect(client.getServerVersion()?.name).toBe('palimpsest');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['recall', 'receipts', 'pins', 'sessions']);
    const found = await ask('recall', { query: FORGOTTEN.identifier });
    expect(found.text).toContain(FORGOTTEN.identifier);
    const [, id = ''] = /^— (\S+) ·/m.exec(found.text) ?? [];
    expect((await ask('recall', { reference: id })).text).toMatch(/^Recalled /);
    expect((await ask('recall', { query: 'test', page: 2 })).text).not.toBe(
      (await ask('recall', { query: 'test' })).text,
    );
    expect((await ask('sessions')).text).toContain('workday');
    expect((await ask('receipts')).text).toMatch(/Nothing was compacted/);
    expect(await ask('recall', { reference: 'e999' })).toMatchObject({ isError: true });
    expect(await ask('nothing')).toMatchObject({ isError: true });
  });

  it('reads what the agent has written since', async () => {
    const file = join(newFolder(), 'live.jsonl');
    copyFileSync(workdayFile(), file);
    const { ask } = await connect(file);
    expect((await ask('recall', { query: 'zyzzyva' })).text).toMatch(/^Nothing/);
    const said = {
      type: 'user',
      uuid: 'u-new',
      sessionId: 's',
      message: { role: 'user', content: 'The zyzzyva sleeps.' },
    };
    const next = { ...said, uuid: 'u-next', message: { role: 'user', content: 'Where?' } };
    appendFileSync(file, `${JSON.stringify(said)}\n${JSON.stringify(next)}\n`);
    expect((await ask('recall', { query: 'zyzzyva' })).text).toContain('The zyzzyva sleeps.');
  });
});

describe('an MCP server over a store', () => {
  it('lends recall over all sessions or one, receipts and pins', async () => {
    const dir = newFolder();
    await store(dir, 'monday', 'The harbour opens at nine.');
    await store(dir, 'tuesday', 'The lighthouse is out.');
    const { ask } = await connect('--dir', dir);
    expect((await ask('sessions')).text.match(/monday|tuesday/g)).toHaveLength(2);
    expect((await ask('recall', { query: 'harbour' })).text).toMatch(/^Session monday[\s\S]*opens at nine/);
    expect((await ask('recall', { query: 'harbour', session: 'tuesday' })).text).toMatch(/^Nothing/);
    expect((await ask('pins', { session: 'mon' })).text).toMatch(/^— m2 · user\nNever touch the migrations folder\./);
    const receipts = (await ask('receipts', { session: 'monday' })).text;
    expect(receipts).toMatch(/recall e/);
    const [, ref = ''] = /recall (e\d+)/.exec(receipts) ?? [];
    expect(await ask('recall', { reference: ref, session: 'monday' })).toMatchObject({ isError: false });
    expect(await ask('recall', { query: 'x', session: 'sunday' })).toMatchObject({ isError: true });
  });

  it('serves the folder of another agent, and says what it cannot read when it is asked', async () => {
    const folder = join(newFolder(), 'projects');
    mkdirSync(folder);
    copyFileSync(workdayFile(), join(folder, 'a.jsonl'));
    writeFileSync(join(folder, 'b.jsonl'), 'no session');
    const { ask } = await connect(folder);
    expect((await ask('recall', { query: FORGOTTEN.identifier })).text).toMatch(/^Session a\.jsonl/);
    expect(await ask('recall', { query: 'x', session: 'b' })).toMatchObject({ isError: true });
  });
});

it('what has gone since is left out, and a page that cannot be is refused', async () => {
  const folder = newFolder();
  const files = ['a.jsonl', 'b.jsonl', 'c.jsonl'].map((name) => join(folder, name));
  for (const file of files) copyFileSync(workdayFile(), file);
  const { ask } = await connect(...files);
  rmSync(files[2] as string);
  expect((await ask('sessions')).text.split('\n')).toHaveLength(2);
  expect(await ask('recall', { query: 'test', page: 0 })).toMatchObject({ isError: true });
  expect((await ask('recall', { query: 'x'.repeat(100_000) })).text.length).toBeLessThan(400);
});

it('questions that are piped in are all answered; what cannot be read is complained of beside them', () => {
  const ask = (id: number, method: string, params = {}): string =>
    JSON.stringify({ jsonrpc: '2.0', id, method, params });
  const recall = ask(2, 'tools/call', { name: 'recall', arguments: { query: FORGOTTEN.identifier } });
  const said = ['{broken', '[]', ask(1, 'ping'), '', recall].join('\n');
  const { status, stdout, stderr } = spawnSync(process.execPath, [PALIMPSEST, 'mcp', workdayFile()], {
    input: `${said}\n`,
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual([1, 2]);
  expect(stderr).toMatch(/^palimpsest: mcp: .*JSON.*\npalimpsest: mcp: .*no JSON-RPC message\n/);
});

it('a file that is nowhere is one line and code 2, before any client is heard', async () => {
  const { code, out, err } = await runPalimpsest(['mcp', './nowhere.jsonl']);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(/nowhere\.jsonl/);
});
