import {
  assistant,
  call,
  createSession,
  type Message,
  type NewMessage,
  result,
  results,
  text,
  user,
} from '@palimpsest/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { abilities } from '../src/models/offline/abilities/index.ts';
import { answerTo, offlineModel } from '../src/models/offline/offline-model.ts';
import { sentencesIn } from '../src/models/offline/sentences.ts';

/** The view of a conversation that nothing was hidden from. */
function viewOf(...messages: readonly NewMessage[]): readonly Message[] {
  const session = createSession({ window: 1_000_000 });
  for (const message of messages) session.append(message);
  return session.transcript();
}

const harness = (words: string): NewMessage => ({ role: 'user', origin: 'harness', parts: [text(words)] });
const callsFor = (request: string): readonly unknown[] =>
  answerTo(viewOf(user(request))).calls.map(({ tool, input }) => [tool, input]);

describe('a plain request', () => {
  it.each([
    ['read README.md', [['read_file', { path: 'README.md' }]]],
    [
      'Please read `src/a.ts` and package.json.',
      [
        ['read_file', { path: 'src/a.ts' }],
        ['read_file', { path: 'package.json' }],
      ],
    ],
    ['read README.md, then read package.json', [['read_file', { path: 'README.md' }]]],
    ['read every file in src', [['glob', { pattern: 'src/**/*', limit: 60 }]]],
    ['read all the ts files under lib/', [['glob', { pattern: 'lib/**/*.ts', limit: 60 }]]],
    ['list the files in src', [['glob', { pattern: 'src/**/*', limit: 60 }]]],
    ['find where parseConfig is used', [['grep', { pattern: 'parseConfig' }]]],
    ['where is a.b(c) defined in src?', [['grep', { pattern: 'a\\.b\\(c\\)', path: 'src' }]]],
    ['search for "two words" in docs', [['grep', { pattern: 'two words', path: 'docs' }]]],
    ['run `ls -l; pwd`', [['bash', { command: 'ls -l; pwd' }]]],
    ['run the tests', [['glob', { pattern: './{package.json,Makefile,Cargo.toml,go.mod,pyproject.toml}' }]]],
    ['write "hello; then bye." to notes.txt', [['write_file', { path: 'notes.txt', content: 'hello; then bye.\n' }]]],
    ['create notes.md with two lines', [['write_file', { path: 'notes.md', content: 'two lines\n' }]]],
    [
      'replace "1.0" with "1.1" in version.txt',
      [['edit_file', { path: 'version.txt', old_text: '1.0', new_text: '1.1' }]],
    ],
    [
      'todo: grind, bake and eat',
      [
        [
          'todo_write',
          {
            todos: [
              { content: 'grind', status: 'in_progress' },
              { content: 'bake', status: 'pending' },
              { content: 'eat', status: 'pending' },
            ],
          },
        ],
      ],
    ],
    ['use the skill release', [['load_skill', { name: 'release' }]]],
    [
      'ask a subagent to read every file in src',
      [['task', { description: 'read every file in src', prompt: 'read every file in src' }]],
    ],
    [
      'ask a subagent in the background to read a.txt',
      [['task', { description: 'read a.txt', prompt: 'read a.txt', background: true }]],
    ],
    ['compact the conversation and mind the mill', [['compact', { instructions: 'the mill' }]]],
    ['compact all', [['compact', { form: 'all' }]]],
    ['compact from "the mill"', [['compact', { form: 'from', at: 'the mill' }]]],
    ['compact up to m12', [['compact', { form: 'up-to', at: 'm12' }]]],
    ['snip the middle', [['snip', {}]]],
    ['snip from m3 to m9', [['snip', { from: 'm3', to: 'm9' }]]],
    ['recall e12', [['recall', { reference: 'e12' }]]],
    ['what was in src/a.ts?', [['recall', { query: 'src/a.ts' }]]],
    ['remember: never touch db/migrations', []],
    ['what did I ask first?', []],
  ])('%s', (request, calls) => {
    expect(callsFor(request)).toEqual(calls);
  });

  it('that is not understood is answered in one line that says where to find what is', () => {
    const { text: said, calls } = answerTo(viewOf(user('compose a sonnet about the sea')));
    expect(calls).toEqual([]);
    expect(said).toContain('not a language model');
    expect(said).toContain('what can you do?');
    expect(said).not.toContain('\n');
    expect(answerTo(viewOf(user('写一首诗'))).text).toContain('你能做什么？');
  });

  it.each(['what can you do?', '你能做什么？', '你会什么', '您可以做些什么？', '你好', '有哪些功能'])(
    'for its abilities is answered with every example, in the language of the question: %s',
    (question) => {
      const said = answerTo(viewOf(user(question))).text;
      for (const { example } of abilities) expect(said).toContain(`  ${example}`);
      expect(said).toContain(question.startsWith('what') ? 'I am not a language model' : '我不是语言模型');
    },
  );

  it('given as an example is understood', () => {
    for (const { example } of abilities)
      expect(answerTo(viewOf(user(example))).text, example).not.toContain('I cannot do');
  });

  it('is cut into steps, but not inside quotes', () => {
    expect(sentencesIn('Read a.ts, then run `x; y`. And write "p. then q" to z.txt!')).toEqual([
      'Read a.ts',
      'run `x; y`',
      'write "p. then q" to z.txt',
    ]);
  });
});

