import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileStore } from '@palimpsest/store';
import { describe, expect, it } from 'vitest';
import { sampleFolder } from '../src/sample/sample-folder.ts';
import { eventsOf, newFolder, run } from './support/launch.ts';
import { testProvider } from './support/provider.ts';
import { runInside } from './support/run-inside.ts';

interface ReceiptEvent {
  readonly type: string;
  readonly receipt: { readonly tokensAfter: number; readonly lines: readonly { readonly layer: string }[] };
}

describe('on the offline model', () => {
  it('200 files go through stash, clear, collapse and summary in a window of 16,000, and nothing is forgotten', async () => {
    const { root, remove } = await sampleFolder(200);
    const home = newFolder();
    const say = async (...requests: readonly string[]) => {
      const ran = await run(['--cwd', root, '--json', '--resume', ...requests.flatMap((request) => ['-p', request])], {
        home,
      });
      expect(ran.code, ran.stderr).toBe(0);
      return eventsOf(ran);
    };
    try {
      const first = await run(
        ['--cwd', root, '--json', '-p', 'remember: never touch db/migrations', '-p', 'read every file in src'],
        { home },
      );
      expect(first.code, first.stderr).toBe(0);
      const events = eventsOf(first);
      expect(events[0]).toMatchObject({ type: 'session-opened', window: 16_000, model: 'offline' });
      const read = events.filter(
        (event) => event.type === 'call-ended' && event.tool === 'read_file' && event.isError === false,
      );
      expect(new Set(read.map((event) => (event.input as { path: string }).path)).size).toBe(200);
      const layers = new Set(
        events.flatMap((event) =>
          event.type === 'view-compacted'
            ? (event as unknown as ReceiptEvent).receipt.lines.map(({ layer }) => layer)
            : [],
        ),
      );
      expect([...layers]).toEqual(
        expect.arrayContaining(['stash-large-results', 'clear-old-results', 'collapse-spans', 'summarize-history']),
      );
      for (const event of events) if (event.type === 'view-made') expect(event).toMatchObject({ fits: true });
      for (const event of events) if (event.type === 'view-made') expect(event.tokens).toBeLessThan(14_400);

      // Another process: all it has is the session on disk.
      const asked = await say('what did I ask first?', 'what must you never touch?');
      const answers = asked.flatMap((event) => (event.type === 'answer-ended' ? [String(event.text)] : []));
      expect(answers).toEqual([
        'First you said: “remember: never touch db/migrations”',
        'You said:\n  “remember: never touch db/migrations”',
      ]);
      expect(asked.some((event) => event.type === 'call-started')).toBe(false);

      const recalled = await say('what was in src/cart/module-005.ts?');
      const calls = recalled.flatMap((event) => (event.type === 'call-ended' ? [event.tool] : []));
      expect(calls.length).toBeGreaterThan(0);
      expect(new Set(calls)).toEqual(new Set(['recall']));
      const answer = recalled.findLast((event) => event.type === 'answer-ended')!.text as string;
      expect(answer).toContain('through recall');
      expect(answer).toContain('export function cart5Fee(cents: number): number {');
    } finally {
      await remove();
    }
  });

  it('the six plain requests work', async () => {
    const { root, remove } = await sampleFolder(12);
    try {
      const requests = [
        'read README.md, then read package.json',
        'read every file in src',
        'run the tests',
        'find where toCents is used in src/cart',
        'write "done" to notes/today.md',
        'what did I ask first?',
      ];
      const ran = await run(['--cwd', root, '--allow', ...requests.flatMap((request) => ['-p', request])], {
        home: newFolder(),
      });
      expect(ran.code, ran.stderr).toBe(0);
      expect(ran.stdout).toContain('# The corner shop');
      expect(ran.stdout).toContain('I have read all 12 files in src');
      expect(ran.stdout).toContain('npm test went well.');
      expect(ran.stdout).toContain('src/cart/module-000.ts:2:');
      expect(readFileSync(join(root, 'notes/today.md'), 'utf8')).toBe('done\n');
      expect(ran.stdout).toContain('First you said: “read README.md, then read package.json”');
      expect(ran.stderr).toContain('● read_file README.md');
    } finally {
      await remove();
    }
  });

  it('a command is not run without --allow, and the model is told why', async () => {
    const root = newFolder();
    const ran = await runInside(['--cwd', root, '-p', 'run `touch made`'], { home: newFolder() });
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('Not allowed: bash touch made. Nobody is there to ask');
    expect(() => readFileSync(join(root, 'made'))).toThrow();
  });

  it('slash commands can stand in place of requests', async () => {
    const { root, remove } = await sampleFolder(40);
    try {
      const ran = await run(
        [
          '--cwd',
          root,
          '-p',
          'read every file in src',
          '-p',
          '/receipt all',
          '-p',
          '/context',
          '-p',
          '/compact',
          '-p',
          '/undo',
          '-p',
          '/pin every file',
          '-p',
          '/recall cart5Fee',
          '-p',
          '/export all.md',
          '-p',
          '/model',
        ],
        { home: newFolder() },
      );
      expect(ran.code, ran.stderr).toBe(0);
      expect(ran.stdout).toMatch(/Compacted \(automatic\): [\d,]+ → [\d,]+ tokens/);
      expect(ran.stdout).toMatch(/tool definitions +[\d,]+ █+/);
      expect(ran.stderr).toMatch(/Compacted \(as you asked\)/);
      expect(ran.stderr).toMatch(/Taken back: [\d,]+ → [\d,]+ tokens/);
      expect(ran.stdout).toContain('Pinned: m2 read every file in src');
      expect(ran.stdout).toMatch(/m\d+ +result of read_file src\/cart\/module-005\.ts/);
      expect(ran.stdout).toContain('offline, window 16,000.');
      expect(readFileSync(join(root, 'all.md'), 'utf8')).toContain('export function cart5Fee');
    } finally {
      await remove();
    }
  });
});

