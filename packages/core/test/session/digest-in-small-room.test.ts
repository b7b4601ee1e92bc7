import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  type Layer,
  presets,
  result,
  results,
  type Session,
  user,
} from '../../src/index.ts';
import { good, scripted, summaryFor } from '../summarizers.ts';
import { textOf } from '../texts.ts';

/** Words and values that no cheaper layer makes smaller. */
function work(session: Session, rounds: number): void {
  session.append(user('Build all parts. Never touch db/.'));
  for (let n = 0; n < rounds; n++) {
    session.append(assistant([call(`c${n}`, 'bash', { command: `make part_${n}` })]));
    session.append(results([result(`c${n}`, `limit_${n} = ${n * 7_919}`)]));
    const reason = `Part ${n} is built by builder_${n} in folder_${n}, since checker_${n} wanted it before finder_${n}. `;
    session.append(assistant(reason.repeat(4)));
    session.append(user(`ok ${n}`));
  }
}

const open = (window: number, port = good(), more: object = {}) =>
  createSession({ window, drafts: false, ...more, ports: { summarizer: port } });

describe('where a summary would take the room of facts', () => {
  it('no model is asked by itself, and the receipt says why', async () => {
    const port = good();
    const session = open(32_000, port);
    work(session, 320);
    const { receipt, messages } = await session.view();
    expect(port.requests).toEqual([]);
    expect(receipt!.summary).toMatchObject({ by: 'digest' });
    expect(receipt!.reason).toMatch(/no model was asked: in \d+ tokens its words would take the room of facts/);
    expect(textOf(messages)).toContain('Never touch db/.');
  });

  it('nor is one drafted', async () => {
    const port = good();
    const session = open(32_000, port, { drafts: true });
    for (let n = 0; n < 10; n++) {
      work(session, 40);
      await session.view();
      await session.settled();
    }
    expect(session.receipts().length).toBeGreaterThan(0);
    expect(port.requests).toEqual([]);
  });

  it('nor is a walk made to find out whether one will be', async () => {
    let walks = 0;
    const counting: Layer = { name: 'counting', decide: () => (walks++, { edits: [] }) };
    const session = open(32_000, good(), { drafts: true, layers: [counting, ...presets.default()] });
    let views = 0;
    while (session.receipts().length === 0) {
      work(session, 8);
      await session.view();
      await session.settled();
      views++;
    }
    expect(views).toBeGreaterThan(8);
    // The last one comes back from its carry and hooks.
    expect(walks).toBeLessThanOrEqual(views + 1);
  });

  it.each([
    ['overflow', (session: Session) => session.overflowed({ maximum: 20_000 })],
    ['switch', (session: Session) => session.switchTo({ window: 8_000 })],
  ] as const)('nor for any other reason but that somebody wants one: %s', async (trigger, act) => {
    const port = good();
    const session = open(32_000, port);
    work(session, 60);
    await act(session);
    expect(session.receipts().map((receipt) => [receipt.trigger, receipt.summary?.by])).toEqual([[trigger, 'digest']]);
    expect(port.requests).toEqual([]);
  });

  it('the digest has the room of its words, and stays within the window however small that is', async () => {
    for (const window of [2_000, 8_000, 32_000]) {
      const alone = createSession({ window, ports: {} });
      const spared = open(window);
      const [before, now] = await Promise.all(
        [alone, spared].map(async (session) => {
          work(session, window / 100);
          const { messages, fits } = await session.view();
          expect(fits).toBe(true);
          return new Set(textOf(messages).match(/[a-z]+_\d+/g)).size;
        }),
      );
      expect(now).toBeGreaterThan(before! * 1.1);
    }
  });

  it('who asks for a summary gets one, and what it says stays in the digests that follow', async () => {
    const port = scripted((request) => ({
      text: summaryFor(request, { Facts: '- the mill at the weir' }),
      stop: 'end',
    }));
    const session = open(32_000, port);
    work(session, 100);
    await session.compact();
    expect(port.requests).toHaveLength(1);
    work(session, 320);
    const { receipt, messages } = await session.view();
    expect(receipt!.summary).toMatchObject({ by: 'digest' });
    expect(port.requests).toHaveLength(1);
    expect(textOf(messages)).toContain('the mill at the weir');
  });

  it.each([
    ['in more room', 64_000, {}],
    ['where the host says so', 32_000, { layers: presets.default({ summarizeHistory: { modelFrom: 0 } }) }],
  ])('one is asked %s', async (_, window, more) => {
    const port = good();
    const session = open(window, port, more);
    work(session, window / 100);
    const { receipt } = await session.view();
    expect(receipt!.summary).toMatchObject({ by: 'model' });
    expect(port.requests).toHaveLength(1);
  });
});
