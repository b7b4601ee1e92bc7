import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Digest, digest, writeDigest } from '../src/digest/digest.ts';
import { newReader } from '../src/digest/reader.ts';
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

  it('files with a sign for what was done to them', () => {
    expect(section(made, 'files')).toContain('reader.ts* options.ts+');
  });

  it('commands with how they went last', () => {
    expect(section(made, 'commands')).toContain('$ npm test -- import (ok, ×2)');
  });

  it('no error that the same command has not any more', () => {
    expect(made.text).not.toContain('expected 3 columns');
    expect(section(digest(day.slice(0, 11), { maxTokens: 2_000 }), 'errors')).toContain(
      'Error: expected 3 columns, got 1',
    );
  });

  it('where the work stands: the newest request and whether it is answered, the last call and words, what is next, what was answered', () => {
    const state = section(made, 'state');
    expect(state).toContain('Newest request #13, answered in #18: no, I meant an explicit option, do not sniff');
    expect(state).toContain('Last call #16: Bash npm test -- import (ok)');
    expect(state).toContain('Next I will write the docs.');
    expect(state).toContain('Next: Add a delimiter option');
    expect(state).toContain('Requests answered before: #1');
  });

  it('lines as they stood, under what they stood in, and no bare names', () => {
    const quoted = section(made, 'statements');
    expect(quoted).toContain('options.ts #14\n> export interface ImportOptions { delimiter: string }');
    expect(quoted).toContain('The root cause is that readRows splits before it knows the delimiter.');
    expect(made.sections.map(({ name }) => name)).not.toContain('identifiers');
  });

  it('its sections one after the other', () => {
    let from = 0;
    for (const one of made.sections) {
      const at = made.text.indexOf(one.text, from);
      expect(at).toBeGreaterThanOrEqual(from);
      from = at + one.text.length;
    }
    expect(from).toBe(made.text.length);
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
    const write = (cuts: readonly number[]): string => {
      const reader = newReader();
      const steps = [0, ...cuts.toSorted((a, b) => a - b), length];
      for (let i = 1; i < steps.length; i++) reader.read(day.slice(steps[i - 1], steps[i]));
      return writeDigest(reader, { maxTokens: 700 }).text;
    };
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: length }), { maxLength: 4 }), (cuts) => {
        expect(write(cuts)).toBe(write([]));
      }),
    );
  });

  it('changes nothing and gives the same twice', () => {
    const before = structuredClone(day);
    expect(digest(day, { maxTokens: 700 }).text).toBe(digest(structuredClone(day), { maxTokens: 700 }).text);
    expect(day).toEqual(before);
  });

  it('holds no more than 6,000 lines, those with the rarest words', () => {
    const reader = newReader();
    const lines = Array.from({ length: 13_000 }, (_, i) => `const value${i} = compute${i}(input, ${i});`);
    reader.read(numbered([...did('Read', { file_path: 'src/large.ts' }, lines.join('\n'))]));
    expect(reader.lines.all.size).toBeLessThanOrEqual(6_000);
  });
});

