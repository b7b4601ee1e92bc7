import { describe, expect, it } from 'vitest';
import { assistant, call, digest, type Message, type NewMessage, result, results, user } from '../../src/index.ts';

const numbered = (messages: readonly NewMessage[]): readonly Message[] =>
  messages.map((message, i) => ({ ...message, id: `m${i + 1}`, origin: message.origin! }));

/** So much work that every section has more to tell than it has room for. */
const work = (rounds: number): readonly NewMessage[] =>
  Array.from({ length: rounds }, (_, i) => [
    assistant([
      call(`k${i}`, 'Edit', { file_path: `src/part${i}/file${i}.ts`, new_string: `const changed${i} = ${i}` }),
    ]),
    results([result(`k${i}`, `export const LIMIT_${i} = ${i * 7919};\n`.repeat(40))]),
  ]).flat();

const sentences = (count: number, about = 'step'): string =>
  Array.from(
    { length: count },
    (_, i) => `The ${about} number ${i} is about the importer and its ${i * 37} rows.`,
  ).join(' ');

const section = (made: ReturnType<typeof digest>, name: string): string =>
  made.sections.find((one) => one.name === name)?.text ?? '';

describe('the newest request', () => {
  it.each(['read a.ts', 'fix src/cart', 'now week/day-2.md'])(
    'is one that names a file, however short: %s',
    (words) => {
      const made = digest(numbered([user('Move the rounding into a module of its own.'), ...work(3), user(words)]), {
        maxTokens: 600,
      });
      expect(section(made, 'request')).toMatch(
        new RegExp(`^## Request \\(user\\)\n${words.replace(/[.]/g, '\\.')}\nAt first: `),
      );
    },
  );

  it.each(['ok', 'continue', 'yes, please', 'go on...'])('is not a word or two that name nothing: %s', (words) => {
    const made = digest(numbered([user('Move the rounding into a module of its own.'), ...work(3), user(words)]), {
      maxTokens: 600,
    });
    expect(section(made, 'request')).toContain('(user)\nMove the rounding');
  });
});

describe('the only request stands whole in a digest that has room for it', () => {
  it.each([
    [300, 5],
    [1_000, 40],
    [5_000, 200],
    [20_000, 900],
  ])('at %d tokens, with much else to tell', (maxTokens, count) => {
    const request = `${sentences(count)} The release code is QX-4471-ZED.`;
    const made = digest(numbered([user(request), ...work(200)]), { maxTokens });
    expect(made.text).toContain(request);
    expect(made.holdsAllWords).toBe(true);
    expect(made.tokens).toBeLessThanOrEqual(maxTokens);
    expect(made.text).toContain('## Files');
  });

  it('in characters too, and whatever the counter', () => {
    const request = `${sentences(20)} The release code is QX-4471-ZED.`;
    const messages = numbered([user(request), ...work(60)]);
    expect(digest(messages, { maxChars: 4_000 }).text).toContain(request);
    expect(digest(messages, { maxTokens: 800, countText: (text) => text.split(/\s+/).length }).text).toContain(request);
  });

  it('one that does not fit keeps head and tail, and leaves room for all else', () => {
    const log = Array.from({ length: 1_000 }, (_, i) => `12:00:${i % 60} worker ${i} took ${i * 3} ms to answer`).join(
      '\n',
    );
    const made = digest(numbered([user(`Why is it slow?\n${log}\nThe last line matters.`), ...work(60)]), {
      maxTokens: 2_000,
    });
    expect(section(made, 'request')).toContain('Why is it slow?');
    expect(section(made, 'request')).toContain('The last line matters.');
    expect(section(made, 'request')).toMatch(/characters cut; recall m1 …]/);
    expect(section(made, 'files')).toContain('file59.ts');
    expect(section(made, 'identifiers')).not.toBe('');
    expect(made.holdsAllWords).toBe(false);
    expect(made.tokens).toBeLessThanOrEqual(2_000);
  });
});

