import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  type Found,
  type NewMessage,
  result,
  results,
  type SearchOptions,
  text,
  user,
} from '../../src/index.ts';

function search(messages: readonly NewMessage[], query: string, options: SearchOptions = {}): readonly Found[] {
  const session = createSession({ window: 1_000_000, layers: [] });
  for (const message of messages) session.append(message);
  return session.recall.search(query, options);
}
const best = (messages: readonly NewMessage[], query: string): string | undefined =>
  search(messages, query)[0]?.message.id;
const read = (id: string, path: string, content: string): readonly NewMessage[] => [
  assistant([call(id, 'read_file', { path })], `${id}-call`),
  results([result(id, content)], `${id}-result`),
];
const filler = Array.from({ length: 40 }, (_, i) => user(`talk number ${i} about weather, trains and dinner`, `f${i}`));

describe('what a search reads as one word', () => {
  it.each([
    ['getUserName', 'user name'],
    ['get user name', 'getUserName'],
    ['MAX_RETRY_COUNT', 'retry count'],
    ['session.recall.search(query)', 'recall.search'],
    ['packages/core/src/layers/clear-old-results.ts', 'clear-old-results.ts'],
    ['packages/core/src/layers/clear-old-results.ts', 'clear-old-results'],
    ['packages/core/src/layers/clear-old-results.ts', 'layers/clear-old-results.ts'],
    ['C:\\\\work\\\\shop\\\\price.ts', 'price.ts'],
    ['HTTPServerError', 'server'],
    ['the tests failed', 'test'],
    ['Ein Café in Zürich', 'cafe zurich'],
    ['ΑΘΗΝΑ is the capital', 'αθηνα'],
    ['部署窗口是每周二下午三点', '部署窗口'],
    ['デプロイは火曜日です', '火曜日'],
    ['배포는 화요일입니다', '화요일'],
    ['ประชุมวันอังคาร', 'วันอังคาร'],
    ['we shipped it 🎉', '🎉'],
  ])('%s is found by %s', (said, query) => {
    expect(
      best([...filler, user(said, 'wanted'), ...filler.map(({ id, ...m }) => ({ ...m, id: `${id}b` }))], query),
    ).toBe('wanted');
  });

  it('a part of a name and mere signs are found to the letter, where no word is', () => {
    const messages = [user('the flag is xReconciliationWindow', 'u1'), user('a => b ?? c', 'u2')];
    expect(best(messages, 'econciliat')).toBe('u1');
    expect(best(messages, '??')).toBe('u2');
    expect(search(messages, 'zebra')).toEqual([]);
  });
});

describe('the order of what was found', () => {
  it('what is rare counts for more than what is everywhere', () => {
    const messages = [...filler, user('dinner with the ambassador', 'rare'), user('talk about trains again', 'usual')];
    expect(best(messages, 'talk about trains dinner ambassador')).toBe('rare');
  });

  it('a passage is the run of lines around the match, at most 1,500 characters, to the letter', () => {
    const lines = Array.from({ length: 400 }, (_, i) => `line ${i} of a long log with nothing to see`);
    lines[200] = 'line 200: panic: connection refused by ledger-db';
    const [found] = search([user('run it'), ...read('c1', 'app.log', lines.join('\n'))], 'connection refused panic');
    expect(found!.line).toBe(lines[200]);
    expect(found!.text.length).toBeLessThanOrEqual(1_500);
    expect(lines.join('\n')).toContain(found!.text);
    expect(found).toMatchObject({ message: { id: 'c1-result' }, tool: 'read_file', file: 'app.log' });
  });

  it('a call and its answer stand in one passage, each under its own message', () => {
    const [found] = search([user('hi'), ...read('c1', 'src/tax.ts', 'export const VAT = 0.19')], 'VAT');
    expect(found!.stretches).toMatchObject([
      { role: 'user', origin: 'human', text: 'hi' },
      { message: 'c1-call', role: 'assistant', tool: 'read_file', file: 'src/tax.ts', text: 'src/tax.ts' },
      { message: 'c1-result', role: 'user', origin: 'tool', text: 'export const VAT = 0.19' },
    ]);
  });

  it('no passage goes across to another turn of the user', () => {
    const found = search([user('needle one', 'u1'), assistant('yes', 'a1'), user('needle two', 'u2')], 'needle');
    expect(found.map(({ stretches }) => stretches.map(({ message }) => message))).toEqual([['u2'], ['u1', 'a1']]);
  });

  it('what says the same again comes behind what says something else of the query', () => {
    const same = Array.from({ length: 4 }, (_, i) => user(`alpha beta gamma delta ${i}`, `same${i}`));
    const found = search([...same, user('epsilon', 'other')], 'alpha beta gamma delta epsilon');
    expect(found.map(({ message }) => message.id).indexOf('other')).toBeLessThan(4);
  });
});

