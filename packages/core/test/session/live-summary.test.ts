import { describe, expect, it } from 'vitest';
import { assistant, createSession, presets, type Session, user } from '../../src/index.ts';
import { scripted, summaryFor } from '../summarizers.ts';
import { long, textOf } from '../texts.ts';

const work = (session: Session): void => {
  for (let i = 0; i < 10; i++) {
    session.append(user(`Do ${i} ${long('this', 100)}`));
    session.append(assistant(`Done ${i} ${long('so', 100)}`));
  }
};

describe('session.summary()', () => {
  it('is undefined as long as the view shows none, and again once it was taken back', async () => {
    const session = createSession({ window: 50_000 });
    expect(session.summary()).toBeUndefined();
    work(session);
    await session.compact({ form: 'up-to' });
    expect(session.summary()).toMatchObject({ ref: 'e8', by: 'digest', items: [] });
    session.undo();
    expect(session.summary()).toBeUndefined();
  });

  it('reads a narrative of any form as statements, which nothing proves', async () => {
    const summarizer = scripted((request) => ({
      text: summaryFor(request, { 'Current work': '- the mill turns\n- the sluice is open' }),
      stop: 'end',
    }));
    const session = createSession({
      window: 50_000,
      drafts: false,
      layers: presets['claude-code'](),
      ports: { summarizer },
    });
    work(session);
    await session.compact();
    const summary = session.summary()!;
    expect(summary.items).toMatchObject([
      { number: 1, section: 'Current work', text: 'the mill turns', places: [] },
      { number: 2, section: 'Current work', text: 'the sluice is open', places: [] },
    ]);
    expect(summary.text).toBe(textOf([(await session.view()).messages[1]!]));
    expect(summary.narrative).toContain('the mill turns');
  });
});