describe('bad input', () => {
  it.each([
    [['--provider', 'acme', '-p', 'x'], 2, /no provider "acme"/],
    [['--provider', 'gemini', '-p', 'x'], 2, /GEMINI_API_KEY/],
    [
      ['--base-url', 'http://127.0.0.1:9', '--model', 'm', '-p', 'x'],
      2,
      /window of "m" is not known: pass it as --window/,
    ],
    [['--window', 'many', '-p', 'x'], 2, /whole number of tokens/],
    [['--resume', 'nothing', '-p', 'x'], 2, /no session "nothing"/],
    [['--cwd', '/nowhere', '-p', 'x'], 2, /no folder/],
    [['--json'], 2, /--json goes with -p/],
    [['-p', ''], 2, /-p needs words/],
    [['stray'], 2, /too many arguments/],
  ] as const)('%j ends with %i and says what to do', async (words, code, why) => {
    const ran = await runInside(words, { home: newFolder() });
    expect(ran.stderr).toMatch(why);
    expect(ran.stderr.trim().split('\n').length).toBeLessThan(4);
    expect(ran.code).toBe(code);
  });

  it('a wrong key ends with 3, a provider that is away with 4, and the session on disk is whole', async () => {
    const provider = await testProvider(() => ({ status: 401, body: { error: { message: 'no such key' } } }));
    const home = newFolder();
    const root = newFolder();
    const words = ['--cwd', root, '--model', 'm', '--window', '20000', '-p', 'hello'];
    const refused = await runInside(['--base-url', provider.url, ...words], {
      home,
      environment: { OPENAI_API_KEY: 'wrong' },
    });
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringMatching(/check OPENAI_API_KEY \(no such key\)/) });
    const away = await runInside(['--base-url', 'http://127.0.0.1:9', ...words], { home });
    expect(away).toMatchObject({ code: 4, stderr: expect.stringMatching(/http:\/\/127\.0\.0\.1:9 cannot be reached/) });
    const store = fileStore({ dir: join(home, 'sessions') });
    const kept = await store.list();
    expect(kept).toHaveLength(2);
    for (const { id } of kept) expect(JSON.stringify((await store.read(id)).records)).toContain('"hello"');
  });

  it('a place that cannot be written to ends with 5, in words', async () => {
    const home = join(newFolder(), 'a-file');
    writeFileSync(home, '');
    const ran = await runInside(['-p', 'hello'], { home });
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining('could not be saved') });
  });

  it('a full disk ends with 5; the session is whole and goes on when there is room', async () => {
    const { root, remove } = await sampleFolder(30);
    const home = newFolder();
    try {
      const full = await run(['--cwd', root, '-p', 'read every file in src'], {
        home,
        before: "trap '' XFSZ; ulimit -f 8",
      });
      expect(full.stderr).toMatch(/no room left/);
      expect(full.code).toBe(5);
      const on = await run(['--cwd', root, '--resume', '-p', 'continue'], { home });
      expect(on.code, on.stderr).toBe(0);
      expect(on.stdout).toContain('I have read all 30 files in src');
    } finally {
      await remove();
    }
  });

  it('a pipe that is closed ends it with 141, and the session is whole', async () => {
    const { root, remove } = await sampleFolder(60);
    const home = newFolder();
    try {
      const ran = await run(['--cwd', root, '--json', '-p', 'read every file in src'], { home, hearChars: 2_000 });
      expect(ran.code).toBe(141);
      const on = await run(['--cwd', root, '--resume', '-p', 'what did I ask first?'], { home });
      expect(on.stdout).toBe('First you said: “read every file in src”\n');
    } finally {
      await remove();
    }
  });

  it('a session that another process writes is not touched', async () => {
    const home = newFolder();
    const root = newFolder();
    await runInside(['--cwd', root, '-p', 'help'], { home });
    const store = fileStore({ dir: join(home, 'sessions') });
    const [session] = await store.list();
    const { journal } = await store.open(session!.id);
    const ran = await run(['--cwd', root, '--resume', '-p', 'x'], { home });
    await journal.close();
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringMatching(/is held by process \d+/) });
  });
});

it('colours go to terminals, and elsewhere only where they are asked for', async () => {
  const root = newFolder();
  writeFileSync(join(root, 'a.txt'), 'x\n');
  const words = ['--cwd', root, '-p', 'read a.txt'];
  expect((await runInside(words, { home: newFolder() })).stderr).not.toContain('\u001b[');
  expect((await runInside(words, { home: newFolder(), environment: { FORCE_COLOR: '1' } })).stderr).toContain(
    '\u001b[',
  );
});

it('the prompt can come through a pipe', async () => {
  const root = newFolder();
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src/a.txt'), 'the mill\n');
  const ran = await runInside(['--cwd', root, '-p', '-'], { home: newFolder(), input: 'read src/a.txt\n' });
  expect(ran.stdout).toContain('the mill');
});

it('without a terminal and without -p a sample conversation is played, and ends well', async () => {
  const home = newFolder();
  const ran = await run([], { home });
  expect(ran.code, ran.stderr).toBe(0);
  for (const words of [
    'not a language model|no language model',
    'Compacted \\(automatic\\)',
    'stash-large-results',
    'collapse-spans',
    'summarize-history',
    'First you said: “remember: never touch db/migrations”',
    'through recall m\\d+',
    'Taken back',
  ])
    expect(ran.stdout).toMatch(new RegExp(words));
  expect(await fileStore({ dir: join(home, 'sessions') }).list()).toEqual([]);
});
