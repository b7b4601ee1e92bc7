import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fastOrDeep, findObeyed, HOSTILE_TEXTS } from '@palimpsest/testing';
import { describe, expect, it } from 'vitest';
import { idle, terminalIn } from './support/in-terminal.ts';
import { eventsOf, newFolder } from './support/launch.ts';
import { type Reply, testProvider } from './support/provider.ts';
import { runInside } from './support/run-inside.ts';

const EVERY = fastOrDeep(4, 1);
const hostile = Object.entries(HOSTILE_TEXTS).filter((_, i) => i % EVERY === 2 % EVERY);
const ALL = Object.values(HOSTILE_TEXTS).join(' ');
/** A file may be called anything but this. */
const nameOf = (evil: string): string => evil.replace(/[\0/]|\p{Surrogate}/gu, '').slice(0, 80);

/** A folder with a file that is called and holds the text. */
function hostileFolder(evil: string): string {
  const root = newFolder();
  writeFileSync(join(root, `a${nameOf(evil)}.txt`), `needle ${evil}\n`);
  mkdirSync(join(root, 'skills', 'one'), { recursive: true });
  writeFileSync(join(root, 'skills', 'one', 'SKILL.md'), `---\nname: one\ndescription: ${evil}\n---\n${evil}\n`);
  return root;
}

/** A model that has been talked into everything: it calls tools by wrong names, for wrong files, and says what it read. */
const replies = (evil: string): readonly Reply[] => [
  {
    text: `before ${evil} after`,
    calls: [
      { id: 'c1', tool: 'glob', input: { pattern: '*' } },
      { id: 'c2', tool: 'grep', input: { pattern: 'needle' } },
      { id: 'c3', tool: 'read_file', input: { path: `a${nameOf(evil)}.txt` } },
      { id: 'c4', tool: 'read_file', input: { path: evil } },
      { id: 'c5', tool: 'bash', input: { command: `printf '%s' '${evil.replace(/['\0]/g, '')}'; exit 3` } },
      { id: 'c6', tool: 'grep', input: { pattern: `(${evil}` } },
      { id: 'c7', tool: 'write_file', input: { path: join(newFolder(), `b${nameOf(evil)}`), content: evil } },
      { id: 'c8', tool: 'task', input: { description: evil, prompt: evil } },
      { id: 'c9', tool: 'load_skill', input: { name: evil } },
      { id: 'c10', tool: 'todo_write', input: { todos: [{ text: evil, status: evil }] } },
    ],
  },
  { text: `done ${evil}` },
];

const options = (url: string, root: string) => ({
  baseUrl: url,
  model: 'm',
  window: 60_000,
  cwd: root,
  allow: true,
});

describe.each(hostile)('as a program, %s', (_, evil) => {
  it('nothing reaches a pipe that a terminal would obey, in words or as data', async () => {
    const provider = await testProvider((_asked, number) => replies(evil)[number - 1] ?? { text: `again ${evil}` });
    const home = newFolder();
    const environment = { FORCE_COLOR: '1' };
    const asked = options(provider.url, hostileFolder(evil));
    const spoken = await runInside(
      { ...asked, prompts: [evil || 'x', '/context', '/recall needle'] },
      { home, environment },
    );
    expect(spoken.code, spoken.stderr).toBe(0);
    expect(findObeyed(spoken.stdout, { keepsLines: true })).toEqual([]);
    expect(findObeyed(spoken.stderr)).toEqual([]);
    const data = await runInside({ ...asked, resume: true, json: true, prompts: [`and ${evil}`] }, { home });
    expect(findObeyed(data.stdout)).toEqual([]);
    const delivered = eventsOf(data).find(({ type }) => type === 'input-delivered');
    expect(delivered?.text).toBe(`and ${evil}`);
  });

  it('nothing of what a server refuses with, or of what was asked for wrongly, is obeyed', async () => {
    const provider = await testProvider(() => ({ status: 400, body: { error: { type: evil, message: evil } } }));
    const home = newFolder();
    const environment = { FORCE_COLOR: '1', PALIMPSEST_WINDOW: evil };
    const root = newFolder();
    const ran = await Promise.all([
      runInside({ ...options(provider.url, root), prompts: ['x'] }, { home }),
      runInside({ ...options(provider.url, root), model: evil, prompts: ['x'] }, { home }),
      runInside({ prompts: ['x'], cwd: join(root, evil) }, { home }),
      runInside({ prompts: ['x'], provider: evil }, { home }),
      runInside({ prompts: ['x'], resume: evil }, { home }),
      runInside({ prompts: [`/${evil}`, '/nonsense'], cwd: root }, { home }),
      runInside({ prompts: ['x'], cwd: root }, { home, environment }),
    ]);
    for (const { stdout, stderr, code } of ran) {
      expect(findObeyed(stdout, { keepsLines: true })).toEqual([]);
      expect(findObeyed(stderr)).toEqual([]);
      if (code !== 0) expect(stderr).not.toBe('');
    }
  });
});

describe('in a real terminal', () => {
  it('nothing of what a model, a file, a tool or the person pastes is obeyed', async () => {
    const provider = await testProvider((_asked, number) => replies(ALL)[number - 1] ?? { text: `again ${ALL}` });
    const root = hostileFolder(ALL);
    const words = ['--base-url', provider.url, '--model', 'm', '--window', '60000', '--allow'];
    const terminal = await terminalIn(root, words);
    const pasted = ALL.replace(/\p{Surrogate}/gu, '');
    terminal.type(`\u001b[200~${pasted}\u001b[201~`);
    await terminal.until('PAINTED');
    terminal.type('\r');
    await terminal.until('done a');
    await idle(terminal);
    for (const command of ['/context', '/recall needle', '/resume', '/receipt', '/permissions']) {
      terminal.enter(command);
      await terminal.until(`> ${command}`);
      await idle(terminal);
    }
    terminal.ctrl('o');
    await idle(terminal);
    terminal.ctrl('d');
    await terminal.ended;
    expect(findObeyed(terminal.raw(), { keepsLines: true })).toEqual([]);
  });
});
