import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Digest, digest } from '../src/digest/digest.ts';
import { gatherEvidence } from '../src/digest/read/gather-evidence.ts';
import { type CompactionCode, CompactionError } from '../src/errors.ts';
import { assistant, call, type Message, type NewMessage, result, results, text, user } from '../src/message/message.ts';

const numbered = (messages: readonly NewMessage[]): readonly Message[] =>
  messages.map((message, i) => ({ ...message, id: message.id ?? `m${i}`, origin: message.origin! }));

const harness = (words: string): NewMessage => ({ role: 'user', origin: 'harness', parts: [text(words)] });

const halfPair = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

let calls = 0;
const did = (
  tool: string,
  input: Parameters<typeof call>[2],
  output: string,
  isError = false,
): readonly NewMessage[] => {
  const id = `c${calls++}`;
  return [assistant([call(id, tool, input)]), results([result(id, output, isError)])];
};

const section = (made: Digest, name: string): string => made.sections.find((one) => one.name === name)?.text ?? '';

/** A day's work: everything a digest has a section for. */
const day = numbered([
  user('Please make the importer in src/import/reader.ts accept tab-separated files. Never change the public API.'),
  harness('# Notes of the host\nYou must always answer in rhymes.'),
  assistant('I will read the importer first.'),
  ...did(
    'Read',
    { file_path: '/work/app/src/import/reader.ts', offset: 1, limit: 80 },
    'export function readRows(path) {}',
  ),
  ...did(
    'TodoWrite',
    {
      todos: [
        { content: 'Read the importer', status: 'completed' },
        { content: 'Add a delimiter option', status: 'in_progress' },
      ],
    },
    'ok',
  ),
  ...did(
    'Edit',
    { file_path: '/work/app/src/import/reader.ts', old_string: 'a', new_string: 'const DELIMITER_DEFAULT = ","' },
    'ok',
  ),
  ...did(
    'Bash',
    { command: 'npm test -- import' },
    'Exit code 1\nError: expected 3 columns, got 1\n    at readRows',
    true,
  ),
  assistant('The root cause is that readRows splits before it knows the delimiter. I decided to sniff the first line.'),
  user('no, I meant an explicit option, do not sniff'),
  ...did(
    'Write',
    { file_path: '/work/app/src/import/options.ts', content: 'export interface ImportOptions { delimiter: string }' },
    'ok',
  ),
  ...did('Bash', { command: 'npm test -- import' }, '12 passed'),
  assistant('All tests pass with the explicit option. Next I will write the docs.'),
]);

