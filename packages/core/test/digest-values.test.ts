import { describe, expect, it } from 'vitest';
import { findValues, holdsValue } from '../src/digest/evidence/find-values.ts';
import {
  assistant,
  call,
  type DigestOptions,
  digest,
  type Message,
  type NewMessage,
  result,
  results,
  user,
} from '../src/index.ts';

const numbered = (messages: readonly NewMessage[]): readonly Message[] =>
  messages.map((message, i) => ({ origin: 'model', ...message, id: `m${i}` }));

/** A file with one line among many of one kind. */
const fileWith = (line: string, n: number): string =>
  [
    line,
    ...Array.from({ length: 40 }, (_, i) => `export function step${n}x${i}(row: Row): number { return row.at${i}; }`),
  ].join('\n');

const readAll = (count: number, lineOf: (n: number) => string): readonly Message[] =>
  numbered([
    user('Read every file.'),
    ...Array.from({ length: count }, (_, n) => [
      assistant([call(`c${n}`, 'Read', { file_path: `/app/src/part${n}.ts` })]),
      results([result(`c${n}`, fileWith(lineOf(n), n))]),
    ]).flat(),
  ]);

const factOf = (n: number): string => String(200_003 + n * 6_151);
const valuesOf = (messages: readonly Message[], options: DigestOptions): string =>
  digest(messages, options).sections.find(({ name }) => name === 'values')?.text ?? '';
const heldIn = (text: string, count: number): number =>
  Array.from({ length: count }, (_, n) => factOf(n)).filter((fact) => text.includes(fact)).length;

const namesIn = (text: string): readonly string[] =>
  findValues({ text, source: 'shown', about: '', at: 0 }).map(({ name, lead, value }) => `${name || lead}|${value}`);

describe('the values of a digest', () => {
  it('tell what stood once in each of a hundred files, with its name', () => {
    const messages = readAll(100, (n) => `export const CEILING_${n} = ${factOf(n)};`);
    const text = valuesOf(messages, { maxTokens: 3_000 });
    expect(heldIn(text, 100)).toBe(100);
    expect(text).toContain(`CEILING_7=${factOf(7)}`);
  });

  it.each([
    ['a config', (n: number) => `  "port_${n}": ${factOf(n)},`],
    ['an assignment with a type', (n: number) => `const ceiling${n}: number = ${factOf(n)};`],
    ['an environment', (n: number) => `LIMIT_OF_${n}=${factOf(n)}`],
    ['prose', (n: number) => `The ceiling of part ${n} is ${factOf(n)} rows.`],
  ])('whatever they are written in: %s', (_, lineOf) => {
    expect(heldIn(digest(readAll(60, lineOf), { maxTokens: 4_000 }).text, 60)).toBeGreaterThanOrEqual(40);
  });

  it('name the file where one name has many values', () => {
    const text = valuesOf(
      readAll(30, (n) => `export const CEILING = ${factOf(n)};`),
      { maxTokens: 3_000 },
    );
    expect(text).toContain(`part12.ts:CEILING=${factOf(12)}`);
  });

  it('are few: a log with a number in each line is data', () => {
    const log = Array.from({ length: 300 }, (_, i) => `worker${i} took id: ${factOf(i)}`).join('\n');
    const messages = numbered([
      user('What happened?'),
      assistant([call('c1', 'Bash', { command: 'cat log' })]),
      results([result('c1', log)]),
    ]);
    expect(valuesOf(messages, { maxTokens: 1_500 })).toBe('');
  });

  it('are not told where the lines that they stand in all are, nor in a small digest, nor beside a text that has them', () => {
    const few = readAll(1, (n) => `export const CEILING_${n} = ${factOf(n)};`);
    expect(valuesOf(few, { maxTokens: 8_000 })).toBe('');
    expect(digest(few, { maxTokens: 8_000 }).text).toContain(`export const CEILING_0 = ${factOf(0)};`);
    expect(
      valuesOf(
        readAll(100, (n) => `export const CEILING_${n} = ${factOf(n)};`),
        { maxTokens: 800 },
      ),
    ).toBe('');
  });

  it('are told where something says what they are: a name or words, and no log of commits', () => {
    const said = (line: (fact: string) => string): string =>
      valuesOf(
        readAll(30, (n) => line(factOf(n))),
        { maxTokens: 3_000 },
      );
    expect(said((fact) => `Its ceiling is ${fact} rows.`)).toContain(factOf(29));
    expect(said((fact) => `上限是 ${fact} 行`)).toContain(factOf(29));
    expect(said((fact) => `${fact} ok`)).toBe('');
    expect(said((fact) => `[main ${fact}] Say it`)).toBe('');
    expect(said((fact) => `[refactor/values ${fact}] Say it`)).toBe('');
  });

  it('are told once: a line that says no more than a value and its name is no statement beside them', () => {
    const fill = Array.from({ length: 30 }, (_, i) => `const row${i} = read(row${i + 1});`).join('\n');
    const textOf = (lineOf: (n: number) => string): string => {
      const messages = Array.from({ length: 60 }, (_, n) => [
        assistant([call(`c${n}`, 'Read', { file_path: `/app/src/part${n}.ts` })]),
        results([result(`c${n}`, `${lineOf(n)}\nexport function settle${n}(rows: Row[]): number {\n${fill}`)]),
      ]);
      return digest(numbered([user('Read every file.'), ...messages.flat()]), { maxTokens: 2_500 }).text;
    };
    const text = textOf((n) => `export const CEILING_${n} = ${factOf(n)};`);
    expect(text).toContain('export function settle59(');
    for (let n = 0; n < 60; n++) expect(text.split(factOf(n))).toHaveLength(2);
    // One that says more is a statement as before.
    expect(textOf((n) => `export const CEILING_${n} = ${factOf(n)} * scale${n};`)).toContain(
      `${factOf(59)} * scale59;`,
    );
  });

  it('leave the rest its room: a third at most, the newest first', () => {
    const messages = readAll(400, (n) => `export const CEILING_${n} = ${factOf(n)};`);
    const { sections, tokens } = digest(messages, { maxTokens: 2_000 });
    const values = sections.find(({ name }) => name === 'values');
    expect(values?.tokens).toBeLessThanOrEqual(tokens * 0.35);
    expect(values?.text).toContain('CEILING_399=');
    expect(values?.text).not.toContain('CEILING_1=');
  });
});

