import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventsOf, newFolder, newShop, run } from './support/launch.ts';
import { runInside } from './support/run-inside.ts';

interface ReceiptEvent {
  readonly type: string;
  readonly receipt: { readonly tokensAfter: number; readonly lines: readonly { readonly layer: string }[] };
}

describe('on the offline model', () => {
  it.each([
    ['default', ['stash-large-results', 'summarize-history']],
    ['lean', ['stash-large-results', 'clear-old-results', 'summarize-history']],
  ])(
    'with the preset %s, 200 files go through %j in a window of 16,000, and nothing is forgotten',
    async (preset, acting) => {
      const root = await newShop(200);
      const home = newFolder();
      const say = async (...requests: readonly string[]) => {
        const ran = await run(
          ['--cwd', root, '--json', '--resume', ...requests.flatMap((request) => ['-p', request])],
          {
            home,
          },
        );
        expect(ran.code, ran.stderr).toBe(0);
        return eventsOf(ran);
      };
      const first = await run(
        [
          ...['--cwd', root, '--json', '--preset', preset],
          ...['-p', 'remember: never touch db/migrations', '-p', 'read every file in src'],
        ],
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
      expect([...layers]).toEqual(expect.arrayContaining(acting));
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
    },
  );

  it.each([
    [
      'read README.md, then read package.json',
      ['read_file', 'read_file'],
      /# The corner shop[\s\S]*"name": "corner-shop"/,
    ],
    ['read every file in src', ['glob', ...Array<string>(12).fill('read_file')], /I have read all 12 files in src/],
    ['run the tests', ['glob', 'bash'], /npm test went well\.[\s\S]*# pass 1/],
    ['find where toCents is used in src/cart', ['grep'], /src\/cart\/module-000\.ts:2: import \{ toCents \}/],
    ['write "done" to notes/today.md', ['write_file'], /Wrote notes\/today\.md \(1 line\)\./],
    ['what did I ask first?', [], /First you said: “remember: never touch db\/migrations”/],
    ['what must you never touch?', [], /You said:\n {2}“remember: never touch db\/migrations”/],
  ] as const)('“%s” calls the tools %j, and is answered', async (request, tools, answer) => {
    const root = await newShop(12);
    const prompts = ['remember: never touch db/migrations', request];
    const ran = await runInside({ cwd: root, allow: true, json: true, prompts }, { home: newFolder() });
    expect(ran.code, ran.stderr).toBe(0);
    const events = eventsOf(ran);
    expect(events.flatMap((event) => (event.type === 'call-ended' ? [event.tool] : []))).toEqual(tools);
    expect(events.findLast((event) => event.type === 'answer-ended')!.text).toMatch(answer);
    if (request.startsWith('write')) expect(readFileSync(join(root, 'notes/today.md'), 'utf8')).toBe('done\n');
  });

  it('answers go to the output, what happens on the way to the error output', async () => {
    const root = newFolder();
    writeFileSync(join(root, 'a.txt'), 'the mill\n');
    const ran = await runInside({ cwd: root, prompts: ['read a.txt'] }, { home: newFolder() });
    expect(ran).toEqual({
      code: 0,
      stdout: 'a.txt has 1 line:\n  the mill\n',
      stderr: '● read_file a.txt · 1 line\n',
    });
  });

  it('a command is not run without --allow, and the model is told why', async () => {
    const root = newFolder();
    const ran = await runInside({ cwd: root, prompts: ['run `touch made`'] }, { home: newFolder() });
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('Not allowed: bash touch made. Nobody is there to ask');
    expect(() => readFileSync(join(root, 'made'))).toThrow();
  });

  it('slash commands can stand in place of requests', async () => {
    const root = await newShop(40);
    const ran = await runInside(
      {
        cwd: root,
        prompts: [
          'read every file in src',
          '/receipt all',
          '/context',
          '/compact',
          '/undo',
          '/pin every file',
          '/recall cart5Fee',
          '/export all.md',
          '/model',
        ],
      },
      { home: newFolder() },
    );
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toMatch(/Compacted \(automatic\): [\d,]+ → [\d,]+ tokens/);
    expect(ran.stdout).toMatch(/tool definitions +[\d,]+ █+/);
    expect(ran.stderr).toMatch(/Compacted \(as you asked\)/);
    expect(ran.stdout).toMatch(/Taken back: [\d,]+ → [\d,]+ tokens/);
    expect(ran.stdout).toContain('Pinned: m2 read every file in src');
    expect(ran.stdout).toMatch(/m\d+ +result of read_file src\/cart\/module-005\.ts/);
    expect(ran.stdout).toContain('offline, window 16,000.');
    expect(readFileSync(join(root, 'all.md'), 'utf8')).toContain('export function cart5Fee');
  });
});

it('colours go to terminals, and elsewhere only where they are asked for', async () => {
  const root = newFolder();
  writeFileSync(join(root, 'a.txt'), 'x\n');
  const asked = { cwd: root, prompts: ['read a.txt'] };
  expect((await runInside(asked, { home: newFolder() })).stderr).not.toContain('\u001b[');
  expect((await runInside(asked, { home: newFolder(), environment: { FORCE_COLOR: '1' } })).stderr).toContain(
    '\u001b[',
  );
});

it('the prompt can come through a pipe', async () => {
  const root = newFolder();
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src/a.txt'), 'the mill\n');
  const ran = await runInside({ cwd: root, prompts: ['-'] }, { home: newFolder(), input: 'read src/a.txt\n' });
  expect(ran.stdout).toContain('the mill');
});