describe('all that the user typed', () => {
  const said = ['Start with the importer.', 'niulize kwanza', 'ok', 'and the exporter next, please', 'ok', 'yes', 'ok'];
  const made = digest(numbered([...said.flatMap((words) => [user(words), assistant('Done.')]), ...work(100)]), {
    maxTokens: 2_000,
  });

  it('stands word for word, in order, the newest request as such, the same words once', () => {
    expect(made.holdsAllWords).toBe(true);
    expect(section(made, 'request')).toBe(
      '## Request (user)\nand the exporter next, please\nAt first: Start with the importer.\n',
    );
    expect(section(made, 'words')).toBe('## Earlier (user)\n- niulize kwanza\n- yes\n- ok (×3)\n');
  });

  it('comes before the work: what is too much for both is cut there', () => {
    const words = Array.from({ length: 40 }, (_, i) => `Remark ${i}: ${'abcdefghij'[i % 10]} goes with ${i * 13}.`);
    const small = digest(numbered([...words.map((one) => user(one)), ...work(200)]), {
      maxTokens: 2_500,
      wordsTokens: 1_500,
    });
    for (const one of words) expect(small.text).toContain(one);
    expect(small.tokens).toBeLessThanOrEqual(2_500);
  });

  it('is not cut where nothing else needs the room', () => {
    const words = Array.from({ length: 30 }, (_, i) => sentences(3, `remark ${i}, where the`));
    const made = digest(numbered(words.map((one) => user(one))), { maxTokens: 4_000 });
    for (const one of words) expect(made.text).toContain(one);
  });
});

describe('where it does not fit', () => {
  const paste = (name: string): string =>
    `Look at ${name}:\n${`${name} line of a log, and so on\n`.repeat(240)}End of ${name}.`;

  it('the oldest pastes are shortened first: head, tail, and the message by which recall reads it', () => {
    const messages = numbered([
      user(paste('alpha')),
      user('be kind'),
      user(paste('beta')),
      user('and now the tests, please'),
    ]);
    const made = digest([...messages, ...numbered(work(200)).map((one) => ({ ...one, id: `w${one.id}` }))], {
      maxTokens: 6_000,
      wordsTokens: 4_000,
    });
    expect(made.text).toContain(paste('beta'));
    expect(made.text).toContain('Look at alpha:');
    expect(made.text).toContain('End of alpha.');
    expect(made.text).toContain('characters cut; recall m1 …]');
    expect(made.text).toContain('- be kind');
    expect(made.text).toContain('and now the tests, please');
  });

  it('a rule inside a paste that was shortened stands among the rules', () => {
    const rule = 'Never restart the broker by hand.';
    const long = `Notes.\n${'a plain line of notes about this and that\n'.repeat(20)}${rule}\n${'more plain lines of notes\n'.repeat(40)}End.`;
    const made = digest(numbered([user(long), user('go on with the tests, please'), ...work(200)]), {
      maxTokens: 1_200,
      wordsTokens: 250,
    });
    expect(section(made, 'constraints')).toContain(rule);
    expect(made.text).toContain('characters cut; recall m1 …]');
  });

  it('texts that differ in numbers only are told once, before anything else is left out', () => {
    const asked = Array.from({ length: 200 }, (_, i) =>
      user(`Please look at module ${i} and tell me what it does there.`),
    );
    const made = digest(numbered([...asked.slice(0, 3), user('Niulize kwanza kabla ya kufuta.'), ...asked.slice(3)]), {
      maxTokens: 800,
      wordsTokens: 300,
    });
    expect(made.text).toContain('Niulize kwanza kabla ya kufuta.');
    expect(made.text).toMatch(/module 199 and tell me what it does there\. \[and \d+ more like it\]/);
  });

  it('the smallest digest is the request and the rules', () => {
    const made = digest(numbered([user('Never push to main.'), user(sentences(40)), ...work(20)]), { maxTokens: 64 });
    expect(made.sections.map((one) => one.name)).toEqual(['request', 'constraints']);
    expect(made.tokens).toBeGreaterThan(40);
  });

  it('where nothing was typed, the smallest digest tells of the work', () => {
    const made = digest(numbered([...work(1), assistant('Committed.')]), { maxTokens: 100 });
    expect(made.text).toContain('file0.ts');
    expect(made.holdsAllWords).toBe(true);
    expect(made.tokens).toBeLessThanOrEqual(100);
  });

  it('rules come first, then short words, and the newest request in any case', () => {
    const chat = Array.from({ length: 120 }, (_, i) =>
      user(`${sentences(2, `thing ${'abcdefghijkl'[i % 12]}${'mnopqrstuv'[i % 10]}`)}`),
    );
    const made = digest(
      numbered([
        user('Never push to main.'),
        user('Usiku mwema, rafiki.'),
        ...chat,
        user('Now write the release notes.'),
      ]),
      {
        maxTokens: 700,
        wordsTokens: 300,
      },
    );
    expect(section(made, 'request')).toContain('Now write the release notes.');
    expect(section(made, 'constraints')).toContain('Never push to main.');
    expect(made.text).toContain('Usiku mwema, rafiki.');
  });
});