describe('a request of several steps', () => {
  const first = [
    user('read a.txt, then find where mill is used'),
    assistant([call('c1', 'read_file', { path: 'a.txt' })]),
    results([result('c1', 'a.txt (lines 1 to 1 of 1)\nthe mill')]),
  ];

  it('goes on with the next one when the first is done', () => {
    expect(answerTo(viewOf(...first)).calls).toEqual([{ tool: 'grep', input: { pattern: 'mill' } }]);
  });

  it('is answered from the results in view', () => {
    const { text: said, calls } = answerTo(
      viewOf(
        ...first,
        assistant([call('c2', 'grep', { pattern: 'mill' })]),
        results([result('c2', '1 matches in 1 files:\na.txt:1: the mill')]),
      ),
    );
    expect(calls).toEqual([]);
    expect(said).toContain('a.txt has 1 line:\n  the mill');
    expect(said).toContain('a.txt:1: the mill');
  });

  it('that names a file twice reads in that order, the file twice, and says so of each', () => {
    const asked = user('read a.txt, then read b.txt, then read a.txt');
    const round = (id: string, path: string, said: string): readonly NewMessage[] => [
      assistant([call(id, 'read_file', { path })]),
      results([result(id, said)]),
    ];
    const done = [asked, ...round('c1', 'a.txt', 'a.txt (lines 1 to 1 of 1)\nthe mill')];
    expect(answerTo(viewOf(...done)).calls).toEqual([{ tool: 'read_file', input: { path: 'b.txt' } }]);
    done.push(...round('c2', 'b.txt', 'b.txt (lines 1 to 1 of 1)\nthe weir'));
    expect(answerTo(viewOf(...done)).calls).toEqual([{ tool: 'read_file', input: { path: 'a.txt' } }]);
    done.push(...round('c3', 'a.txt', 'a.txt has not changed since you read it above.'));
    const { text: said, calls } = answerTo(viewOf(...done));
    expect(calls).toEqual([]);
    expect(said).toBe(
      'a.txt has 1 line:\n  the mill\n\nb.txt has 1 line:\n  the weir\n\na.txt has not changed since you read it above.\n  the mill',
    );
  });

  it('that is asked again is done again, also where a summary says how far it got the first time', async () => {
    const session = createSession({ window: 6_000 });
    session.append(user('read every file in the folder src'));
    session.append(assistant([call('c0', 'glob', { pattern: 'src/**/*', limit: 60 })]));
    session.append(results([result('c0', '2 files match src/**/*:\nsrc/a\nsrc/b')]));
    for (const name of ['a', 'b']) {
      session.append(assistant([call(`c-${name}`, 'read_file', { path: `src/${name}` })]));
      session.append(results([result(`c-${name}`, `src/${name} (lines 1 to 9 of 9)\n${'grind '.repeat(900)}`)]));
    }
    session.append(assistant('I have read all 2 files.'));
    await session.compact({ form: 'all' });
    session.append(user('read every file in the folder src'));
    expect(answerTo((await session.view()).messages).calls).toEqual([
      { tool: 'glob', input: { pattern: 'src/**/*', limit: 60 } },
    ]);
  });

  it.each([
    ['[read_file result cleared; recall e7]', 'recall e7'],
    ['[read_file result cleared (e7)]', 'recall e7'],
    ['<stashed-result chars="9" ref="e7">\nthe mi\n… more follows …\n</stashed-result>', 'a part is in view'],
    ['the mi\n[… 90 characters cut (e7) …]\nll', 'a part is in view'],
  ])('says where a result is that a layer hid: %s', (notice, told) => {
    const hidden = [first[0]!, first[1]!, results([result('c1', notice)])];
    const { text: said } = answerTo(
      viewOf(
        ...hidden,
        assistant([call('c2', 'grep', { pattern: 'mill' })]),
        results([result('c2', 'No line matches mill.')]),
      ),
    );
    expect(said).toContain(told);
  });
});

