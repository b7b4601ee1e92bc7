import { describe, expect, it } from 'vitest';
import {
  assistant,
  budget,
  call,
  createSession,
  emptyLedger,
  type JournalRecord,
  type Json,
  type MediaPart,
  type Message,
  type NewMessage,
  type PresetName,
  plan,
  presets,
  pushRecall,
  result,
  results,
  type SessionOptions,
  text,
  user,
} from '../../src/index.ts';
import * as notices from '../../src/notices.ts';
import { textOf } from '../texts.ts';

const TOOLS: Json = [{ name: 'bash' }, { name: 'read_file' }];
const WITH_RECALL: Json = [...TOOLS, { name: 'recall' }];

const PICTURE: MediaPart = { type: 'media', kind: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo='.repeat(40) };

/** Reads, long outputs, repeated reads, pictures and pastes: something for every layer. */
function* rounds(count: number): Generator<NewMessage> {
  for (let i = 0; i < count; i++) {
    yield user([
      text(i % 9 === 4 ? `See the log.\n${`line ${i} of a log\n`.repeat(150)}` : `Step ${i}: look at src/${i}.ts.`),
      ...(i % 7 === 3 ? [PICTURE] : []),
    ]);
    yield assistant([
      call(`c${i}`, 'read_file', { path: `src/${i % 5}.ts` }),
      call(`d${i}`, 'bash', { command: `make ${i}` }),
    ]);
    yield results([
      result(`c${i}`, `export const limit${i % 5} = ${i % 5};\n`.repeat(50)),
      result(`d${i}`, `built ${i}\n`.repeat(i % 11 === 5 ? 4_000 : 40)),
    ]);
    yield assistant(`limit${i} is ${i}.`);
  }
}

/** Every view before an answer. */
async function live(options: SessionOptions, count = 50) {
  const session = createSession(options);
  const views: (readonly Message[])[] = [];
  for (const message of rounds(count)) {
    if (message.role === 'assistant') views.push((await session.view()).messages);
    session.append(message);
  }
  return { session, views };
}

/** As a notice cites it where the model can read nothing: in brackets, as an attribute, between dots. */
const BARE = /(?:\(|ref="|, |…)(e\d+(?: to e\d+)?)(?:\)|"|…)/g;
const listBare = (said: string): readonly string[] => [...said.matchAll(BARE)].map(([, ref = '']) => ref);

describe('where the model has tools and none to recall with', () => {
  it.each(Object.keys(presets) as PresetName[])(
    'no view speaks of a recall, and every reference that one prints can be read: %s',
    async (name) => {
      const { session, views } = await live({ window: 16_000, tools: TOOLS, layers: presets[name]() });
      await session.compact();
      views.push((await session.view()).messages);
      session.append(user('Go on.'));
      views.push((await session.overflowed({})).messages);
      const refs = new Set<string>();
      for (const view of views) {
        const said = textOf(view);
        expect(said).not.toMatch(/recall/i);
        for (const ref of listBare(said)) refs.add(ref);
      }
      expect(refs.size).toBeGreaterThan(1);
      for (const ref of refs) expect(session.recall.read(ref).messages.length, ref).toBeGreaterThan(0);
    },
  );

  it('nor do passages that code brings back', async () => {
    // So little evidence that the view forgets what is asked for.
    const layers = presets.default({
      summarizeHistory: { evidenceTokens: 64, narrativeTokens: 64, evidenceLeast: 64 },
    });
    const session = createSession({ window: 16_000, tools: TOOLS, layers: [...layers, pushRecall()] });
    session.append(user('Look at the ledger.'));
    for (let i = 0; i < 12; i++) {
      session.append(assistant([call(`l${i}`, 'read_file', { path: `src/ledger${i}.ts` })]));
      session.append(
        results([result(`l${i}`, `export const reconcileLedger${i} = (day) => day * ${i};\n`.repeat(20))]),
      );
    }
    session.append(assistant('It is read.'));
    for (const message of rounds(40)) {
      if (message.role === 'assistant') await session.view();
      session.append(message);
    }
    session.append(user('How did reconcileLedger4 in src/ledger4.ts go about the day?'));
    const said = textOf((await session.view()).messages);
    expect(said).toContain('Brought back by code');
    expect(said).not.toMatch(/recall/i);
  });

  it('what the view names is enough to read everything that it does not show', async () => {
    const { session } = await live({ window: 16_000, tools: TOOLS });
    const { messages } = await session.view();
    const reached = new Set(messages.map(({ id }) => id));
    for (const ref of listBare(textOf(messages)))
      for (const { id } of session.recall.read(ref).messages) reached.add(id);
    expect(session.transcript().filter(({ id }) => !reached.has(id))).toEqual([]);
  });

  it('a plan says the same', () => {
    const planned = (options: { tools?: Json; canRecall?: boolean }) =>
      textOf(
        plan([...rounds(50)], emptyLedger, { budget: budget({ window: 16_000 }), lenient: true, ...options }).view,
      );
    expect(planned({ tools: TOOLS })).not.toMatch(/recall/);
    expect(planned({ tools: WITH_RECALL })).toMatch(/recall e\d/);
    expect(planned({})).toMatch(/recall e\d/);
    expect(planned({ canRecall: false })).not.toMatch(/recall/);
  });
});

describe('whether the model can recall', () => {
  const speaks = async (options: Partial<SessionOptions>): Promise<boolean> => {
    const { session } = await live({ window: 16_000, ...options }, 20);
    return /recall e\d/.test(textOf((await session.view()).messages));
  };

  it.each<[string, Partial<SessionOptions>, boolean]>([
    ['nothing is known of its tools', {}, true],
    ['its tools are in a form of their own', { tools: 'bash, read_file' }, true],
    ['it has none', { tools: [] }, false],
    ['it has others', { tools: TOOLS }, false],
    ['it has the tool', { tools: WITH_RECALL }, true],
    ['a server lends it', { tools: [{ name: 'mcp__palimpsest__recall' }] }, true],
    ['the gateway answers it', { tools: [{ name: 'palimpsest_recall' }] }, true],
    ['tools stand under their names', { tools: { bash: {}, recall: {} } }, true],
    ['tools stand under their names, without it', { tools: { bash: {} } }, false],
    ['the host says that one of another name does it', { tools: TOOLS, canRecall: true }, true],
    ['the host says that its recall is of something else', { tools: WITH_RECALL, canRecall: false }, false],
  ])('%s', async (_, options, expected) => {
    expect(await speaks(options)).toBe(expected);
  });

  it('may be said with a view, and holds for what is hidden from then on', async () => {
    const session = createSession({ window: 16_000 });
    for (const message of rounds(4)) session.append(message);
    await session.view({ canRecall: false });
    for (const message of [...rounds(30)].slice(16)) {
      if (message.role === 'assistant') await session.view();
      session.append(message);
    }
    expect(textOf((await session.view()).messages)).not.toMatch(/recall/i);
  });
});

describe('a list of tools that changes in the middle', () => {
  it('changes nothing that was sent, unless a compaction is declared', async () => {
    const session = createSession({ window: 16_000 });
    let before: readonly string[] = [];
    let at = 0;
    const forms = new Set<string>();
    for (const message of rounds(60)) {
      if (message.role === 'assistant') {
        const { messages, receipt } = await session.view({ tools: [TOOLS, WITH_RECALL, []][at++ % 3]! });
        const now = messages.map((one) => JSON.stringify(one));
        if (receipt?.declared !== true) expect(now.slice(0, before.length)).toEqual(before);
        before = now;
        for (const [form] of textOf(messages).matchAll(/; recall e| \(e/g)) forms.add(form);
      }
      session.append(message);
    }
    // Both forms came up, so the law was put to the test.
    expect([...forms].sort()).toEqual([' (e', '; recall e']);
  });

  it('and a session that is opened again shows what it showed, whatever tools it has then', async () => {
    const records: JournalRecord[] = [];
    const journal = {
      append: async (more: readonly JournalRecord[]) => void records.push(...more),
      close: async () => {},
    };
    const { session } = await live({ window: 16_000, tools: TOOLS, journal }, 30);
    const { messages } = await session.view();
    const loaded = createSession({ window: 16_000, tools: WITH_RECALL, records });
    expect((await loaded.view()).messages).toEqual(messages);
  });

  it('nor do a fork and a compaction taken back', async () => {
    const { session } = await live({ window: 16_000, tools: TOOLS }, 30);
    const { messages } = await session.view();
    const fork = session.fork(undefined, { tools: WITH_RECALL });
    expect((await fork.view()).messages).toEqual(messages);
    await fork.compact();
    expect((await fork.view()).messages).not.toEqual(messages);
    fork.undo();
    expect((await fork.view({ tools: [] })).messages).toEqual(messages);
  });
});

describe('every notice that names a reference', () => {
  const made: Readonly<Record<string, (canRecall: boolean) => string>> = {
    cutMark: (can) => notices.cutMark(9, 'e7', can),
    cutPartsMark: (can) => notices.cutPartsMark('e6', 'e7', can),
    truncatedNotice: (can) => notices.truncatedNotice(9, 3, 'e7', can),
    stash: (can) => notices.stashOpen(9, 'e7', undefined, can) + notices.stashClose(can),
    clearedNotice: (can) => notices.clearedNotice('bash', 'e7', can),
    supersededNotice: (can) => notices.supersededNotice('a.ts', 'e7', can),
    unchangedNotice: (can) => notices.unchangedNotice('a.ts', 'e7', can),
    mediaRemovedNotice: (can) => notices.mediaRemovedNotice('[image]', 'e7', can),
    refusedMediaNotice: (can) => notices.refusedMediaNotice('e7', can),
    snippedNotice: (can) => notices.snippedNotice(3, 'e7', can),
    droppedNotice: (can) => notices.droppedNotice(3, 'e7', can),
    collapsedFrame: (can) => notices.collapsedFrame(3, 'e7', can),
    summaryFrame: (canRecall) =>
      notices.summaryFrame({ count: 3, ref: 'e7', canRecall, trigger: 'auto', short: false }),
    shortSummaryFrame: (canRecall) =>
      notices.summaryFrame({ count: 3, ref: 'e7', canRecall, trigger: 'auto', short: true }),
  };

  it('statements that are left out are told by their numbers, and an older journal says so in other words', () => {
    const said = notices.leftOutNotice(3, 's1', 's3');
    expect(said).not.toMatch(/recall/);
    for (const line of [
      said,
      '[3 older statements are left out here; recall s1 to s3]',
      notices.leftOutNotice(1, 's2', 's2'),
    ])
      expect(notices.isLeftOutNotice(line), line).toBe(true);
    expect(notices.isLeftOutNotice('- 3 older statements are left out here (s1)')).toBe(false);
  });

  it.each(Object.entries(made))('has it in both forms, the one without a recall no longer: %s', (_, make) => {
    expect(make(true)).toMatch(/recall/);
    expect(make(false)).not.toMatch(/recall/);
    for (const can of [true, false]) expect(make(can)).toContain('e7');
    expect(make(false).length).toBeLessThan(make(true).length);
  });
});
