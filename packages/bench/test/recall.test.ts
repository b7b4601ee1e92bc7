import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assistant, call, type Message, type NewMessage, result, results, user } from '@palimpsest/core';
import { withCompaction, writeClaudeCode } from '@palimpsest/formats';
import { afterEach, describe, expect, it } from 'vitest';
import { recallBench } from '../src/benches/recall.ts';
import { neededAfter, shareHeld } from '../src/recall-score.ts';

const numbered = (messages: readonly NewMessage[], from = 0): readonly Message[] =>
  messages.map((message, i) => ({ ...message, id: `m${from + i}`, origin: message.origin! }));

let calls = 0;
const did = (tool: string, input: Parameters<typeof call>[2], output: string): readonly NewMessage[] => {
  const id = `c${calls++}`;
  return [assistant([call(id, tool, input)]), results([result(id, output)])];
};

const before = numbered([
  user('Look at the parser, please.'),
  ...did('Read', { file_path: '/app/src/parser.ts' }, 'export function parseLine() {}\nexport const MAX_DEPTH = 512;'),
  ...did('Bash', { command: 'npm  test' }, 'ok'),
]);
const after = numbered(
  [
    assistant('parseLine must respect MAX_DEPTH, and brandNewName too.'),
    ...did('Bash', { command: 'npm test' }, 'fails in src/parser.ts'),
    ...did('Read', { file_path: '/app/src/parser.ts' }, 'x'),
    ...did('Grep', { pattern: 'x', path: 'src/parser.ts' }, 'x'),
  ],
  100,
);

describe('what was needed after a cut', () => {
  const needed = neededAfter(before, after);

  it('is what the agent used then and had seen before, and nothing else', () => {
    expect([...needed.identifiers].sort()).toEqual(['/app/src/parser.ts', 'MAX_DEPTH', 'parseLine']);
  });

  it('came from memory unless a tool showed it again first', () => {
    const shown = neededAfter(
      before,
      numbered([results([result('z', 'MAX_DEPTH')]), assistant('parseLine, MAX_DEPTH')]),
    );
    expect([...shown.identifiers].sort()).toEqual(['MAX_DEPTH', 'parseLine']);
    expect([...shown.fromMemory]).toEqual(['parseLine']);
  });

  it('are the files and commands of both sides, spacing aside', () => {
    expect([...needed.files]).toEqual(['/app/src/parser.ts']);
    expect([...needed.commands]).toEqual(['npm test']);
  });

  it('is held by a text that says it word for word', () => {
    expect(shareHeld('parser.ts: parseLine\nnpm  test', needed)).toEqual({
      identifiers: 1 / 3,
      fromMemory: 1 / 3,
      files: 1,
      commands: 1,
    });
    expect(shareHeld('', neededAfter([], after))).toEqual({
      identifiers: undefined,
      fromMemory: undefined,
      files: undefined,
      commands: undefined,
    });
  });
});

describe('the bench', () => {
  const folders: string[] = [];
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
  });

  /** A session that was compacted once, with a summary that says nothing. */
  async function recorded(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'recall-'));
    folders.push(folder);
    const early = numbered(
      Array.from({ length: 60 }, (_, i) => [
        user(`Look at module ${i}, please. Never change handler${i}Name.`),
        ...did('Read', { file_path: `/app/src/module${i}.ts` }, `export function handler${i}Name() {}\n`.repeat(20)),
        ...did('Bash', { command: `npm test -- module${i}` }, 'ok'),
      ]).flat(),
    );
    const late = numbered(
      Array.from({ length: 10 }, (_, i) => [
        assistant(`Now handler${50 + i}Name.`),
        ...did('Read', { file_path: `/app/src/module${50 + i}.ts` }, 'x'),
        ...did('Bash', { command: `npm test -- module${50 + i}` }, 'ok'),
      ]).flat(),
      early.length,
    );
    const said: Message = {
      id: 'sum',
      role: 'user',
      origin: 'palimpsest',
      parts: [{ type: 'text', text: 'Much was done. '.repeat(700) }],
    };
    const cut = withCompaction({ messages: early, usage: [], compactions: [] }, [said], {
      type: 'summary',
      summary: 'Much was done. '.repeat(700),
      summaryId: 'sum',
      trigger: 'auto',
    });
    await writeFile(join(folder, 'a.jsonl'), writeClaudeCode({ ...cut, messages: [...early, ...late] }));
    await writeFile(join(folder, 'notes.json'), '{"not":"a session"}');
    return folder;
  }

  it('finds the boundary, scores all candidates, and meets its bars', async () => {
    const lines: string[] = [];
    const met = await recallBench((line) => lines.push(line), ['--sessions', await recorded()]);
    const row = (name: string): string => lines.find((line) => line.startsWith(`| ${name} |`)) ?? '';
    expect(row("vendor's summary")).toBe("| vendor's summary | 0.0 % | 0.0 % | 0.0 % | 0.0 % |");
    expect(row('digest 100 %')).toBe('| digest 100 % | 100.0 % | 100.0 % | 100.0 % | 100.0 % |');
    expect(lines.some((line) => line.startsWith('left out: notes.json'))).toBe(true);
    expect(met).toBe(true);
  });

  it('says what is missing', async () => {
    await expect(recallBench(() => {}, [])).rejects.toThrow('--sessions');
    const folder = await mkdtemp(join(tmpdir(), 'recall-'));
    folders.push(folder);
    await expect(recallBench(() => {}, ['--sessions', folder])).rejects.toThrow('no session');
  });
});
