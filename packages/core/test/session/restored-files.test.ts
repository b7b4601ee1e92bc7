import { describe, expect, it } from 'vitest';
import {
  assistant,
  type CarryItem,
  call,
  createSession,
  type Message,
  presets,
  result,
  results,
  type Session,
  type SessionOptions,
  user,
} from '../../src/index.ts';
import { good } from '../summarizers.ts';
import { long, textOf } from '../texts.ts';

const FILE_WORDS = long('a line of the file', 1_600);
const items: readonly CarryItem[] = [
  ...Array.from({ length: 7 }, (_, i) => ({ kind: 'file' as const, name: `src/f${i}.ts`, text: FILE_WORDS })),
  ...Array.from({ length: 7 }, (_, i) => ({ kind: 'skill' as const, name: `skill-${i}`, text: FILE_WORDS })),
];

function start(options: Partial<SessionOptions> = {}): Session {
  const session = createSession({
    window: 200_000,
    maxOutput: 20_000,
    layers: presets['claude-code'](),
    ports: { summarizer: good({ window: 200_000 }), carry: { carry: async () => items } },
    drafts: false,
    ...options,
  });
  session.append(user('look at everything'));
  for (let i = 0; i < 40; i++) {
    session.append(assistant([call(`c${i}`, 'mcp__lab__probe', { i })]));
    session.append(results([result(`c${i}`, long(`probe ${i}`, 900))]));
  }
  return session;
}

/** What came back: how many of each kind, and the estimated tokens of a kind. */
async function restoredIn(session: Session) {
  const { messages, tokens, fits } = await session.view();
  const shown = textOf(messages);
  const found = [...shown.matchAll(/<carried kind="(\w+)" name="[^"]*">\n([\s\S]*?)\n<\/carried>/g)];
  const of = (kind: string) => found.filter(([, one]) => one === kind).map(([, , body = '']) => body.length);
  return { files: of('file'), skills: of('skill'), tokens, fits };
}

describe('preset claude-code, window 200,000: five files of 5,000 tokens and skills of 5,000 up to 25,000 come back', () => {
  const ways: Readonly<Record<string, (session: Session) => Promise<unknown>>> = {
    'an automatic compaction': async (session) => {
      for (let i = 40; session.receipts().length === 0; i++) {
        session.append(assistant([call(`c${i}`, 'mcp__lab__probe', { i })]));
        session.append(results([result(`c${i}`, long(`probe ${i}`, 900))]));
        await session.view();
      }
    },
    'one asked for at the prompt': async (session) => {
      session.append(assistant('I have looked.'));
      await session.compact();
    },
    'one of everything': async (session) => {
      session.append(assistant('I have looked.'));
      await session.compact({ form: 'all' });
    },
    'one of the recent part': async (session) => {
      session.append(assistant('I have looked.'));
      await session.compact({ form: 'from', at: 'm1' });
    },
    'one of the older part': async (session) => {
      session.append(assistant('I have looked.'));
      await session.compact({ form: 'up-to', at: 'm70' });
    },
  };

  it.each(Object.keys(ways))('after %s', async (name) => {
    const session = start();
    await session.view();
    await ways[name]!(session);
    const { files, skills, tokens, fits } = await restoredIn(session);
    expect(files).toHaveLength(5);
    expect(skills).toHaveLength(5);
    // 5,000 tokens each, cut at a line's end.
    for (const size of [...files, ...skills]) expect(size).toBeGreaterThan(FILE_WORDS.length * 0.5);
    expect(fits).toBe(true);
    expect(tokens).toBeGreaterThan(50_000);
    expect(tokens).toBeLessThan(session.status().budget.trigger / 2);
  });

  it('after one that a refusal brought about: as much as half of its size leaves', async () => {
    const session = start();
    await session.view();
    const smaller = await session.overflowed();
    expect(textOf(smaller.messages)).toContain('<carried kind="file"');
    expect(smaller.fits).toBe(true);
  });

  it('in a small window they leave room for the turns to come, and nothing is compacted again at once', async () => {
    const session = start({ window: 32_000, maxOutput: 4_000 });
    const { receipt } = await session.view();
    expect(receipt!.summary).toBeDefined();
    expect(session.status().tokens).toBeLessThan(session.status().budget.trigger * 0.75);
    session.append(assistant('Go on.'));
    session.append(user('yes'));
    expect((await session.view()).receipt).toBeUndefined();
  });
});

it('the tools that were announced bit by bit are announced again in full', async () => {
  const listing = Array.from({ length: 900 }, (_, i) => `mcp__lab__tool_${i}: measures ${i}`).join('\n');
  const carry = { carry: async () => [{ kind: 'tools' as const, name: 'mcp', text: listing }] };
  const session = start({ ports: { carry } });
  session.append(assistant('I have looked.'));
  await session.compact();
  expect(textOf((await session.view()).messages)).toContain(listing);
});

describe('behind a pinned message', () => {
  const countCarried = (messages: readonly Message[]): number =>
    messages.filter((message) => textOf([message]).includes('<carried')).length;

  it('what comes back takes the place of what came back before, and undo brings that back', async () => {
    const session = start();
    const pinned = session.append(user('this stays'));
    session.pin(pinned);
    await session.compact();
    const before = await session.view();
    expect(countCarried(before.messages)).toBe(1);
    for (let i = 40; i < 60; i++) {
      session.append(assistant([call(`c${i}`, 'mcp__lab__probe', { i })]));
      session.append(results([result(`c${i}`, long(`probe ${i}`, 900))]));
    }
    const full = (await session.view()).messages;
    await session.compact();
    const { messages, fits } = await session.view();
    expect(fits).toBe(true);
    expect(countCarried(messages)).toBe(1);
    session.undo();
    expect((await session.view()).messages).toEqual(full);
  });
});