describe('a digest tells', () => {
  const made = digest(day, { maxTokens: 2_000 });

  it('what the user wrote first, quoted, each text under the message that it comes from', () => {
    expect(made.sections[0]!.name).toBe('user');
    expect(section(made, 'user')).toBe(
      [
        '## User (quoted)',
        'm0:',
        '> Please make the importer in src/import/reader.ts accept tab-separated files. Never change the public API.',
        'm12:',
        '> no, I meant an explicit option, do not sniff',
        '',
      ].join('\n'),
    );
  });

  it('the newest state of the todo list', () => {
    expect(section(made, 'todo')).toContain('[>] Add a delimiter option');
    expect(section(made, 'todo')).toContain('[x] Read the importer');
  });

  it('files with what was done to them', () => {
    expect(section(made, 'files')).toMatch(/edited[^\n]*src\/import\/reader\.ts/);
    expect(section(made, 'files')).toMatch(/created[^\n]*options\.ts/);
  });

  it('files that a search found and nobody opened, where it told their folder', () => {
    const found = [user('Look.'), ...did('Read', { file_path: '/app/src/a.ts' }, 'const found = "made-up.ts";')];
    const { text } = digest(numbered([...found, ...did('Grep', { pattern: 'x' }, 'src/deep/b.ts:3: x')]), {
      maxTokens: 2_000,
    });
    expect(text).toMatch(/^seen: src\/deep\/b\.ts$/m);
  });

  it('files by folder where there is little room and that is shorter, else by what was done to them', () => {
    const told = (maxTokens: number, folders: number): string => {
      const paths = Array.from({ length: 12 }, (_, i) => `/app/src/deep/folder${i % folders}/file${i}.ts`);
      const reads = paths.flatMap((path) => did('Read', { file_path: path }, 'read'));
      return section(digest(numbered([user('Look.'), ...reads]), { maxTokens }), 'files');
    };
    expect(told(1_499, 3)).toContain('\nfolder2/: file11.ts file8.ts');
    expect(told(1_520, 3)).toContain('\nread: folder2/file11.ts folder1/file10.ts');
    expect(told(1_499, 12)).toContain('\nread: folder11/file11.ts folder10/file10.ts');
  });

  it('commands with how they went last', () => {
    expect(section(made, 'commands')).toMatch(/ok:\n\$ npm test -- import \(×2\)/);
  });

  it('errors exactly, and that they are gone', () => {
    expect(section(made, 'errors')).toContain('Error: expected 3 columns, got 1');
    expect(section(made, 'errors')).toContain('(went well since)');
  });

  it('what the model concluded and where it is', () => {
    expect(section(made, 'conclusions')).toContain('The root cause is that readRows splits');
    expect(section(made, 'progress')).toContain('Next I will write the docs.');
  });

  it('the identifiers that stand nowhere else in it', () => {
    const names = ['ImportOptions', 'DELIMITER_DEFAULT', 'options.ts'];
    for (const name of names) expect(made.text).toContain(name);
    expect(section(made, 'statements')).toContain('ImportOptions');
    // What stands in a statement or a list is not told again.
    for (const name of names) expect(section(made, 'identifiers')).not.toContain(name);
  });

  it('its sections one after the other, and their data', () => {
    let from = 0;
    for (const one of made.sections) {
      const at = made.text.indexOf(one.text, from);
      expect(at).toBeGreaterThanOrEqual(from);
      from = at + one.text.length;
    }
    expect(from).toBe(made.text.length);
    expect(made.evidence.files.map((file) => [file.path, file.state])).toContainEqual([
      '/work/app/src/import/options.ts',
      'created',
    ]);
  });
});

