import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  compact,
  createSession,
  emptyLedger,
  type JournalRecord,
  type NewMessage,
  presets,
  result,
  results,
  type Stash,
  stashLargeResults,
  text,
  user,
} from '../../src/index.ts';
import { bodies, budgetOf, decided, editsOf, entriesOf, inChars, picture, roomy, walkWith } from '../support/walks.ts';

const stash = (): Stash & { readonly texts: string[] } => {
  const texts: string[] = [];
  return { texts, put: async (text) => `s${texts.push(text)}`, get: async (ref) => texts[Number(ref.slice(1)) - 1] };
};
/** A round of parallel calls, whose results come one by one; the i-th is of so many digits i. */
const sized = (...sizes: readonly number[]): readonly NewMessage[] => [
  assistant(sizes.map((_, i) => call(`c${i}`, 'mcp__x__dump', { i }))),
  ...sizes.map((size, i) => results([result(`c${i}`, `${i}`.repeat(size))])),
];
const stashed = (view: Parameters<typeof bodies>[0]): string =>
  bodies(view)
    .map((body) => (body.startsWith('<stashed-result') ? 's' : 'x'))
    .join('');

describe('stash-large-results: the largest results of a group give way to previews, before any model has seen them', () => {
  it('judges each group on the wire alone, however many messages it is, and saves the largest fresh results first', async () => {
    const port = stash();
    const history = [user('go'), ...sized(90_000, 60_000, 80_000), user('typed meanwhile'), ...sized(150_000)];
    const { view } = await compact(history, emptyLedger, {
      budget: roomy,
      layers: [stashLargeResults()],
      ports: { stash: port },
    });
    expect(port.texts.map((text) => text.length)).toEqual([90_000]);
    const [first, second, third, alone] = bodies(view);
    expect(first).toContain('recall="e1"');
    // Nothing can be read by a hash: where the stash has no place to name, the reference is what there is.
    expect(first).not.toContain('s1');
    expect(first!.length).toBeLessThan(2_300);
    for (const whole of [second, third, alone]) expect(whole!.length).toBeGreaterThan(50_000);
  });

  it('fates freeze: what was shown whole stays whole, and a preview is byte-identical without asking again, also after a restart', async () => {
    const port = stash();
    const options = { budget: roomy, layers: [stashLargeResults()], ports: { stash: port } };
    const history = [user('go'), ...sized(150_000)];
    const first = await compact(history, emptyLedger, options);
    const grown = [...history, results([result('late', 'x')].map((part) => ({ ...part, callId: 'c0' })))];
    const seenWhole = await compact(grown, JSON.parse(JSON.stringify(first.ledger)), options);
    expect(bodies(seenWhole.view)[0]).toHaveLength(150_000);
    const large = await compact([user('go'), ...sized(250_000)], emptyLedger, options);
    const preview = bodies(large.view)[0];
    const puts = port.texts.length;
    const again = await compact(
      [user('go'), ...sized(250_000), assistant('ok')],
      JSON.parse(JSON.stringify(large.ledger)),
      options,
    );
    expect(bodies(again.view)[0]).toBe(preview);
    expect(port.texts).toHaveLength(puts);
  });

  it('a group already shown does not weigh on the next one', async () => {
    const port = stash();
    const options = { budget: roomy, layers: [stashLargeResults({ overChars: 14_400 })], ports: { stash: port } };
    const shown = [user('go'), ...sized(13_000)];
    const first = await compact(shown, emptyLedger, options);
    const { view } = await compact([...shown, ...sized(3_500)], first.ledger, options);
    expect(bodies(view).map((body) => body.length)).toEqual([13_000, 3_500]);
  });

  it('neither empty, nor pictured, nor replaced, nor tiny results are saved; a stash that fails leaves the result as it is', async () => {
    const port = stash();
    const history = [user('go'), ...sized(250_000, 14, 0)];
    await compact(history, emptyLedger, {
      budget: roomy,
      layers: [stashLargeResults({ overChars: 10 })],
      ports: { stash: port },
    });
    expect(port.texts.map((text) => text.length)).toEqual([250_000]);
    const broken: Stash = { put: () => Promise.reject(new Error('disk full')), get: async () => undefined };
    const { view } = await compact(history, emptyLedger, {
      budget: roomy,
      layers: [stashLargeResults()],
      ports: { stash: broken },
    });
    expect(bodies(view)[0]).toHaveLength(250_000);
  });

  it('200,000 characters in a group are let through, one more is not; in a small window its share counts', () => {
    const view = (n: number, options = {}, effective = roomy.effective): string =>
      stashed(
        walkWith(sized(n, 3_000), [stashLargeResults(options)], {
          ...inChars,
          budget: budgetOf({ effective }),
        }).view,
      );
    expect(view(197_000)).toBe('xx');
    expect(view(197_001)).toBe('sx');
    expect(view(7_000, { overChars: 10_000 })).toBe('xx');
    expect(view(7_001, { overChars: 10_000 })).toBe('sx');
    // 4,001 × 0.25 × 4 = 4,001 characters; without a fraction four characters a token.
    expect(view(1_001, { fraction: 0.25, previewBytes: 100 }, 4_001)).toBe('xx');
    expect(view(1_002, { fraction: 0.25, previewBytes: 100 }, 4_001)).toBe('xs');
    expect(view(13_004, {}, 4_001)).toBe('xx');
    expect(view(13_005, {}, 4_001)).toBe('sx');
  });

  it('a preview has the size, the reference and the first 2,000 bytes; the largest go first, and only as many as must', () => {
    const made = walkWith(
      [user('go'), ...sized(5_000, 9_000, 7_000)],
      [stashLargeResults({ overChars: 10_000 })],
      inChars,
    );
    expect(stashed(made.view)).toBe('xss');
    expect(bodies(made.view)[1]).toBe(
      `<stashed-result chars="9000" recall="e1">\n${'1'.repeat(2_000)}\n… more follows; recall it by its reference …\n</stashed-result>`,
    );
    expect(editsOf(made).map((edit) => edit.type === 'replace' && edit.stash)).toEqual([undefined, undefined]);
    const short = walkWith(
      [user('go'), ...sized(5_000)],
      [stashLargeResults({ overChars: 10, previewBytes: 50 })],
      inChars,
    );
    expect(bodies(short.view)[0]).toContain(`\n${'0'.repeat(50)}\n…`);
    // A preview counts with its frame: two of 2,108 and 5,000 characters.
    const frame =
      '<stashed-result chars="9000" recall="e1">\n\n… more follows; recall it by its reference …\n</stashed-result>';
    const most = 5_000 + 2 * (2_000 + frame.length);
    const left = (overChars: number): string =>
      stashed(walkWith([user('go'), ...sized(5_000, 9_000, 7_000)], [stashLargeResults({ overChars })], inChars).view);
    expect(left(most)).toBe('xss');
    expect(left(most - 1)).toBe('sss');
  });

  it('of two results of one size the earlier goes, and what is no longer than a preview never does', () => {
    const layer = stashLargeResults({ overChars: 9_000 });
    expect(stashed(walkWith([user('go'), ...sized(5_000, 5_000)], [layer], inChars).view)).toBe('sx');
    const together = [
      user('go'),
      assistant([call('p', 'mcp__x__dump'), call('q', 'mcp__x__dump')]),
      results([result('p', 'p'.repeat(5_000)), result('q', 'q'.repeat(5_000))]),
    ];
    expect(stashed(walkWith(together, [layer], inChars).view)).toBe('sx');
    const view = (n: number): string =>
      stashed(
        walkWith([user('go'), ...sized(n)], [stashLargeResults({ overChars: 10, previewBytes: 500 })], inChars).view,
      );
    expect(view(500)).toBe('x');
    expect(view(700)).toBe('s');
  });

  it('pins and pictures stay, and so does what a layer before replaced; they weigh all the same', () => {
    const layer = stashLargeResults({ overChars: 7_500 });
    const history = [user('go'), assistant([call('p', 'bash'), call('q', 'bash')], 'a')];
    const answers = (...parts: Parameters<typeof result>[1][]): readonly NewMessage[] =>
      parts.map((content, i) => results([result('pq'[i]!, content)], `r${i}`));
    const pinned = [...history, ...answers('x'.repeat(5_000), 'y'.repeat(4_000))];
    expect(stashed(walkWith(pinned, [layer], { ...inChars, ledger: decided({ pins: ['r0'] }) }).view)).toBe('xs');
    const pictured = [...history, ...answers([text('x'.repeat(5_000)), picture('a.png')], 'y'.repeat(4_000))];
    expect(stashed(walkWith(pictured, [layer], inChars).view)).toBe('xs');
    const twice = walkWith(pinned, [layer, stashLargeResults({ overChars: 10, previewBytes: 10 })], inChars);
    expect(entriesOf(twice).map((entry) => entry.edits.length)).toEqual([1, 1]);
    expect(bodies(twice.view)[0]).toContain('x'.repeat(2_000));
  });

  it('what a model was shown weighs on the rest of its group, and stays', () => {
    const history = [user('go'), ...sized(9_000, 5_000, 4_000)];
    const layer = stashLargeResults({ overChars: 15_500 });
    expect(stashed(walkWith(history, [layer], { ...inChars, ledger: decided({ seen: 3 }) }).view)).toBe('xsx');
    expect(editsOf(walkWith(history, [layer], { ...inChars, ledger: decided({ seen: 5 }) }))).toEqual([]);
  });

  it('asks the stash for just what must go, by message and part, and takes its answers', () => {
    const history = [user('go', 'u'), ...sized(5_000, 9_000, 7_000)];
    const layer = stashLargeResults({ overChars: 10_000 });
    const asked = walkWith(history, [layer], { ...inChars, ports: ['stash'] });
    expect(asked.needs).toEqual([
      { type: 'stash', key: 'stash:m4:0', text: '1'.repeat(9_000) },
      { type: 'stash', key: 'stash:m5:0', text: '2'.repeat(7_000) },
    ]);
    expect(editsOf(asked)).toEqual([]);
    const half = walkWith(history, [layer], {
      ...inChars,
      ports: ['stash'],
      facts: [{ type: 'stashed', key: 'stash:m4:0', ref: 'box-1' }],
    });
    expect(half.needs.map((need) => need.key)).toEqual(['stash:m5:0']);
    const failed = walkWith(history, [layer], {
      ...inChars,
      ports: ['stash'],
      facts: [
        { type: 'stashed', key: 'stash:m4:0', ref: 'box-1' },
        { type: 'failed', key: 'stash:m5:0', need: 'stash', code: 'failed', why: 'full' },
      ],
    });
    // The one that failed stays; the next largest is asked for in its place.
    expect(failed.needs.map((need) => need.key)).toEqual(['stash:m3:0']);
    const met = walkWith(history, [layer], {
      ...inChars,
      ports: ['stash'],
      facts: ['m4', 'm5'].map((id, i) => ({ type: 'stashed', key: `stash:${id}:0`, ref: `box-${i}` })),
    });
    expect(met.needs).toEqual([]);
    expect(bodies(met.view)[1]).toContain('<stashed-result chars="9000" recall="e1">\n1');
    expect(editsOf(met).map((edit) => edit.type === 'replace' && edit.stash)).toEqual(['box-0', 'box-1']);
  });

  it('CC8: ten results of 40,000 of any tool come under 200,000, also where each was capped before', async () => {
    for (const tool of ['Bash', 'Read', 'mcp__x__dump']) {
      const port = stash();
      const round = [
        assistant(Array.from({ length: 10 }, (_, i) => call(`c${i}`, tool, { command: `${i}`, file_path: `${i}` }))),
        results(Array.from({ length: 10 }, (_, i) => result(`c${i}`, `${i}`.repeat(40_000)))),
      ];
      for (const layers of [presets['claude-code'](), presets.default()]) {
        const session = createSession({ window: 2_000_000, layers, ports: { stash: port } });
        for (const message of [user('go'), ...round]) session.append(message);
        const { messages } = await session.view();
        const chars = bodies(messages).reduce((sum, body) => sum + body.length, 0);
        expect(chars).toBeLessThanOrEqual(200_000);
        expect(chars).toBeGreaterThan(160_000);
        // What is saved is what the tool said, not what the cap left of it.
        expect(port.texts.every((text) => text.length === 40_000)).toBe(true);
        const refs = session.receipts().flatMap(({ lines }) => lines.flatMap((line) => line.refs));
        for (const ref of refs) expect(session.recall.read(ref).text).toHaveLength(40_000);
      }
    }
  });

  it('CC23: the preview names where the full text lies, if the stash can; a journal keeps the very words', async () => {
    const records: JournalRecord[] = [];
    const journal = {
      append: async (more: readonly JournalRecord[]) => void records.push(...JSON.parse(JSON.stringify(more))),
      close: async () => {},
    };
    const port: Stash = { ...stash(), locate: (ref) => `/var/sessions/one/stash/${ref}.txt` };
    const options = { window: 100_000, layers: [stashLargeResults({ overChars: 10_000 })] };
    const session = createSession({ ...options, journal, ports: { stash: port } });
    for (const message of [user('go'), ...sized(20_000)]) session.append(message);
    const { messages } = await session.view();
    expect(bodies(messages)[0]).toBe(
      `<stashed-result chars="20000" recall="e1">\nFull output saved to: /var/sessions/one/stash/s1.txt\n${'0'.repeat(2_000)}\n… more follows; recall it by its reference …\n</stashed-result>`,
    );
    expect((await createSession({ ...options, records }).view()).messages).toEqual(messages);
    for (const locate of [() => 'two\nlines', () => '', () => 7 as never]) {
      const other = createSession({ ...options, ports: { stash: { ...stash(), locate } } });
      for (const message of [user('go'), ...sized(20_000)]) other.append(message);
      expect(bodies((await other.view()).messages)[0]).toHaveLength(20_000);
    }
  });

  it('the receipt names where the text was saved', async () => {
    const session = createSession({
      window: 100_000,
      layers: [stashLargeResults({ overChars: 10_000 })],
      ports: { stash: stash() },
    });
    for (const message of [user('go'), ...sized(20_000)]) session.append(message);
    const { receipt } = await session.view();
    expect(receipt!.lines).toEqual([
      {
        layer: 'stash-large-results',
        kind: 'result',
        tool: 'mcp__x__dump',
        count: 1,
        bytes: 20_000,
        refs: ['e1'],
        stashed: ['s1'],
      },
    ]);
  });
});
