import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  presets,
  result,
  results,
  type Session,
  type SessionOptions,
  switchesFrom,
  user,
} from '../../src/index.ts';
import { good } from '../summarizers.ts';

/** About 1,000 tokens a turn, of which 900 are output that nothing supersedes. */
function work(session: Session, upTo: number): void {
  for (let i = 0; session.status().tokens < upTo; i++) {
    const id = `t${session.transcript().length}`;
    session.append(user(`Look at part ${id}, please.`));
    session.append(assistant([call(id, 'mcp__db__query', { part: id })]));
    session.append(results([result(id, `row ${id} ${i}\n`.repeat(130))]));
    session.append(assistant(`Part ${id} is fine.`));
  }
  session.append(user('And the next?'));
}

function open(collapse: boolean | object | undefined, more: Partial<SessionOptions> = {}) {
  const summarizer = good();
  const layers = presets['claude-code'](collapse === undefined ? {} : { collapseSpans: collapse });
  const session = createSession({ window: 200_000, maxOutput: 20_000, layers, ports: { summarizer }, ...more });
  const layersOf = async (): Promise<readonly string[]> => {
    const { receipt } = await session.view();
    return [...new Set(receipt?.lines.map((line) => line.layer))];
  };
  return { session, summarizer, layersOf };
}

describe('context collapse in claude-code: effective window 180,000, trigger 167,000', () => {
  it('CC60 CC68: it is off unless the preset or the switch asks for it, and the switch counts before the preset', async () => {
    const on = switchesFrom({ PALIMPSEST_COLLAPSE: '1' });
    const off = switchesFrom({ PALIMPSEST_COLLAPSE: '0' });
    expect(switchesFrom({})).not.toHaveProperty('collapse');
    for (const [asked, switches, layer] of [
      [undefined, {}, 'summarize-history'],
      [undefined, on, 'collapse-spans'],
      [true, {}, 'collapse-spans'],
      [true, off, 'summarize-history'],
      [false, on, 'collapse-spans'],
    ] as const) {
      const { session, layersOf } = open(asked, { switches, drafts: false });
      work(session, 168_000);
      expect(await layersOf()).toEqual([layer]);
    }
  });

  it('CC61: old spans collapse from 90 % of the effective window on, before any summary, each with its own reference', async () => {
    const { session, summarizer } = open(true);
    work(session, 160_500);
    expect((await session.view()).receipt).toBeUndefined();
    work(session, 162_000);
    const { receipt } = await session.view();
    expect(receipt!.lines.map((line) => line.layer)).toEqual(['collapse-spans']);
    expect(receipt!.lines[0]!.refs.length).toBeGreaterThan(1);
    for (const ref of receipt!.lines[0]!.refs) expect(session.recall.read(ref).text).toContain('row t');
    expect(summarizer.requests).toEqual([]);
  });

  it('CC62: at 95 % no view goes out before something has collapsed, also where only the last turn but one is left', async () => {
    // Both turns are among the last two, which a collapse leaves alone below 95 %.
    const { session, layersOf } = open(true, { drafts: false });
    session.append(user('Hello.'));
    session.append(assistant('Hello.'));
    session.append(user('First, everything.'));
    for (let i = 0; session.status().tokens < 166_000; i++) {
      session.append(assistant([call(`c${i}`, 'mcp__db__query', { i })]));
      session.append(results([result(`c${i}`, `row ${i}\n`.repeat(300))]));
    }
    session.append(assistant('That was all.'));
    session.append(user('And now?'));
    expect(await layersOf()).toEqual([]);
    session.append(assistant([call('more', 'mcp__db__query', {})]));
    session.append(results([result('more', 'row of more\n'.repeat(1_500))]));
    expect(session.status().tokens).toBeGreaterThan(171_000);
    expect(await layersOf()).toEqual(['collapse-spans']);
    expect(session.status().tokens).toBeLessThan(162_000);
  });

  it('CC63 S63: while it is on nothing is summarized unasked, and no draft is written', async () => {
    const { session, summarizer } = open(true);
    for (let i = 0; i < 6; i++) {
      work(session, 163_000);
      const { tokens, fits } = await session.view();
      expect(tokens).toBeLessThan(171_000);
      expect(fits).toBe(true);
    }
    await session.settled();
    expect(summarizer.requests).toEqual([]);
    const layers = new Set(session.receipts().flatMap(({ lines }) => lines.map((line) => line.layer)));
    expect([...layers]).toEqual(['collapse-spans']);
    const other = open(false);
    work(other.session, 168_000);
    await other.session.view();
    expect(other.summarizer.requests).not.toEqual([]);
  });

  it('CC63 S63: above the trigger history stays as it is where nothing may collapse yet, and without it gives way', async () => {
    for (const [collapse, layers] of [
      [true, []],
      [false, ['summarize-history']],
    ] as const) {
      // All is in the last two turns, which a collapse leaves alone below 95 %.
      const { session, summarizer, layersOf } = open(collapse, { drafts: false });
      for (const message of [user('Hello.'), assistant('Hello.'), user('Everything, please.')]) session.append(message);
      for (let i = 0; session.status().tokens < 167_500; i++) {
        session.append(assistant([call(`c${i}`, 'mcp__db__query', { i })]));
        session.append(results([result(`c${i}`, `row ${i}\n`.repeat(300))]));
      }
      session.append(assistant('That was all.'));
      session.append(user('And now?'));
      expect(session.status().tokens).toBeLessThan(171_000);
      expect(await layersOf()).toEqual(layers);
      expect(summarizer.requests.length > 0).toBe(layers.length > 0);
    }
  });

  it('CC64 S64: what is asked for and what a provider refuses are summarized as always', async () => {
    const manual = open(true, { drafts: false });
    work(manual.session, 100_000);
    await manual.session.view();
    await manual.session.compact();
    expect(manual.summarizer.requests.length).toBeGreaterThan(0);
    // A refusal: spans collapse first; where none is left to, history is summarized.
    const refused = open({ spanTokens: 1e9, spanFraction: Infinity }, { drafts: false });
    work(refused.session, 100_000);
    await refused.session.view();
    expect((await refused.session.overflowed()).tokens).toBeLessThan(50_000);
    expect(refused.summarizer.requests.length).toBeGreaterThan(0);
  });
});