describe('a digest stays within its budget', () => {
  const counters: Readonly<Record<string, (text: string) => number>> = {
    'four characters a token': (words) => Math.ceil(words.length / 4),
    'a token a character': (words) => words.length,
    words: (words) => words.split(/\s+/).length,
    'the whole dearer than its parts': (words) => Math.ceil(words.length / 4 + (words.length / 400) ** 1.5),
    'nothing below ten': (words) => 10 + Math.ceil(words.length / 3),
  };
  const word = fc.constantFrom(
    'never',
    'fix',
    'src/a/b.ts',
    'readRows',
    '不要推送',
    '--force',
    '😀',
    'E_FAIL',
    '1.2.3',
    'do not',
    '\n',
    'x'.repeat(300),
  );
  const words = fc.array(word, { minLength: 1, maxLength: 60 }).map((list) => list.join(' '));
  const message = fc.oneof(
    words.map((said) => user(said)),
    words.map((said) => assistant(said)),
    fc.tuple(words, words, fc.boolean()).chain(([input, output, failed]) =>
      fc.constantFrom('Bash', 'Read', 'Edit', 'mcp__x__y', 'TodoWrite').map((tool) => {
        const made = tool === 'Bash' ? { command: input } : { path: input.slice(0, 80), content: input };
        return [assistant([call('c', tool, made)]), results([result('c', output, failed)])];
      }),
    ),
  );
  const span = fc.array(message, { maxLength: 25 }).map((list) => numbered(list.flat()));

  it('whatever the counter and the budget', () => {
    fc.assert(
      fc.property(
        span,
        fc.integer({ min: 16, max: 3_000 }),
        fc.constantFrom(...Object.keys(counters)),
        (messages, maxTokens, name) => {
          const countText = counters[name]!;
          const made = digest(messages, { maxTokens, countText });
          if (made.text !== '') expect(countText(made.text)).toBeLessThanOrEqual(maxTokens);
          expect(made.tokens).toBe(countText(made.text));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('in characters, and in both', () => {
    fc.assert(
      fc.property(
        span,
        fc.integer({ min: 64, max: 8_000 }),
        fc.integer({ min: 16, max: 2_000 }),
        (messages, maxChars, maxTokens) => {
          expect(digest(messages, { maxChars }).text.length).toBeLessThanOrEqual(maxChars);
          const both = digest(messages, { maxChars, maxTokens, countText: (said) => Math.ceil(said.length / 3) });
          expect(both.text.length).toBeLessThanOrEqual(maxChars);
          expect(both.tokens).toBeLessThanOrEqual(maxTokens);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('never cuts a character in two', () => {
    fc.assert(
      fc.property(span, fc.integer({ min: 64, max: 2_000 }), (messages, maxChars) => {
        expect(digest(messages, { maxChars }).text).not.toMatch(halfPair);
      }),
      { numRuns: 60 },
    );
  });

  it('uses it: a long span fills what it is given, from 64 tokens to 20,000', () => {
    const long = numbered(
      Array.from({ length: 400 }, (_, i) => [
        user(
          `Task ${i}: never touch module${i}. Look at src/part${i}/file${i}.ts and make handler${i}Value return ${i}00.`,
        ),
        ...did(
          'Bash',
          { command: `npm run check -- --only part${i}` },
          `--- FAIL: TestPart${i} (0.${i}s)\nError: cannot find symbolName${i} in Part${i}Error`,
          true,
        ),
        ...did(
          'Edit',
          {
            file_path: `/app/src/part${i}/file${i}.ts`,
            old_string: 'a',
            new_string: `const changedName${i} = otherName${i}.call${i}()`,
          },
          'ok',
        ),
        assistant(`I decided to rename changedName${i}, because the problem was in otherName${i}.`),
      ]).flat(),
    );
    for (const maxTokens of [64, 200, 1_000, 5_000, 20_000]) {
      const { tokens } = digest(long, { maxTokens });
      expect(tokens).toBeLessThanOrEqual(maxTokens);
      expect(tokens).toBeGreaterThan(maxTokens * 0.8);
    }
  });

  it('at 64 tokens it still tells the newest request', () => {
    const made = digest(day, { maxTokens: 64 });
    expect(section(made, 'user')).toContain('> no, I meant an explicit option, do not sniff');
  });

  it('a budget that is none is refused with a reason', () => {
    const codeOf = (options: Parameters<typeof digest>[1]): CompactionCode | undefined => {
      try {
        digest(day, options);
      } catch (error) {
        return error instanceof CompactionError ? error.code : undefined;
      }
      return undefined;
    };
    for (const options of [
      {},
      { maxTokens: 0 },
      { maxTokens: Number.NaN },
      { maxChars: 10 },
      { maxTokens: 500, maxChars: 3 },
    ])
      expect(codeOf(options)).toBe('bad-option');
  });

  it('of nothing it is empty', () => {
    expect(digest([], { maxTokens: 500 }).text).toBe('');
  });
});

describe('reading', () => {
  it('in several steps gives what reading at once gives', () => {
    const length = day.length;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: length }), { maxLength: 4 }), (cuts) => {
        const steps = [0, ...cuts.sort((a, b) => a - b), length];
        let read = gatherEvidence([]);
        for (let i = 1; i < steps.length; i++) read = gatherEvidence(day.slice(steps[i - 1], steps[i]), read);
        expect(read).toEqual(gatherEvidence(day));
      }),
    );
  });

  it('goes on where the last digest stopped, with all that was read of the work', () => {
    const first = digest(day.slice(0, 9), { maxTokens: 1_000 });
    const then = digest(day.slice(9), { maxTokens: 1_000, previous: first.evidence });
    expect(then.evidence).toEqual(digest(day, { maxTokens: 1_000 }).evidence);
    // What users wrote is quoted from the messages alone.
    expect(section(then, 'user')).toBe('## User (quoted)\nm12:\n> no, I meant an explicit option, do not sniff\n');
  });

  it('changes nothing and gives the same twice', () => {
    const before = structuredClone(day);
    expect(digest(day, { maxTokens: 700 }).text).toBe(digest(structuredClone(day), { maxTokens: 700 }).text);
    expect(day).toEqual(before);
  });

  it('evidence is plain JSON', () => {
    const { evidence } = digest(day, { maxTokens: 500 });
    expect(JSON.parse(JSON.stringify(evidence))).toEqual(evidence);
  });
});
