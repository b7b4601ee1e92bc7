import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../src/program/settings.ts';
import { eventsOf, newFolder, run } from './support/launch.ts';
import { testProvider } from './support/provider.ts';

function write(file: string, value: unknown): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  return file;
}

const inProject = (root: string, value: unknown): string => write(join(root, '.palimpsest/settings.json'), value);
const inHome = (home: string, value: unknown): string => write(join(home, 'settings.json'), value);

describe('settings', () => {
  it('are none where there is no file', async () => {
    expect(await readSettings(newFolder(), newFolder())).toEqual({
      compaction: {},
      settingsHooks: [],
      settingsServers: [],
    });
  });

  it('of the folder count before the user’s own, key by key; hooks of both are heard', async () => {
    const [root, home] = [newFolder(), newFolder()];
    inHome(home, {
      compaction: { preset: 'claude-code', layers: { snipMiddle: true }, reserved: 9_000, auto: false },
      summaryModel: 'claude-haiku-4-5',
      hooks: { beforeTool: [{ command: 'mine' }] },
    });
    inProject(root, {
      compaction: { layers: { capResults: false }, reserved: 5_000 },
      hooks: { beforeTool: [{ command: 'theirs', tools: ['bash'], timeoutSeconds: 3 }] },
    });
    const found = await readSettings(root, home);
    expect(found.compaction).toEqual({
      preset: 'claude-code',
      layers: { snipMiddle: true, capResults: false },
      reserved: 5_000,
      auto: false,
    });
    expect(found.summaryModel).toBe('claude-haiku-4-5');
    expect(found.settingsHooks).toMatchObject([
      { commands: { beforeTool: [{ command: 'mine' }] }, source: join(home, 'settings.json') },
      { commands: { beforeTool: [{ command: 'theirs' }] }, source: '.palimpsest/settings.json' },
    ]);
    expect(found.settingsHooks.map(({ trust }) => trust !== undefined)).toEqual([false, true]);
  });

  it('about the layers of one preset are not for another', async () => {
    const [root, home] = [newFolder(), newFolder()];
    inHome(home, { compaction: { preset: 'claude-code', layers: { capResults: false } } });
    inProject(root, { compaction: { preset: 'open-code', layers: { clearOldResults: true } } });
    expect((await readSettings(root, home)).compaction).toEqual({
      preset: 'open-code',
      layers: { clearOldResults: true },
    });
  });

  it('name MCP servers of the user’s own, and of the folder, which need trust', async () => {
    const [root, home] = [newFolder(), newFolder()];
    inHome(home, { mcpServers: { mill: { command: 'mill' } } });
    inProject(root, { mcpServers: { weir: { type: 'stdio', command: 'weir', args: ['-y'], env: { A: 'b' } } } });
    const { settingsServers } = await readSettings(root, home);
    expect(settingsServers).toMatchObject([
      { servers: { mill: { command: 'mill' } }, source: join(home, 'settings.json') },
      { servers: { weir: { command: 'weir', args: ['-y'], env: { A: 'b' } } }, source: '.palimpsest/settings.json' },
    ]);
    expect(settingsServers.map(({ trust }) => trust !== undefined)).toEqual([false, true]);
  });

  it('of the folder above the user’s own are the user’s: they are read once', async () => {
    const root = newFolder();
    const home = join(root, '.palimpsest');
    inHome(home, { hooks: { afterTool: [{ command: 'mine' }] } });
    expect((await readSettings(root, home)).settingsHooks).toHaveLength(1);
  });

  it.each([
    ['{ "compaction": ', /is no JSON \(.+\)\. Mend it or remove it; nothing was begun\.$/],
    [[], /must hold an object such as \{ "compaction": \{ "preset": "s08" \} \}/],
    [{ prices: { input: -1 } }, /"prices\.input" must be a price of 0 or more/],
    [{ prices: { entry: 3 } }, /"prices\.entry" is not known; there are input, output, cacheRead, cacheWrite/],
    [{ compactoin: {} }, /"compactoin" is not known; there are compaction, summaryModel, prices, hooks, mcpServers/],
    [{ compaction: 3 }, /"compaction" must be an object such as/],
    [{ compaction: { preset: 's09' } }, /"compaction": .*preset.*default.*claude-code.*open-code.*s08/],
    [{ compaction: { tail_truns: 3 } }, /"compaction": .*tail_truns/],
    [{ compaction: { layers: { snipMidle: true } } }, /"compaction": .*snipMidle/],
    [{ compaction: { reserved: 'much' } }, /"compaction": .*reserved/],
    [{ summaryModel: 7 }, /"summaryModel" must be the name of a model/],
    [{ hooks: { beforeTools: [] } }, /"hooks.beforeTools" is not known; there are beforeTool, afterTool/],
    [{ hooks: { beforeTool: 'x' } }, /"hooks.beforeTool" must be a list of \{ "command": "…" \}/],
    [{ hooks: { beforeTool: [{}] } }, /"hooks.beforeTool\[0\].command" must be a command, as text/],
    [{ hooks: { afterTool: [{ command: 'x', timeoutSeconds: 99 }] } }, /timeoutSeconds" must be a number of seconds/],
    [{ mcpServers: { mill: {} } }, /"mcpServers.mill.command" must be a command, as text/],
    [{ mcpServers: { mill: { command: 'x', args: 'y' } } }, /"mcpServers.mill.args" must be a list of texts/],
    [{ mcpServers: { mill: { command: 'x', env: { A: 1 } } } }, /"mcpServers.mill.env.A" must be a text/],
    [{ mcpServers: { mill: { type: 'http', command: 'x' } } }, /"mcpServers.mill.type" must be "stdio": servers are/],
    [
      { mcpServers: { mill: { command: 'x', url: 'y' } } },
      /"mcpServers.mill.url" is not known; there are type, command/,
    ],
    [{ mcpServers: { 'a mill': { command: 'x' } } }, /"mcpServers.a mill" must be a name of letters, digits, - and _/],
    [{ mcpServers: { mill: { command: 'x', timeoutSeconds: 999 } } }, /timeoutSeconds" must be a number of seconds/],
    [
      { hooks: { afterTool: [{ command: 'x', tool: 'bash' }] } },
      /"hooks.afterTool\[0\].tool" is not known; there are command/,
    ],
  ])('that make no sense (%j) are refused with the file, the key and what to write', async (value, problem) => {
    const [root, home] = [newFolder(), newFolder()];
    const file = inProject(root, value);
    await expect(readSettings(root, home)).rejects.toMatchObject({ code: 'bad-option' });
    await expect(readSettings(root, home)).rejects.toThrow(problem);
    await expect(readSettings(root, home)).rejects.toThrow(file);
  });
});

describe('what is trusted', () => {
  it('are these commands in this folder with the scripts they name; what they only write is no part of it', async () => {
    const [root, home] = [newFolder(), newFolder()];
    writeFileSync(join(root, 'check.sh'), 'exit 0\n');
    const value = { hooks: { beforeTool: [{ command: 'sh ./check.sh >> log.txt' }] } };
    inProject(root, value);
    const trust = async (folder = root) => (await readSettings(folder, home)).settingsHooks[0]!.trust!;
    expect(await (await trust()).isGiven()).toBe(false);
    await (await trust()).remember();
    writeFileSync(join(root, 'log.txt'), 'ran\n');
    expect(await (await trust()).isGiven()).toBe(true);
    expect(statSync(join(home, 'trusted-hooks.json')).mode & 0o077).toBe(0);
    const other = newFolder();
    inProject(other, value);
    expect(await (await trust(other)).isGiven()).toBe(false);
    writeFileSync(join(root, 'check.sh'), 'exit 1\n');
    expect(await (await trust()).isGiven()).toBe(false);
    await (await trust()).remember();
    inProject(root, { hooks: { afterTool: [{ command: 'sh ./check.sh >> log.txt' }] } });
    expect(await (await trust()).isGiven()).toBe(false);
  });
});

it('servers are trusted as they are, with the scripts that their arguments name, and apart from hooks', async () => {
  const [root, home] = [newFolder(), newFolder()];
  writeFileSync(join(root, 'server.mjs'), '// one\n');
  inProject(root, {
    hooks: { beforeTool: [{ command: 'echo x' }] },
    mcpServers: { mill: { command: 'node', args: ['server.mjs'] } },
  });
  const trust = async () => (await readSettings(root, home)).settingsServers[0]!.trust!;
  await (await trust()).remember();
  expect(await (await trust()).isGiven()).toBe(true);
  expect(await (await readSettings(root, home)).settingsHooks[0]!.trust!.isGiven()).toBe(false);
  writeFileSync(join(root, 'server.mjs'), '// two\n');
  expect(await (await trust()).isGiven()).toBe(false);
});

describe('the agent as a process', () => {
  it('ends with 2 and one line where the settings make no sense, and has begun nothing', async () => {
    const [root, home] = [newFolder(), newFolder()];
    const file = inProject(root, { compaction: { preset: 's09' } });
    const ran = await run(['--cwd', root, '-p', 'hello'], { home });
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(file);
    expect(ran.stderr.trim().split('\n')).toHaveLength(1);
  });

  it('takes the preset of the settings for a new session, a flag before it, and a session its own', async () => {
    const [root, home] = [newFolder(), newFolder()];
    inProject(root, { compaction: { preset: 's08' } });
    const opened = async (...words: readonly string[]) =>
      eventsOf(await run(['--cwd', root, '--json', ...words, '-p', 'hello'], { home }))[0];
    expect(await opened()).toMatchObject({ type: 'session-opened', preset: 's08' });
    expect(await opened('--preset', 'open-code')).toMatchObject({ preset: 'open-code' });
    expect(await opened('--resume')).toMatchObject({ resumed: true, preset: 'open-code' });
    const wrong = await run(['--cwd', root, '--preset', 's09', '-p', 'hello'], { home });
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain(
      'there is no preset "s09": use one of default, faithful, lean, claude-code, open-code, s08.',
    );
  });

  it('does not compact by itself where the user’s own settings say auto: false, and /compact still does', async () => {
    const [root, home] = [newFolder(), newFolder()];
    inHome(home, { compaction: { auto: false } });
    for (let n = 0; n < 4; n++) writeFileSync(join(root, `f${n}.txt`), `${n} the mill grinds\n`.repeat(400));
    const words = ['-p', 'read f0.txt', '-p', 'read f1.txt', '-p', 'read f2.txt', '-p', '/context', '-p', '/compact'];
    const ran = await run(['--cwd', root, ...words], { home });
    expect(ran.stderr).not.toContain('Compacted (automatic)');
    expect(ran.stderr).toContain('Compacted (as you asked)');
    expect(ran.code).toBe(0);
  });

  it('has summaries written by the model that is named for them, and by that alone', async () => {
    const provider = await testProvider(({ isSummary, body }) => ({
      text: isSummary ? 'no summary' : `answered by ${String(body.model)} ${'the mill grinds. '.repeat(600)}`,
    }));
    const [root, home] = [newFolder(), newFolder()];
    const words = [
      '--base-url',
      provider.url,
      '--model',
      'large',
      '--window',
      '40000',
      '--summary-model',
      'small@30_000',
    ];
    const said = ['a', 'b', 'c', 'd'].flatMap((name) => ['-p', `tell me ${name}`]);
    const ran = await run(['--cwd', root, ...words, ...said, '-p', '/compact'], { home });
    expect(ran.code, ran.stderr).toBe(0);
    const models = (isSummary: boolean) =>
      new Set(provider.asked.filter((one) => one.isSummary === isSummary).map(({ body }) => body.model));
    expect(models(false)).toEqual(new Set(['large']));
    expect(models(true)).toEqual(new Set(['small']));
    const unknown = await run(['--cwd', root, '--summary-model', 'small', '-p', 'x'], { home });
    expect(unknown).toMatchObject({ code: 2 });
    expect(unknown.stderr).toContain('the model for summaries: ');
  });

  it('runs hooks of the folder with --allow, and otherwise says that nobody has trusted them', async () => {
    const [root, home] = [newFolder(), newFolder()];
    inProject(root, { hooks: { beforeTool: [{ command: 'echo ran >> ran.txt' }] } });
    writeFileSync(join(root, 'a.txt'), 'x\n');
    const ran = await run(['--cwd', root, '-p', 'read a.txt'], { home });
    expect(ran.stderr).toContain('The hooks of .palimpsest/settings.json are not run: nobody can be asked');
    expect(() => statSync(join(root, 'ran.txt'))).toThrow();
    await run(['--cwd', root, '--allow', '-p', 'read a.txt'], { home });
    expect(readFileSync(join(root, 'ran.txt'), 'utf8')).toBe('ran\n');
    expect(() => statSync(join(home, 'trusted-hooks.json'))).toThrow();
  });
});
