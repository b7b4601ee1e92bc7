import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assistant, call, type Message, type NewMessage, result, results, user } from '@palimpsest/core';
import { withCompaction, writeClaudeCode } from '@palimpsest/formats';
import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, runBench } from '../src/bench.ts';
import { auditBench } from '../src/benches/audit.ts';
import { recallBench } from '../src/benches/recall.ts';

const numbered = (messages: readonly NewMessage[], from = 0): readonly Message[] =>
  messages.map((message, i) => ({ ...message, id: `m${from + i}`, origin: message.origin! }));

let calls = 0;
const did = (tool: string, input: Parameters<typeof call>[2], output: string): readonly NewMessage[] => {
  const id = `c${calls++}`;
  return [assistant([call(id, tool, input)]), results([result(id, output)])];
};

describe('the bench', () => {
  const folders: string[] = [];
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
  });

  /** A session that was compacted once, with a summary that says the same thing over and over. */
  async function recordSession(sentence = 'Much was done. '): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'recall-'));
    folders.push(folder);
    const early = numbered(
      Array.from({ length: 60 }, (_, i) => [
        user(`Look at module ${i}, please. Never change handler${i}Name.`),
        ...did('Read', { file_path: `src/module${i}.ts` }, `export function handler${i}Name() {}\n`.repeat(20)),
        ...did('Bash', { command: `npm test -- module${i}` }, 'ok'),
      ]).flat(),
    );
    const late = numbered(
      Array.from({ length: 10 }, (_, i) => [
        assistant(`Now handler${50 + i}Name.`),
        ...did('Read', { file_path: `src/module${50 + i}.ts` }, 'x'),
        ...did('Bash', { command: `npm test -- module${50 + i}` }, 'ok'),
      ]).flat(),
      early.length,
    );
    const said: Message = {
      id: 'sum',
      role: 'user',
      origin: 'palimpsest',
      parts: [{ type: 'text', text: sentence.repeat(700) }],
    };
    const cut = withCompaction({ messages: early, usage: [], compactions: [] }, [said], {
      type: 'summary',
      summary: sentence.repeat(700),
      summaryId: 'sum',
      trigger: 'auto',
    });
    await writeFile(join(folder, 'a.jsonl'), writeClaudeCode({ ...cut, messages: [...early, ...late] }));
    await writeFile(join(folder, 'notes.json'), '{"not":"a session"}');
    return folder;
  }

  it('finds the boundary, scores all candidates, and says which bars they meet', async () => {
    const lines: string[] = [];
    const met = await runBench(recallBench, ['--sessions', await recordSession()], (line) => lines.push(line));
    const row = (name: string): string => lines.find((line) => line.startsWith(`| ${name} |`)) ?? '';
    expect(row("vendor's summary")).toBe("| vendor's summary | 100.0 % | 0.0 % | 0.0 % | 0.0 % | – | 0.0 % | 0.0 % |");
    expect(row('digest 100 %')).toMatch(
      /^\| digest 100 % \| [\d.]+ % \| 100.0 % \| 100.0 % \| 100.0 % \| – \| 100.0 % \| 100.0 % \|$/,
    );
    expect(row('needed')).toBe('| needed | | 30 | 20 | 30 | 0 | 10 | 10 |');
    expect(lines.some((line) => line.startsWith('left out: notes.json'))).toBe(true);
    // Ten commands as long as these do not fit a quarter of this made-up summary.
    expect(lines.filter((line) => line.includes('MISSED'))).toEqual([
      expect.stringMatching(/^digest 25 %, commands: /),
    ]);
    expect(met).toBe(false);
  });

  it('says of the recording what the other bench says of it', async () => {
    const args = ['--sessions', await recordSession('Was in module55.ts, handler55Name. ')];
    const lines: string[] = [];
    for (const bench of [recallBench, auditBench] as readonly Bench[])
      await runBench(bench, args, (line) => lines.push(line));
    const [theirs, same] = ["vendor's summary", 'the recording'].map((name) =>
      lines
        .find((line) => line.startsWith(`| ${name} |`))
        ?.split(' | ')
        .slice(1, 3),
    );
    expect(theirs?.[0]).not.toBe('0.0 %');
    expect(same).toEqual(theirs);
  });

  it('says what is missing', async () => {
    await expect(runBench(recallBench, [], () => {})).rejects.toThrow('--sessions');
    const folder = await mkdtemp(join(tmpdir(), 'recall-'));
    folders.push(folder);
    await expect(runBench(recallBench, ['--sessions', folder], () => {})).rejects.toThrow('no session');
  });
});