describe('what is no longer true is not told as if it were', () => {
  const read = (path: string, output: string) => did('Read', { file_path: path }, output);
  const edit = (path: string, old: string, fresh: string, output = 'ok', isError = false) =>
    did('Edit', { file_path: path, old_string: old, new_string: fresh }, output, isError);
  const tell = (...parts: readonly (readonly NewMessage[])[]): string =>
    digest(numbered([user('Go on.'), ...parts.flat()]), { maxTokens: 1_500 }).text;
  const file =
    '     1\t// what the queue takes\n     2\texport const queueDepth = 4895;\n     3\texport const other = true;';

  it('an edit takes out the line that it changes and puts in the new one, also by a part of it', () => {
    const whole = tell(
      read('src/q.ts', file),
      edit('src/q.ts', 'export const queueDepth = 4895;', 'export const queueDepth = 5120;'),
    );
    const part = tell(read('src/q.ts', file), edit('src/q.ts', 'queueDepth = 4895;', 'queueDepth = 5120;'));
    for (const text of [whole, part]) {
      expect(text).not.toContain('4895');
      expect(text).toContain('export const queueDepth = 5120;');
      expect(text).toContain('export const other = true;');
    }
  });

  it('an edit takes it out of what a search showed, too, and not out of another file', () => {
    const found = did('Grep', { pattern: 'queueDepth' }, 'src/q.ts:2:export const queueDepth = 4895;');
    expect(tell(found, edit('src/q.ts', 'queueDepth = 4895', 'queueDepth = 5120'))).not.toContain('4895');
    const elsewhere = did('Grep', { pattern: 'queueDepth' }, 'src/z.ts:2:export const queueDepth = 4895;');
    expect(tell(elsewhere, edit('src/q.ts', 'queueDepth = 4895', 'queueDepth = 5120'))).toContain('4895');
  });

  it('an edit that failed changes nothing, and what it meant to write is not told', () => {
    const text = tell(
      read('src/q.ts', file),
      edit('src/q.ts', 'queueDepth = 4895;', 'queueDepth = 5120;', 'not found', true),
    );
    expect(text).toContain('queueDepth = 4895');
    expect(text).not.toContain('5120');
  });

  it('a patch takes out the lines with a minus', () => {
    const patch =
      '*** Begin Patch\n*** Update File: src/q.ts\n@@\n-export const queueDepth = 4895;\n+export const queueDepth = 5120;\n*** End Patch';
    const text = tell(read('src/q.ts', file), did('apply_patch', { input: patch }, 'Done'));
    expect(text).not.toContain('4895');
    expect(text).toContain('5120');
  });

  it('a script of codex changes a file by a patch, and what it runs is a command', () => {
    const script =
      'await tools.apply_patch(`*** Begin Patch\n*** Update File: src/q.ts\n@@\n-export const queueDepth = 4895;\n+export const queueDepth = 5120;\n*** End Patch`)';
    const text = tell(
      read('src/q.ts', file),
      did('exec', script, 'Done'),
      did('exec', 'await tools.exec_command({cmd: "npm run check"})', 'ok'),
    );
    expect(text).not.toContain('4895');
    expect(text).toContain('5120');
    expect(text).toContain('npm run check');
  });

  it('a file written anew holds what was written, one deleted nothing', () => {
    const fresh = did('Write', { file_path: 'src/q.ts', content: 'export const queueDepth = 5120;' }, 'ok');
    expect(tell(read('src/q.ts', file), fresh)).not.toMatch(/4895|what the queue takes/);
    expect(tell(read('src/q.ts', file), did('Bash', { command: 'rm src/q.ts' }, ''))).not.toContain('queueDepth');
    expect(tell(read('src/q.ts', file), did('Bash', { command: 'git mv src/q.ts src/r.ts' }, ''))).not.toContain(
      'queueDepth',
    );
  });

  it('sed in place takes out what it replaces, git what was written into a file that it puts back', () => {
    expect(tell(read('src/q.ts', file), did('Bash', { command: 'sed -i s/4895/5120/ src/q.ts' }, ''))).not.toContain(
      '= 4895',
    );
    const back = did('Bash', { command: 'git checkout src/q.ts' }, '');
    expect(tell(edit('src/q.ts', 'queueDepth = 4895;', 'queueDepth = 5120;'), back)).not.toContain('queueDepth = 5120');
  });

  it('a newer read stands for an older one: of all, or of the lines that it shows', () => {
    const newer = file.replace('4895', '5120');
    expect(tell(read('src/q.ts', file), read('src/q.ts', newer))).not.toContain('4895');
    const lines = (from: number, value: (n: number) => string): string =>
      Array.from({ length: 6 }, (_, i) => `${from + i}\tconst row${from + i} = load(${value(from + i)});`).join('\n');
    const part = (from: number, output: string) =>
      did('Read', { file_path: 'src/r.ts', offset: from, limit: 6 }, output);
    const text = tell(
      part(
        1,
        lines(1, (n) => `"old-${n}"`),
      ),
      part(
        4,
        lines(4, (n) => `"new-${n}"`),
      ),
    );
    expect(text).not.toContain('old-5');
    expect(text).toContain('old-2');
  });

  it('the newest output of a command stands for the one before', () => {
    const status = (words: string) =>
      did('Bash', { command: 'kubectl get deploy shop' }, `deployment shop is ${words} on all nodes`);
    const text = tell(status('progressing'), status('available'));
    expect(text).not.toContain('is progressing');
    expect(text).toContain('is available');
  });

  it('a test that passes takes its failure with it', () => {
    const run = (output: string, failed = false) => did('Bash', { command: 'npm test' }, output, failed);
    const text = tell(
      run('FAIL test/queue.test.ts > clamps\nAssertionError: expected 7 to be 9', true),
      run('PASS test/queue.test.ts > clamps'),
    );
    expect(text).not.toContain('expected 7 to be 9');
    const part = did(
      'Bash',
      { command: 'npm test -- queue' },
      'FAIL test/queue.test.ts > clamps\nAssertionError: expected 7 to be 9',
      true,
    );
    expect(tell(part, run('41 passed (41)'))).not.toContain('expected 7 to be 9');
  });

  it('another value of the same setting in the same file stands for the one before, in another file it marks it', () => {
    const config = (path: string, value: number) =>
      did('Bash', { command: `sed -n 3,9p ${path}` }, `pool_size_max: ${value}\n# nothing else stands here today`);
    expect(tell(config('a.yaml', 4895), config('a.yaml', 5120))).not.toContain('4895');
    expect(tell(config('a.yaml', 4895), config('b.yaml', 5120))).toContain(
      'pool_size_max: 4895 (older: #5 says otherwise)',
    );
  });

  it('what the model or a user says otherwise later is marked: another value, another choice, not X but Y, from X to Y', () => {
    const later = (first: string, then: string): string => tell([assistant(first)], [user('And?')], [assistant(then)]);
    expect(later('The timeout of the shop is 4895 seconds.', 'The timeout of the shop is now 5120 seconds.')).toContain(
      '4895 seconds. (older: #4 says otherwise)',
    );
    expect(later('The queue store uses Redis for speed.', 'The queue store uses SQLite after all.')).toContain(
      'Redis for speed. (older: #4 says otherwise)',
    );
    expect(later('It listens on port 8080 today.', 'Not on 8080: it is not 8080 but 9191.')).toContain(
      'port 8080 today. (older: #4 says otherwise)',
    );
    expect(later('We keep sessions in MongoDB here.', 'We moved from MongoDB to Postgres.')).toContain(
      'in MongoDB here. (older: #4 says otherwise)',
    );
    const typed = digest(numbered([user('Use port 8080 for it.'), assistant('Yes.'), user('No, not 8080 but 9191.')]), {
      maxTokens: 500,
    });
    expect(typed.text).toContain('> Use port 8080 for it. (older: m2 says otherwise)');
  });

  it('lines that several of one message share, and the same line again, replace nothing', () => {
    const rows = (a: number, b: number) =>
      did('Bash', { command: 'cat rows.txt | head' }, `row takes ${a} seconds\nrow takes ${b} seconds`);
    expect(tell(rows(11, 12), [assistant('Once more.')])).toContain('row takes 11 seconds');
    expect(tell([assistant('The limit is 40 rows.')], [assistant('The limit is 40 rows.')])).not.toContain('older:');
  });
});