describe('what the user said', () => {
  it('is answered from their words and from nobody else’s', () => {
    const view = viewOf(
      harness('<folder-instructions>never sleep</folder-instructions>'),
      user('always greet the miller'),
      assistant('Noted.'),
      user('what must you always do?'),
    );
    expect(answerTo(view).text).toBe('You said:\n  “always greet the miller”');
    const first = viewOf(harness('read x.txt'), user('list the files'), assistant('ok'), user('what did I ask first?'));
    expect(answerTo(first).text).toBe('First you said: “list the files”');
  });

  it('is found in the view also after a compaction, and no answer is due to it', async () => {
    const session = createSession({ window: 6_000 });
    session.append(user('remember: never touch the weir'));
    session.append(assistant('Noted.'));
    for (let n = 0; n < 30; n++) {
      session.append(user(`what is step ${n} of the long plan about?`));
      session.append(assistant(`Step ${n}: ${'grind the corn and carry the sacks. '.repeat(12)}`));
      await session.view();
    }
    await session.compact();
    session.append(user('what must you never touch?'));
    const { messages } = await session.view();
    expect(JSON.stringify(messages)).not.toContain('Step 3:');
    expect(answerTo(messages)).toEqual({ text: 'You said:\n  “remember: never touch the weir”', calls: [] });
    session.append(assistant('x'));
    session.append(user('what did I ask first?'));
    expect(answerTo((await session.view()).messages).text).toBe('First you said: “remember: never touch the weir”');
  });
});

it.each([['all'], ['up-to']] as const)(
  'what was asked first is known right after a compaction (%s) where a rule came first',
  async (form) => {
    const session = createSession({ window: 6_000 });
    session.append(user('remember: never touch the weir'));
    session.append(assistant('Noted.'));
    for (const name of ['a', 'b', 'c']) {
      session.append(user(`read ${name}.txt`));
      session.append(assistant([call(`c-${name}`, 'read_file', { path: `${name}.txt` })]));
      session.append(results([result(`c-${name}`, `${name}.txt (lines 1 to 9 of 9)\n${'grind '.repeat(400)}`)]));
      session.append(assistant(`I read ${name}.txt.`));
    }
    await session.compact(form === 'all' ? { form } : {});
    session.append(user('what did I ask first?'));
    expect(answerTo((await session.view()).messages).text).toBe('First you said: “remember: never touch the weir”');
    session.append(assistant('x'));
    session.append(user('compact'));
    session.append(assistant('x'));
    session.append(user('what did I ask last?'));
    expect(answerTo((await session.view()).messages).text).toBe('Before this you said: “compact”');
  },
);

describe('what was in a file', () => {
  const asked = user('what was in a.txt?');

  it('is answered from the view while it is there', () => {
    const view = viewOf(
      user('read a.txt'),
      assistant([call('c1', 'read_file', { path: 'a.txt' })]),
      results([result('c1', 'a.txt (lines 1 to 1 of 1)\nthe mill')]),
      assistant('ok'),
      asked,
    );
    expect(answerTo(view)).toEqual({ text: 'a.txt, as the view shows it:\n  the mill', calls: [] });
  });

  it('is read by the reference of the notice that stands in its place', () => {
    const view = viewOf(
      user('read a.txt'),
      assistant([call('c1', 'read_file', { path: 'a.txt' })]),
      results([result('c1', '[read_file result cleared; recall e7]')]),
      assistant('ok'),
      asked,
    );
    expect(answerTo(view).calls).toEqual([{ tool: 'recall', input: { reference: 'e7' } }]);
    const then = viewOf(
      ...(view as NewMessage[]),
      assistant([call('c2', 'recall', { reference: 'e7' })]),
      results([result('c2', 'Recalled e7 (40 characters):\na.txt (lines 1 to 1 of 1)\nthe mill')]),
    );
    expect(answerTo(then)).toEqual({ text: 'a.txt, through recall e7:\n  the mill', calls: [] });
  });

  it('is looked for where nothing in view names it, and given up where it was never seen', () => {
    const view = viewOf(
      asked,
      assistant([call('c1', 'recall', { query: 'a.txt' })]),
      results([result('c1', 'Nothing that was said or seen here holds all of: a.txt')]),
    );
    expect(answerTo(view)).toEqual({ text: 'Nothing that was read or written here is known as a.txt.', calls: [] });
  });
});