describe('recall leaves itself out', () => {
  it('neither its question nor its answer is found, by whichever name it goes', () => {
    for (const tool of ['recall', 'mcp__palimpsest__recall']) {
      const messages = [
        user('The harbour opens at nine.', 'said'),
        assistant([text('Let me look for the harbour.'), call('c1', tool, { query: 'harbour nine' })], 'ask'),
        results([result('c1', 'said · The harbour opens at nine.')], 'told'),
      ];
      expect(search(messages, 'harbour nine').map(({ message }) => message.id)).toEqual(['said']);
    }
  });

  it('a message is left out where it is named', () => {
    const messages = [user('the harbour opens at nine', 'said'), user('when does the harbour open?', 'question')];
    expect(search(messages, 'harbour', { except: ['question'] }).map(({ message }) => message.id)).toEqual(['said']);
  });
});

describe('a search may be of less than all', () => {
  const day = (n: number): number => Date.UTC(2026, 0, n);
  const messages: readonly NewMessage[] = [
    { ...user('look at the price', 'u1'), at: day(1) },
    ...read('r1', '/shop/src/price.ts', 'export const price = 1').map((message) => ({ ...message, at: day(2) })),
    ...read('r2', '/shop/src/price.ts', 'export const price = 2').map((message) => ({ ...message, at: day(3) })),
    ...read('r3', '/shop/src/tax.ts', 'tax on the price').map((message) => ({ ...message, at: day(4) })),
    { ...assistant([call('b', 'bash', { command: 'grep price src/price.ts' })], 'b-call'), at: day(5) },
    { ...results([result('b', 'price found')], 'b-result'), at: day(5) },
    {
      ...assistant([call('w', 'edit_file', { path: '/shop/src/price.ts', old: '2', new: '3' })], 'w-call'),
      at: day(6),
    },
    { ...results([result('w', 'edited')], 'w-result'), at: day(6) },
  ];

  it('of one file, by the end of its path: alone it is as last read', () => {
    const found = search(messages, '', { file: 'src/price.ts' });
    expect(found[0]).toMatchObject({ message: { id: 'r2-result' }, text: 'export const price = 2' });
    expect(search(messages, '', { file: 'price.ts' })[0]!.message.id).toBe('r2-result');
    expect(search(messages, 'price', { file: 'tax.ts' }).every(({ file }) => file === '/shop/src/tax.ts')).toBe(true);
    expect(search(messages, '', { file: 'ice.ts' })).toEqual([]);
    expect(new Set(found.map(({ message }) => message.id))).toContain('b-result');
  });

  it('of one tool', () => {
    for (const tool of ['bash', 'Bash'])
      expect(new Set(search(messages, 'price', { tool }).map((one) => one.tool))).toEqual(new Set(['bash']));
  });

  it('of one origin', () => {
    expect(search(messages, 'price', { origin: 'human' }).map(({ message }) => message.id)).toEqual(['u1']);
  });

  it('of some time', () => {
    const ids = (options: SearchOptions): readonly string[] =>
      search(messages, 'price', options).flatMap(({ stretches }) => stretches.map(({ message }) => message));
    expect(ids({ until: day(2) })).toEqual(['u1']);
    expect(new Set(ids({ since: day(3), until: day(4) }))).toEqual(new Set(['r2-call', 'r2-result']));
    expect(search([user('price', 'u1')], 'price', { since: 0 })).toEqual([]);
  });
});

describe('a question about a file that was read', () => {
  it('finds the file by its last name, and not the question', () => {
    const messages = [
      user('read the layers'),
      ...read(
        'c1',
        'packages/core/src/layers/clear-old-results.ts',
        `export const clear = 1;\n${'code\n'.repeat(900)}`,
      ),
      ...read('c2', 'packages/core/src/layers/cap-results.ts', 'export const cap = 2;'),
      ...filler,
      user('what was in clear-old-results.ts?', 'question'),
    ];
    const [found] = search(messages, 'what was in clear-old-results.ts?', { except: ['question'] });
    expect(found!.text).toContain('packages/core/src/layers/clear-old-results.ts');
    expect(found!.stretches.some(({ message }) => message === 'c1-result')).toBe(true);
  });
});

describe('whatever was said', () => {
  it('every passage is of at most 1,500 characters, of the transcript, and its references are read', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ maxLength: 400, unit: 'grapheme' }), fc.lorem({ maxCount: 300 })), {
          minLength: 1,
          maxLength: 8,
        }),
        fc.nat(),
        (texts, pick) => {
          const session = createSession({ window: 1_000_000, layers: [] });
          for (const said of texts) session.append(user(said.trim() === '' ? 'x' : said));
          const chosen = texts[pick % texts.length] ?? '';
          for (const found of session.recall.search(chosen.slice(0, 60))) {
            expect(found.text.length).toBeLessThanOrEqual(1_500);
            for (const stretch of found.stretches)
              expect(session.recall.read(stretch.message).text).toContain(stretch.text);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('what was said is found by its own words', () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 5 }), (said) => {
        expect(search([...filler, user(said, 'wanted')], said)[0]!.message.id).toBe('wanted');
      }),
      { numRuns: 30 },
    );
  });
});
