import { fastOrDeep, histories } from '@palimpsest/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  digest,
  judge,
  type NewMessage,
  type PresetName,
  presets,
  reasoning,
  result,
  results,
  SECTIONS,
  type Session,
  type Summarizer,
  text,
  user,
} from '../src/index.ts';
import { redact } from '../src/message/redact.ts';
import { alignCut, cutHead, cutTail, toWellFormed } from '../src/text.ts';
import { summaryFor } from './summarizers.ts';
import { askingLayers } from './support/asking-layers.ts';

const half = /\p{Surrogate}/u;

/** The first string in a value that holds half a pair, keys included. */
function findHalf(value: unknown): string | undefined {
  if (typeof value === 'string') return half.test(value) ? value : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, one] of Object.entries(value)) {
    const found = findHalf(key) ?? findHalf(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A text of pairs that begins at an even or an odd place, so that one of both is cut through wherever a cut falls. */
const pairs = (shift: number, length: number): string => `${'x'.repeat(shift)}${'😀'.repeat(Math.ceil(length / 2))}`;

/** The same with words, lines, paths and rules in it, for what looks for them. */
const prose = (shift: number, length: number): string =>
  `${'x'.repeat(shift)}${`Never use 😀😀 in src/😀/a😀.ts! error: 🎉🎉🎉 failed\n${'🎉'.repeat(7)} `.repeat(Math.ceil(length / 60))}`;

function talk(session: Session, make: (shift: number, length: number) => string, turns: number): void {
  for (let i = 0; i < turns; i++) {
    session.append(user(`Do ${i}: ${make(i % 2, 300 + i)}`));
    session.append(
      assistant([
        reasoning(make(i % 2, 50)),
        text(make((i + 1) % 2, 200 + i)),
        call(`c${i}`, 'bash', { command: make(i % 2, 900), deep: [{ [`k${make(0, 10)}`]: make(1, 600) }] }),
        call(`d${i}`, 'read', { file_path: `/src/${make(i % 2, 20)}.ts` }),
        call(`e${i}`, 'mcp__a__b', {}),
      ]),
    );
    session.append(
      results([
        result(`c${i}`, make(i % 2, 2_500 + i), i % 3 === 0),
        result(`d${i}`, make((i + 1) % 2, 900)),
        result(`e${i}`, [text(make(i % 2, 4_000 + i)), text(make(1, 40))]),
      ]),
    );
    session.append(assistant(make(i % 2, 400)));
  }
}

function watch(name: PresetName, window: number, stop: 'answers' | 'fails') {
  const asked: unknown[] = [];
  const summarizer: Summarizer = {
    window: 9_000,
    sharesPrefix: window > 10_000,
    async summarize(request) {
      asked.push(request);
      if (stop === 'fails') throw Object.assign(new Error('too long'), { code: 'too-long' });
      return { text: `<summary>${summaryFor(request).replaceAll(/^-$/gm, 'fine \ud83d')}</summary>`, stop: 'end' };
    },
  };
  const session = createSession({
    window,
    maxOutput: 500,
    layers: askingLayers(name),
    ports: {
      summarizer,
      stash: { put: async (saved) => `/tmp/\ud83d${asked.push(saved)}`, get: async () => undefined },
      carry: { carry: async () => [{ kind: 'note', name: 'n\udc00', text: pairs(1, 6_000) }] },
      hooks: { before: () => ({ instructions: 'mind \ud83d' }), after: () => ({ context: 'and \udc00 then' }) },
    },
    on: (event) => void asked.push(event),
  });
  return { session, asked };
}

describe('no request holds half a surrogate pair', () => {
  const cases = (Object.keys(presets) as PresetName[]).flatMap((name) =>
    ([3_000, 12_000] as const).flatMap((window) =>
      (['answers', 'fails'] as const).map((stop) => [name, window, stop] as const),
    ),
  );

  it.each(cases)(
    'out of well-formed histories: preset %s, window %d, a summarizer that %s',
    async (name, window, stop) => {
      for (const make of [pairs, prose]) {
        const { session, asked } = watch(name, window, stop);
        for (let round = 0; round < 3; round++) {
          talk(session, make, 3);
          expect(findHalf((await session.view({ now: round * 10_000_000 })).messages)).toBeUndefined();
          await session.settled();
        }
        await session.compact({ instructions: 'mind \ud83d' });
        expect(findHalf((await session.overflowed()).messages)).toBeUndefined();
        expect(findHalf(session.ledger())).toBeUndefined();
        expect(findHalf(asked)).toBeUndefined();
        const refs = session.receipts().flatMap(({ lines }) => lines.flatMap((line) => line.refs));
        for (const ref of refs) expect(findHalf(session.recall.read(ref).text)).toBeUndefined();
        for (const { line } of session.recall.search('😀')) expect(findHalf(line)).toBeUndefined();
      }
    },
  );

  it('whatever comes in: what is not well-formed is mended at the door, and keeps its length', async () => {
    const session = createSession({ window: 8_000 });
    const given: readonly NewMessage[] = [
      user('cut here: \ud83d', 'id \udc00'),
      assistant([reasoning('\ud83d'), call('c\ud83d', 'b\udc00', { '\ud83d': ['\udc00\ud83d'] })]),
      results([{ ...result('c\ud83d', '\udc00 out'), native: { '\ud83d': '\ud83d' } }]),
      user([{ type: 'native', wire: 'w', block: '\ud83d' }, text('😀 stays')]),
    ];
    for (const message of given) session.append(message);
    const { messages } = await session.view();
    expect(findHalf(messages)).toBeUndefined();
    expect(findHalf(session.transcript())).toBeUndefined();
    expect(messages[0]).toMatchObject({ id: 'id \ufffd', parts: [text('cut here: \ufffd')] });
    expect(messages.at(-1)!.parts[1]).toEqual(text('😀 stays'));
    expect(messages).toHaveLength(4);
  });

  it('of histories of any shape, with halves sprinkled in', async () => {
    const sprinkled = fc.tuple(histories(), fc.integer({ min: 0, max: 40 })).map(([history, at]) => {
      const said = JSON.stringify(history);
      // Between two letters of a word: keys and structure stay.
      return JSON.parse(
        said.replaceAll(/(?<=parser|token|lorem|x y)/g, (_, place: number) =>
          place % 3 === at % 3 ? '\\ud83d' : '😀',
        ),
      );
    });
    await fc.assert(
      fc.asyncProperty(
        sprinkled,
        fc.constantFrom(...(Object.keys(presets) as PresetName[])),
        fc.integer({ min: 600, max: 6_000 }),
        async (history: readonly NewMessage[], name, window) => {
          const session = createSession({ window, maxOutput: 50, layers: presets[name](), broken: 'mend' });
          for (const message of history) session.append(message);
          expect(findHalf((await session.view()).messages)).toBeUndefined();
          expect(findHalf(session.ledger())).toBeUndefined();
        },
      ),
      { numRuns: fastOrDeep(60, 1_000) },
    );
  });

  it('a stored session that holds halves, in messages and in edits, loads well-formed', async () => {
    const said = { id: 'm1', role: 'user', origin: 'human', parts: [text(`\ud83d ${'😀'.repeat(500)}`)] } as const;
    const session = createSession({
      window: 4_000,
      records: [
        { v: 1, type: 'message', message: said },
        {
          v: 1,
          type: 'entry',
          entry: {
            type: 'edits',
            walk: 1,
            layer: 'old',
            trigger: 'auto',
            edits: [{ type: 'replace', ref: 'e1', message: 'm1', part: 0, excerpt: [[0, 5], 'cut \udc00', [8, 10]] }],
            tokensBefore: 10,
            tokensAfter: 5,
            pressed: false,
            over: 0,
            declared: false,
          },
        },
      ],
    });
    const { messages } = await session.view();
    expect(findHalf(messages)).toBeUndefined();
    expect(messages[0]!.parts).toEqual([text('\ufffd 😀\ufffdcut \ufffd😀')]);
  });

  it('a digest of any size, a judged summary, a redacted text', () => {
    for (const shift of [0, 1])
      for (const make of [pairs, prose]) {
        const messages = [
          { id: 'u', role: 'user', origin: 'human', parts: [text(make(shift, 3_000))] },
          { id: 'a', role: 'assistant', origin: 'model', parts: [call('c', 'bash', { command: make(shift, 5_000) })] },
          { id: 'r', role: 'user', origin: 'tool', parts: [result('c', make(shift, 24_000), true)] },
        ] as const;
        for (let tokens = 40; tokens < 400; tokens += 7)
          expect(findHalf(digest(messages, { maxTokens: tokens }).text)).toBeUndefined();
        const verdict = judge(
          { text: `${SECTIONS.map((name) => `## ${name}\n${make(shift, 30)}`).join('\n')}`, stop: 'end' },
          { source: messages, sourceTokens: 9e9, maxTokens: 9e9, countText: (said) => said.length },
        );
        expect(verdict.type).toBe('accepted');
        expect(findHalf(verdict)).toBeUndefined();
        expect(
          findHalf(redact(`password=${make(shift, 40)} token: "${make(shift, 40)}" https://a:${make(shift, 9)}@b`)),
        ).toBeUndefined();
      }
  });
});

describe('a cut', () => {
  it('never parts a pair, and takes as much as it may', () => {
    for (const shift of [0, 1])
      for (let chars = -1; chars <= 12; chars++) {
        const source = pairs(shift, 10);
        const [head, tail] = [cutHead(source, chars), cutTail(source, chars)];
        expect(half.test(head) || half.test(tail)).toBe(false);
        expect(source.startsWith(head) && source.endsWith(tail)).toBe(true);
        for (const piece of [head, tail]) {
          expect(piece.length).toBeLessThanOrEqual(Math.max(0, chars));
          expect(piece.length).toBeGreaterThanOrEqual(Math.min(source.length, Math.max(0, chars - 1)));
        }
        expect(alignCut(source, Math.max(0, chars))).toBe(chars >= source.length ? Math.max(0, chars) : head.length);
      }
  });

  it('mending keeps the length, and what is well-formed', () => {
    expect(toWellFormed('a\ud83db\udc00\ud83d😀')).toBe('a\ufffdb\ufffd\ufffd😀');
    expect(toWellFormed('😀 fine')).toBe('😀 fine');
  });
});
