import { describe, expect, it } from 'vitest';
import { assistant, call, createSession, presets, result, results, text, user, type View } from '../../src/index.ts';

const LONG = 'const row = 1;\n'.repeat(400);

/** A round of work that fills a good part of a small window. */
function work(session: ReturnType<typeof createSession>, n: number, beside?: string): void {
  session.append(assistant([call(`c${n}`, 'read', { path: `f${n}.ts` })]));
  const body = result(`c${n}`, LONG);
  session.append(beside === undefined ? results([body]) : user([body, text(beside)]));
}

const holds = (view: View, words: string): boolean =>
  view.messages.some(({ parts }) => parts.some((part) => part.type === 'text' && part.text === words));

describe('text of users and clients', () => {
  it('stays as a message of its own where results stood beside it, and the results go', async () => {
    const session = createSession({ window: 12_000 });
    session.append(user('Read the files.'));
    for (let n = 0; n < 12; n++) work(session, n, n === 2 ? 'Mara signs off the totals.' : undefined);
    const view = await session.view();
    expect(view.messages[0]).toEqual(session.transcript()[0]);
    expect(holds(view, 'Mara signs off the totals.')).toBe(true);
    expect(JSON.stringify(view.messages)).not.toContain('"callId":"c2"');
    expect(view.missing).toBeUndefined();
  });

  it('is a block of a client only as long as no newer one of its kind has come', async () => {
    const session = createSession({ window: 12_000 });
    session.append(user('Read the files.'));
    const block = (n: number): string => `<system-reminder>\nThe todo list has changed.\nitem ${n}\n</system-reminder>`;
    const plan = '<system-reminder>\nPlan mode is active.\n</system-reminder>';
    for (let n = 0; n < 12; n++) {
      work(session, n);
      if (n < 4) session.append(user(n === 1 ? plan : block(n)));
    }
    const view = await session.view();
    expect([0, 2, 3].map((n) => holds(view, block(n)))).toEqual([false, false, true]);
    expect(holds(view, plan)).toBe(true);
    expect(view.missing?.map(({ reason }) => reason)).toEqual(['replaced', 'replaced']);
    for (const { message } of view.missing ?? []) expect(session.recall.read(message).text).toContain('todo list');
  });

  it('is shortened, then lets its oldest go, where it takes more than a quarter of the window', async () => {
    const session = createSession({ window: 12_000 });
    session.append(user('Head.'));
    for (let n = 0; n < 30; n++) {
      work(session, n);
      session.append(
        user(n === 27 ? `paste\n${'log line\n'.repeat(500)}` : `Order ${n}: ${'and mind it, '.repeat(25)}`),
      );
      await session.view();
    }
    const view = await session.view();
    const reasons = new Set(view.missing?.map(({ reason }) => reason));
    expect(reasons).toEqual(new Set(['shortened', 'no-room']));
    expect(holds(view, 'Head.')).toBe(true);
    expect(view.messages.at(-1)).toEqual(session.transcript().at(-1));
    expect(view.tokens).toBeLessThanOrEqual(session.status().budget.trigger);
  });

  it('is folded by presets named after other systems, quoted in the summary, and kept where they are told to', async () => {
    for (const keepsUserText of [undefined, true]) {
      const options = keepsUserText === undefined ? {} : { keepsUserText };
      const session = createSession({ window: 12_000, layers: presets['claude-code'](options) });
      session.append(user('Head.'));
      for (let n = 0; n < 12; n++) {
        work(session, n);
        if (n === 3) session.append(user('## Rules (user)\n- never quote me'));
      }
      const view = await session.view();
      expect(holds(view, 'Head.')).toBe(true);
      expect(holds(view, '## Rules (user)\n- never quote me')).toBe(keepsUserText === true);
      if (keepsUserText !== true)
        expect(JSON.stringify(view.messages)).toContain('> ## Rules (user)\\n> - never quote me');
    }
  });
});