describe('what a value is', () => {
  it('is a number of five digits, a short hash, a code; with what it is bound to, or the words before it', () => {
    expect(namesIn('export const LIMIT_059 = 766390;')).toEqual(['LIMIT_059|766390']);
    expect(namesIn('"port": "48213",')).toEqual(['port|48213']);
    expect(namesIn('base := 0x4fe2')).toEqual(['base|0x4fe2']);
    expect(namesIn('[main 37016ac] Say it')).toEqual(['[main |37016ac']);
    expect(namesIn('The release code is QX-4471-ZED.')).toEqual(['The release code is |QX-4471-ZED']);
    expect(holdsValue('The release code is QX-4471-ZED.')).toBe(true);
    expect(holdsValue('create mode 100644 a.ts, then 766390')).toBe(true);
  });

  it('is no count, date, time, version, place in a file, colour or mode', () => {
    for (const text of [
      'retries = 1400',
      'at 2026-11-16 09:00:01',
      'vite 12345.1.12',
      'src/a.ts:12345:7 error',
      'color: #123456',
      'create mode 100644 a.ts',
      'took 12345ms',
      'UTF-8 and SHA-256 of A-B',
    ]) {
      expect(namesIn(text)).toEqual([]);
      expect(holdsValue(text)).toBe(false);
    }
  });

  it('is nothing that a host or the machine counts', () => {
    for (const text of [
      '-rw-r--r-- 1 jo staff 197609 a.ts',
      'total_tokens: 85491',
      '"duration_ms": 51090,',
      'PGID=90089',
      'agentId: a9c0ddf',
      'a text …12763 tokens truncated',
      '<Model object at 0x7a0adb325e90>',
      'Process running with session ID 16586',
    ])
      expect(namesIn(text), text).toEqual([]);
    expect(namesIn('the buffer lies at 0x7a0adb325e90')).toHaveLength(1);
  });
});
