import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  type JournalRecord,
  type Json,
  type Message,
  type PresetName,
  presets,
  result,
  results,
  type Session,
  type SessionOptions,
  user,
} from '../../src/index.ts';
import { findRecallTool } from '../../src/walk/find-recall-tool.ts';
import { textOf } from '../texts.ts';

const tools: Json = [{ name: 'bash' }, { name: 'recall', description: 'reads what was hidden' }];

function* rounds(count: number, from = 0) {
  for (let i = from; i < from + count; i++) {
    yield user(`Step ${i}: look at src/${i}.ts.`);
    yield assistant([call(`c${i}`, 'read_file', { path: `src/${i}.ts` })]);
    yield results([result(`c${i}`, `export const limit${i} = ${i};\n`.repeat(60))]);
    yield assistant(`limit${i} is ${i}.`);
  }
}

/** Every view before an answer, as a host makes them. */
async function live(session: Session, count: number): Promise<readonly (readonly Message[])[]> {
  const views: (readonly Message[])[] = [];
  for (const message of rounds(count)) {
    if (message.role === 'assistant') views.push((await session.view()).messages);
    session.append(message);
  }
  return views;
}

const TOLD = 'Parts of this conversation were hidden';
const countTold = (view: readonly Message[]): number => textOf(view).split(TOLD).length - 1;