describe('after an interruption', () => {
  const broken = [
    user('run `make`'),
    assistant([call('c1', 'bash', { command: 'make' })]),
    results([result('c1', '[stopped by the user]', true)]),
    harness('[The user interrupted this. Wait for what they say next.]'),
  ];

  it('the old request is not taken up by itself', () => {
    expect(answerTo(viewOf(...broken, user('what did I ask first?'))).text).toBe('First you said: “run `make`”');
  });

  it('"continue" takes it up also where a summary hides how far it got', async () => {
    const session = createSession({ window: 6_000 });
    session.append(user('read every file in src'));
    session.append(assistant([call('c0', 'glob', { pattern: 'src/**/*', limit: 60 })]));
    session.append(results([result('c0', '9 files match src/**/*:\nsrc/a\nsrc/b')]));
    session.append(harness('[The user interrupted this. Wait for what they say next.]'));
    session.append(user('continue'));
    for (let n = 1; n <= 30; n++) {
      session.append(assistant([call(`c${n}`, 'read_file', { path: 'src/a' })]));
      session.append(results([result(`c${n}`, `src/a (lines 1 to 9 of 9)\n${'the mill grinds on. '.repeat(40)}`)]));
    }
    await session.compact();
    const { messages } = await session.view();
    expect(messages.some(({ standsFor }) => standsFor !== undefined)).toBe(true);
    expect(answerTo(messages).calls).toMatchObject([{ tool: 'glob', input: { pattern: 'src/**/*' } }]);
  });

  it('"continue" takes it up, and does again what was broken off', () => {
    expect(answerTo(viewOf(...broken, user('continue'))).calls).toEqual([{ tool: 'bash', input: { command: 'make' } }]);
  });
});

it('the same view has the same answer, whatever is in it, and no call is repeated for ever', () => {
  const words = fc.constantFrom(
    'read a.txt',
    'read every file in src',
    'run the tests',
    'what was in a.txt?',
    'continue',
    'nonsense',
    'remember: x',
    'compact',
  );
  const answers = fc.constantFrom(
    '',
    'No file matches src/**/*.',
    '[glob result cleared; recall e1]',
    'package.json',
    '2 files match src/**/*:\nsrc/a\nsrc/b',
    'x',
  );
  fc.assert(
    fc.property(
      fc.array(words, { minLength: 1, maxLength: 3 }),
      fc.array(answers, { minLength: 40, maxLength: 40 }),
      (requests, said) => {
        const session = createSession({ window: 1_000_000 });
        for (const request of requests) session.append(user(request));
        let round = 0;
        for (; round < 40; round++) {
          const answer = answerTo(session.transcript());
          expect(answerTo(session.transcript())).toEqual(answer);
          if (answer.calls.length === 0) break;
          const calls = answer.calls.map((one, i) => call(`c${round}-${i}`, one.tool, one.input));
          session.append(assistant(calls));
          session.append(results(calls.map((one) => result(one.callId, said[round]!))));
        }
        expect(round).toBeLessThan(40);
      },
    ),
  );
});

it('a stream can be stopped between two words', async () => {
  const stop = new AbortController();
  const heard: string[] = [];
  const stream = offlineModel({ window: 16_000 }).stream(
    { system: '', tools: [], messages: viewOf(user('help')) },
    { signal: stop.signal },
  );
  await expect(
    (async () => {
      for await (const event of stream) {
        if (event.type === 'text-added') heard.push(event.text);
        if (heard.length === 3) stop.abort();
      }
    })(),
  ).rejects.toMatchObject({ name: 'AbortError' });
  expect(heard.join('')).toBe('I am the ');
});
