import { describe, expect, it } from 'vitest';
import type { IndexEntry } from '../src/digest/choose/identifier-index.ts';
import { writeDigest } from '../src/digest/digest.ts';
import { gatherEvidence } from '../src/digest/read/gather-evidence.ts';
import { writeIndex } from '../src/digest/write/write-index.ts';
import {
  assistant,
  call,
  createSession,
  digest,
  type Message,
  type NewMessage,
  result,
  results,
  user,
} from '../src/index.ts';

const numbered = (messages: readonly NewMessage[]): readonly Message[] =>
  messages.map((message, i) => ({ origin: 'model', ...message, id: `m${i}` }));

let calls = 0;
const did = (tool: string, input: Parameters<typeof call>[2], output: string): readonly NewMessage[] => {
  const id = `c${calls++}`;
  return [assistant([call(id, tool, input)]), results([result(id, output)])];
};
const read = (file: string, output: string): readonly NewMessage[] => did('Read', { file_path: file }, output);

const statementsOf = (messages: readonly Message[], maxTokens = 600): string =>
  digest(messages, { maxTokens }).sections.find(({ name }) => name === 'statements')?.text ?? '';

const filler = (i: number): string => `export const fillerName${i} = makeFiller(${i}, otherFiller${i});`;

describe('the statements of a digest', () => {
  it('are lines as they stood: a name keeps its value, an error its file and line, a signature stays whole', () => {
    const text = statementsOf(
      numbered([
        user('Look into the limits.'),
        ...read('/app/src/limits.ts', '   12→  export const LIMIT_059 = 766390;\n   13→}'),
        ...did('Bash', { command: 'npx tsc' }, "src/limits.ts(59,7): error TS2322: Type 'RateTable' is wrong."),
        assistant('The limiter reads readRateTable(path: string, maxRows: number) before LIMIT_059 is known.'),
        assistant('Now for the rest.'),
      ]),
    );
    expect(text).toContain(' export const LIMIT_059 = 766390;\n');
    expect(text).toContain("src/limits.ts(59,7): error TS2322: Type 'RateTable' is wrong.");
    expect(text).toContain('readRateTable(path: string, maxRows: number) before LIMIT_059 is known.');
  });

  it('stand under the file or the command that showed them, with the place of the message', () => {
    const text = statementsOf(
      numbered([
        user('Look into it.'),
        ...read('/app/src/limits.ts', 'const RATE_LIMIT = loadLimit(rateTable);'),
        ...did('Bash', { command: 'cd /app && npm test' }, 'FAIL rate-table.test.ts > loadLimit'),
      ]),
    );
    expect(text).toContain('\nlimits.ts #3\n> const RATE_LIMIT = loadLimit(rateTable);');
    expect(text).toContain('$ npm test #5\n> FAIL rate-table.test.ts > loadLimit');
  });

  it('are told once, however often they were shown, and not where the text above has them', () => {
    const line = 'const RATE_LIMIT = loadLimit(rateTable);';
    const twice = [...read('/app/a.ts', line), ...read('/app/a.ts', line)];
    expect(statementsOf(numbered([user('Go.'), ...twice])).split(line)).toHaveLength(2);
    expect(statementsOf(numbered([user(`It says ${line}`), ...twice]))).toBe('');
  });

  it('are chosen by what they add: the second of two that say the same names comes after one that says others', () => {
    const same = Array.from({ length: 30 }, (_, i) => `setRateLimit(rateTable, rateLimit); // ${'x'.repeat(i)}`);
    const text = statementsOf(
      numbered([user('Go.'), ...read('/app/a.ts', [...same, 'openLedger(ledgerPath);'].join('\n'))]),
      260,
    );
    expect(text).toContain('openLedger(ledgerPath);');
  });

  it('have more names of their file behind them, where there is no room for more lines', () => {
    const lines = Array.from({ length: 60 }, (_, i) => filler(i));
    const told = digest(numbered([user('Go.'), ...read('/app/a.ts', lines.join('\n'))]), { maxTokens: 600 });
    const [, names = ''] = /^ … (.+)$/m.exec(told.text) ?? [];
    expect(names.split(' ').length).toBeGreaterThan(10);
    for (const name of names.split(' ')) expect(told.text.split(`${name}`).length, name).toBeLessThan(4);
    expect(told.text).not.toContain('## Names');
  });

  it('a file is named before its names where that is little beside them; names of other files stand together', () => {
    const entry = (text: string, file: string, order: number): IndexEntry => ({ identifier: text, text, file, order });
    const many = Array.from({ length: 12 }, (_, i) => entry(`manyNames${i}`, '/app/src/b.ts', i));
    const entries = [entry('oneName', '/app/src/a-long-name.ts', 20), ...many, entry('another', '/app/src/c.ts', 19)];
    const { index } = writeIndex('## Names', entries, 1_000, (text) => text.length, undefined);
    expect(index).toBe(`## Names\nb.ts: ${many.map(({ text }) => text).join(' ')}\nanother oneName\n`);
  });

  it('stand in the order of the transcript', () => {
    const lines = Array.from({ length: 12 }, (_, i) => filler(i));
    const told = statementsOf(numbered([user('Go.'), ...read('/app/a.ts', lines.join('\n'))]), 2_000).split('\n');
    expect(told.filter((line) => line.includes('fillerName'))).toEqual(lines.map((line) => `> ${line}`));
  });

  it('are of any language, well-formed wherever they are cut', () => {
    const sentence = `限流表在 rate_table.ts 里定义，$'上限是七十六万六千三百九十，😀'.repeat(30)不能改。`;
    const text = statementsOf(numbered([user('看一下。'), assistant(sentence), assistant('好。')]));
    expect(text).toContain('限流表在 rate_table.ts 里定义');
    expect(text).not.toMatch(/\p{Surrogate}/u);
  });

  it('of one long line say no words twice', () => {
    const words = Array.from({ length: 60 }, (_, i) => `option_${i} is set to value_${i * 7} by host_${i}`);
    const text = statementsOf(numbered([user('Look.'), ...did('Bash', { command: 'show' }, words.join(', '))]), 2_000);
    const told = text.match(/\b(?:option|value|host)_\d+/g) ?? [];
    expect(told.length).toBeGreaterThan(100);
    expect(told.length).toBe(new Set(told).size);
    for (const line of text.split('\n').filter((one) => one.includes(' is set to ')))
      expect(words.join(', ')).toContain(line.replace(/^(?:#\d+|>)/, '').trim());
  });

  it('leave out what a diff or a host says around it', () => {
    const text = statementsOf(
      numbered([
        user('Go.'),
        ...did(
          'Bash',
          { command: 'git diff' },
          'diff --git a/src/a.ts b/src/a.ts\nindex 19aae7b..792d624 100644\n+const rateTable = newTable();',
        ),
      ]),
    );
    expect(text).toContain('+const rateTable = newTable();');
    expect(text).not.toMatch(/diff --git|19aae7b/);
  });

  it('say a root once that the files have in common', () => {
    const files = ['one', 'two', 'three'].flatMap((name) =>
      read(`/home/ada/shop/src/${name}.ts`, `import '/home/ada/shop/src/${name}_table.ts'`),
    );
    const { text } = digest(numbered([user('Go.'), ...files]), { maxTokens: 800 });
    expect(text.split('/home/ada/shop/')).toHaveLength(2);
    expect(text).toContain('one_table.ts');
  });

  it('come out the same however the reading was cut, and do not grow without end', () => {
    const messages = numbered(
      Array.from({ length: 400 }, (_, i) =>
        read(`/app/f${i}.ts`, Array.from({ length: 60 }, (_, j) => filler(100 * i + j)).join('\n')),
      ).flat(),
    );
    const whole = gatherEvidence(messages);
    expect(whole.statements?.length).toBeLessThan(16_000);
    const first = gatherEvidence(messages.slice(0, 333));
    expect(gatherEvidence(messages.slice(333), JSON.parse(JSON.stringify(first)))).toEqual(whole);
  });

  it('are not asked for of evidence that an older version read', () => {
    const { statements: _, ...older } = gatherEvidence(
      numbered([user('Look at rate_table.ts.'), ...read('/app/a.ts', filler(1))]),
    );
    expect(digest([], { maxTokens: 600, previous: older }).text).toContain('fillerName1');
  });
});

it('the place that a statement names can be read back', () => {
  const session = createSession({ window: 100_000 });
  for (const message of [user('Look into it.'), ...read('/app/a.ts', 'const RATE_LIMIT = 766390;')])
    session.append(message);
  expect(statementsOf(session.transcript())).toContain('#3');
  expect(session.recall.read('#3').text).toContain('RATE_LIMIT');
  expect(() => session.recall.read('#4')).toThrow('#4');
});

it('beside a text that says a name the digest says others', () => {
  const lines = Array.from({ length: 40 }, (_, i) => filler(i)).join('\n');
  const evidence = gatherEvidence(numbered([user('Go.'), ...read('/app/a.ts', lines)]));
  const told = (beside: string): string => writeDigest(evidence, { maxTokens: 500, beside }).text;
  const [line = ''] = /export const fillerName\d+ .*/.exec(told('')) ?? [];
  expect(line).not.toBe('');
  expect(told(`It is ${line}`)).not.toContain(line);
});