describe('where the model has a tool to recall with', () => {
  it.each(Object.keys(presets) as PresetName[])(
    'it is told of the first compaction, once in every view from then on: %s',
    async (name) => {
      const session = createSession({ window: 16_000, tools, layers: presets[name]() });
      const views = await live(session, 60);
      const first = views.findIndex((view) => countTold(view) > 0);
      expect(first).toBeGreaterThan(0);
      const compacted = session.receipts().filter(({ declared }) => declared);
      expect(compacted.length).toBeGreaterThan(1);
      for (const view of views.slice(0, first)) expect(textOf(view)).not.toContain('hidden to save space');
      for (const view of views) expect(countTold(view)).toBeLessThanOrEqual(1);
      // As long as nothing folds it away it is not said again.
      const tellings = session
        .ledger()
        .entries.filter((entry) => entry.type === 'edits' && entry.layer === 'tell-recall');
      expect(tellings.length).toBeLessThanOrEqual(compacted.length);
    },
  );

  it('it is told behind all else: what stood before is a prefix of the next view, byte for byte', async () => {
    const session = createSession({ window: 16_000, tools, layers: presets.default({ clearOldResults: true }) });
    let before: readonly Message[] = [];
    let wasTold = false;
    for (const message of rounds(40)) {
      if (message.role === 'assistant') {
        const { messages, receipt } = await session.view();
        if (receipt?.declared !== true) expect(messages.slice(0, before.length)).toEqual(before);
        else if (!wasTold && countTold(messages) > 0) {
          expect(countTold([messages.at(-1)!])).toBe(1);
          wasTold = true;
        }
        before = messages;
      }
      session.append(message);
    }
    expect(wasTold).toBe(true);
  });

  it('it says so in the same words after the session was opened again, and not a second time', async () => {
    const records: JournalRecord[] = [];
    const journal = {
      append: async (more: readonly JournalRecord[]) => void records.push(...more),
      close: async () => {},
    };
    const options: SessionOptions = { window: 16_000, tools };
    const session = createSession({ ...options, journal });
    await live(session, 30);
    const { messages } = await session.view();
    expect(countTold(messages)).toBe(1);
    const loaded = createSession({ ...options, records });
    expect((await loaded.view()).messages).toEqual(messages);
  });

  it('it goes with the compaction when that is taken back', async () => {
    const session = createSession({ window: 100_000, tools });
    for (const message of rounds(12)) session.append(message);
    const before = (await session.view()).messages;
    await session.compact();
    expect(countTold((await session.view()).messages)).toBe(1);
    session.undo();
    expect((await session.view()).messages).toEqual(before);
  });

  it('it is named as the host names it, wherever the wire puts names', () => {
    expect(findRecallTool([{ type: 'function', function: { name: 'recall' } }])).toBe('recall');
    expect(findRecallTool([{ functionDeclarations: [{ name: 'a' }, { name: 'recall' }] }])).toBe('recall');
    expect(findRecallTool([{ type: 'function', name: 'mcp__palimpsest__recall' }])).toBe('mcp__palimpsest__recall');
    expect(findRecallTool([{ name: 'total_recall_of_goods', input_schema: { name: 'recall' } }])).toBeUndefined();
    for (const none of [undefined, null, 'recall', [], [null, 3], {}])
      expect(findRecallTool(none as Json)).toBeUndefined();
  });

  it('it is found in a namespace of tools, as servers of OpenAI name theirs', () => {
    const namespace = (name: string, tool: string) => ({
      type: 'namespace',
      name,
      tools: [{ type: 'function', name: tool }],
    });
    expect(findRecallTool([namespace('mcp__palimpsest', 'sessions'), namespace('mcp__palimpsest', 'recall')])).toBe(
      'recall',
    );
    expect(findRecallTool([namespace('recall', 'vehicles')])).toBeUndefined();
  });

  it('it is the one that reads references: another of that name which takes none is something else', () => {
    const other = { type: 'object', properties: { query: { type: 'string' } } };
    const ours = { type: 'object', properties: { reference: { type: 'string' }, query: { type: 'string' } } };
    const list = (schema: Json): readonly Json[] => [
      [{ name: 'mcp__memory__recall', input_schema: schema }],
      [{ type: 'function', function: { name: 'recall', parameters: schema } }],
      [{ type: 'function', name: 'recall', parameters: schema }],
      [{ type: 'function', name: 'recall', inputSchema: schema }],
      [{ functionDeclarations: [{ name: 'recall', parameters: schema }] }],
      [{ functionDeclarations: [{ name: 'recall', parametersJsonSchema: schema }] }],
      { recall: { inputSchema: schema } },
    ];
    for (const tools of list(other)) expect(findRecallTool(tools), JSON.stringify(tools)).toBeUndefined();
    for (const tools of list(ours)) expect(findRecallTool(tools), JSON.stringify(tools)).toMatch(/recall$/);
    // What says nothing of its input may take one.
    for (const tools of list({ type: 'object' }))
      expect(findRecallTool(tools), JSON.stringify(tools)).toMatch(/recall$/);
  });

  it('it is the one under our own name, wherever that stands in the list', () => {
    for (const own of ['palimpsest_recall', 'mcp__palimpsest__recall'])
      for (const tools of [
        [{ name: 'recall' }, { name: own }],
        [{ name: own }, { name: 'mcp__memory__recall' }],
      ])
        expect(findRecallTool(tools)).toBe(own);
    expect(findRecallTool([{ name: 'mcp__palimpsest__recall' }, { name: 'palimpsest_recall' }])).toBe(
      'palimpsest_recall',
    );
    expect(findRecallTool({ recall: {}, palimpsest_recall: {} })).toBe('palimpsest_recall');
  });
});

describe('the telling', () => {
  it('names no reference of its own, and is no part of a receipt', async () => {
    const session = createSession({ window: 16_000, tools });
    await live(session, 30);
    const { messages } = await session.view();
    const told = messages.filter(({ synthetic }) => synthetic === 'recall_told');
    expect(told).toHaveLength(1);
    expect(textOf(told)).not.toMatch(/\b[ems]\d+\b/);
    for (const { lines } of session.receipts()) expect(lines.map(({ layer }) => layer)).not.toContain('tell-recall');
  });
});

describe('where it has none', () => {
  it('nothing is said of one', async () => {
    const session = createSession({ window: 16_000, tools: [{ name: 'bash' }] });
    for (const view of await live(session, 40)) expect(countTold(view)).toBe(0);
    expect(session.receipts().some(({ declared }) => declared)).toBe(true);
  });
});
