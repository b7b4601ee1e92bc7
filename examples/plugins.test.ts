import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

// Their types are checked by `npm run check:plugins`, against packages that the workspace does not have.
const folder = mkdtempSync(join(tmpdir(), 'palimpsest-plugins-'));
const load = (name: string): Promise<Record<string, unknown>> => import(join(folder, `${name}.js`));

beforeAll(() => {
  // What `npm run bundle:plugins` runs; nothing else lies beside the files that it makes.
  const script = fileURLToPath(new URL('../scripts/bundle-plugins.mjs', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const RULE = 'Never touch db/migrations, whatever happens.';

it('the opencode plugin puts the user’s words and rules behind a summary, once, whatever it says, and recalls what was said', async () => {
  const message = (id: string, role: string, text: string) => ({
    info: { id, role, sessionID: 's1', time: { created: 1, completed: 2 } },
    parts: [{ id: `p-${id}`, type: 'text', text, messageID: id, sessionID: 's1' }],
  });
  const data = [message('m1', 'user', RULE), message('m2', 'assistant', 'The mill stands in src/mill.ts.')];
  const client = { session: { messages: async () => ({ data }) } };
  const { Palimpsest } = (await load('opencode-palimpsest')) as { Palimpsest: (input: unknown) => Promise<never> };
  const hooks = (await Palimpsest({ client })) as {
    'experimental.session.compacting'(input: unknown, output: { context: string[] }): Promise<void>;
    'experimental.text.complete'(input: unknown, output: { text: string }): Promise<void>;
    tool: { recall: { execute(args: unknown, context: unknown): Promise<string> } };
  };
  const output = { context: [] as string[] };
  await hooks['experimental.session.compacting']({ sessionID: 's1' }, output);
  expect(output.context.join('\n')).toContain(RULE);
  const complete = async (sessionID: string): Promise<string> => {
    const said = { text: 'We went on.' };
    await hooks['experimental.text.complete']({ sessionID }, said);
    return said.text;
  };
  expect(await complete('s2')).toBe('We went on.');
  expect(await complete('s1')).toContain(RULE);
  expect(await complete('s1')).toBe('We went on.');
  expect(await hooks.tool.recall.execute({ query: 'mill' }, { sessionID: 's1' })).toContain('src/mill.ts');
});

it('the pi extension writes a compaction from all that was said before the kept part, and recalls the rest', async () => {
  const entry = (n: number, role: string, text: string) => ({
    type: 'message',
    id: `e${n}`,
    parentId: n === 1 ? null : `e${n - 1}`,
    timestamp: '2026-11-16T00:00:00.000Z',
    message: { role, content: [{ type: 'text', text }], timestamp: n },
  });
  const entries = [
    entry(1, 'user', RULE),
    entry(2, 'assistant', 'The mill stands in src/mill.ts.'),
    entry(3, 'user', 'And now the weir.'),
  ];
  const { default: extension } = (await load('pi-palimpsest')) as { default: (pi: unknown) => void };
  const heard = new Map<string, (event: unknown) => unknown>();
  const commands = new Map<string, { handler(words: string, ctx: unknown): Promise<void> }>();
  extension({
    on: (name: string, handler: (event: unknown) => unknown) => heard.set(name, handler),
    registerCommand: (name: string, command: never) => commands.set(name, command),
  });
  const preparation = { firstKeptEntryId: 'e3', tokensBefore: 900 };
  const answer = heard.get('session_before_compact')?.({ preparation, branchEntries: entries }) as {
    compaction: { summary: string };
  };
  expect(answer.compaction).toMatchObject(preparation);
  expect(answer.compaction.summary).toContain(RULE);
  expect(answer.compaction.summary).not.toContain('weir');
  const said: string[] = [];
  await commands.get('recall')?.handler('mill', {
    sessionManager: { getBranch: () => entries },
    ui: { notify: (text: string) => said.push(text) },
  });
  expect(said.join('\n')).toContain('src/mill.ts');
});
