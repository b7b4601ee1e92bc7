import { describe, expect, it } from 'vitest';
import {
  assistant,
  createSession,
  type JournalRecord,
  presets,
  SECTIONS,
  type Session,
  type SessionEvent,
  type SessionOptions,
  text,
  user,
} from '../../src/index.ts';
import { good, scripted } from '../summarizers.ts';
import { bodies, picture, round } from '../support/walks.ts';
import { long, textOf } from '../texts.ts';

const setUp = (options: Partial<SessionOptions> = {}): Session =>
  createSession({
    window: 250_000,
    layers: presets['open-code']({ clearOldResults: true }),
    drafts: false,
    ...options,
  });
/** A turn with one output of 5,000 words. */
const work = (session: Session, n: number, tool = 'bash'): void => {
  session.append(user(`Do ${n}.`));
  for (const message of round(`${tool}${n}`, tool, { command: `${n}` }, long(`row ${n}`, 5_000)))
    session.append(message);
  session.append(assistant(`Done ${n}.`));
};
const pruned = (session: Session): Promise<readonly boolean[]> =>
  session.view().then(({ messages }) => bodies(messages).map((body) => body.length < 100));

describe('open-code: prune', () => {
  it('is off until it is switched on', async () => {
    for (const [layers, isPruned] of [
      [presets['open-code'](), false],
      [presets['open-code']({ clearOldResults: true }), true],
    ] as const) {
      const session = setUp({ layers });
      for (let n = 0; n < 12; n++) work(session, n);
      session.append(user('and now?'));
      expect((await pruned(session)).includes(true)).toBe(isPruned);
    }
  });

  it('is recorded: what went is the same placeholder at every later load, is not looked at again, and took no model', async () => {
    const records: JournalRecord[] = [];
    const journal = {
      append: async (more: readonly JournalRecord[]) => void records.push(...more),
      close: async () => {},
    };
    const summarizer = good();
    const session = setUp({ journal, ports: { summarizer } });
    for (let n = 0; n < 12; n++) work(session, n);
    session.append(user('and now?'));
    const first = await pruned(session);
    expect(first.filter(Boolean).length).toBeGreaterThan(2);
    expect(first.lastIndexOf(true)).toBeLessThan(first.indexOf(false));
    const walks = session.receipts().length;
    session.append(assistant('Nothing.'));
    session.append(user('well?'));
    expect(await pruned(session)).toEqual(first);
    expect(session.receipts()).toHaveLength(walks);
    const shown = JSON.stringify((await session.view()).messages);
    await session.saved();
    const again = setUp({ records: JSON.parse(JSON.stringify(records)) });
    expect(JSON.stringify((await again.view()).messages)).toBe(shown);
    expect(summarizer.requests).toEqual([]);
  });

  it('never takes a skill, and nothing that stands behind the last summary', async () => {
    const session = setUp();
    work(session, 0, 'skill');
    for (let n = 1; n < 12; n++) work(session, n);
    session.append(user('and now?'));
    const first = await pruned(session);
    expect(first[0]).toBe(false);
    expect(first[1]).toBe(true);
    await session.compact();
    const { messages } = await session.view();
    for (let n = 20; n < 32; n++) work(session, n);
    session.append(user('and now?'));
    const after = (await session.view()).messages;
    expect(textOf([after[0]!])).toBe(textOf([messages[0]!]));
  });
});

it('open-code: over a limit of pictures the oldest give way to words, and no round goes', async () => {
  const session = setUp({ limits: { images: 4 } });
  for (let n = 0; n < 8; n++) {
    session.append(user([text(`Look at picture ${n}.`), picture(`shot-${n}.png`)]));
    session.append(assistant(`Seen ${n}.`));
  }
  session.append(user('and now?'));
  const { messages } = await session.view();
  expect(messages).toHaveLength(17);
  expect(messages.flatMap(({ parts }) => parts).filter(({ type }) => type === 'media').length).toBeLessThanOrEqual(4);
  expect(textOf(messages)).toContain('[image: shot-0.png]');
});

it('open-code: a summary is asked for under seven headings, and taken in that form alone', async () => {
  const headings = [
    'Goal',
    'Constraints & Preferences',
    'Progress',
    'Key Decisions',
    'Next Steps',
    'Critical Context',
    'Relevant Files',
  ];
  const seven = headings.map(
    (name) => `## ${name}\n${name === 'Progress' ? '### Done\n### In Progress\n### Blocked' : '(none)'}`,
  );
  for (const [answer, by] of [
    [seven.join('\n'), 'model'],
    [SECTIONS.map((name) => `## ${name}\nnone`).join('\n'), 'digest'],
  ] as const) {
    const summarizer = scripted(() => ({ text: `<summary>\n${answer}\n</summary>`, stop: 'end' }));
    const session = setUp({ ports: { summarizer } });
    for (let n = 0; n < 12; n++) work(session, n);
    await session.compact();
    const asked = textOf(summarizer.requests[0]!.messages.slice(-1));
    const found = [...asked.matchAll(/^## (.+?)(?::.*)?$/gm)].map(([, name]) => name);
    expect([...new Set(found)]).toEqual(headings);
    const edits = session.ledger().entries.flatMap((entry) => (entry.type === 'edits' ? entry.edits : []));
    expect(edits.find((edit) => edit.type === 'fold' && edit.summary?.of === 'history')).toMatchObject({
      summary: { by },
    });
  }
});

it('open-code: after a summary the view is the newest one and what is behind it, and everybody is told', async () => {
  const events: SessionEvent[] = [];
  const session = setUp({ window: 20_000, ports: { summarizer: good() }, on: (event) => events.push(event) });
  for (let i = 0; i < 60; i++) {
    session.append(user(`Do ${i} ${long('this', 400)}`));
    session.append(assistant(`Done ${i} ${long('so', 400)}`));
    await session.view();
  }
  const { messages } = await session.view();
  expect(messages.filter((message) => textOf([message]).includes('[Summary of'))).toHaveLength(1);
  expect(messages[0]!.origin).toBe('human');
  expect(textOf([messages[1]!])).toContain('[Summary of');
  const summaries = session.receipts();
  expect(summaries.length).toBeGreaterThan(1);
  expect(events.filter(({ type }) => type === 'view-compacted')).toHaveLength(summaries.length);
});
