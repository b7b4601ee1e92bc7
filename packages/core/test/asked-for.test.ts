import { refusal } from '@palimpsest/testing';
import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  clearOldResults,
  createSession,
  dropOldestRounds,
  presets,
  result,
  results,
  type Session,
  type SessionOptions,
  summarizeHistory,
  user,
} from '../src/index.ts';
import { good } from './summarizers.ts';
import { long, textOf } from './texts.ts';

/** Files read, one after the other, in one turn of the user's. */
function reads(session: Session, count: number, words: number, tool = 'read'): void {
  for (let i = 0; i < count; i++) {
    const id = `r${session.transcript().length}`;
    session.append(assistant([call(id, tool, { path: `src/${id}.ts` })]));
    session.append(results([result(id, long(`line of ${id}`, words))]));
  }
}

describe('a compaction that was asked for', () => {
  it('leaves the words of a session as they are that fits anyway', async () => {
    for (const form of [undefined, 'all', 'up-to'] as const) {
      const session = createSession({ window: 100_000 });
      session.append(user('Rename the parser, but never touch the migrations folder.'));
      session.append(assistant('Done.'));
      session.append(user('Thanks. What did I ask for first?'));
      await session.view();
      await session.compact(form === undefined ? {} : { form });
      const { messages } = await session.view();
      expect(textOf(messages)).toContain('never touch the migrations folder');
      expect(textOf(messages)).toContain('What did I ask for first?');
    }
  });

  it('hides no round without a summary as long as the view fits', async () => {
    const session = createSession({ window: 200_000 });
    for (let i = 0; i < 40; i++) {
      session.append(user(`matter ${i}`));
      session.append(assistant(long(`answer ${i}`, 90)));
    }
    await session.view();
    const receipt = await session.compact();
    expect(receipt!.lines.map((line) => line.layer)).toEqual(['summarize-history']);
  });

  it('writes a summary, also where clearing old results would have been enough', async () => {
    for (const asked of [{ form: 'all' }, {}, { instructions: 'mind the parser' }] as const) {
      const summarizer = good();
      const session = createSession({ window: 100_000, ports: { summarizer }, drafts: false });
      session.append(user('look at everything'));
      reads(session, 60, 200);
      session.append(assistant('I have looked.'));
      session.append(user('and now?'));
      session.append(assistant('Now we wait.'));
      await session.view();
      const before = summarizer.requests.length;
      const receipt = await session.compact(asked);
      expect(summarizer.requests).toHaveLength(before + 1);
      expect(receipt!.lines.map((line) => line.layer)).toContain('summarize-history');
    }
  });

  it('says in its receipt that it was asked for, and not that the limit was near', async () => {
    const session = createSession({ window: 100_000, layers: presets.lean() });
    session.append(user('look at everything'));
    reads(session, 15, 700);
    session.append(user('and now?'));
    await session.view();
    const receipt = await session.compact();
    expect(receipt!.reason).toContain('asked for');
    expect(receipt!.reason).not.toContain('limit');
    expect(receipt!.trigger).toBe('manual');
  });

  it('brings a view over the limit below it, whatever the summary left', async () => {
    const session = createSession({ window: 8_000, switches: { autoDisabled: true } });
    session.append(user(long('many words', 2_000)));
    session.append(assistant(long('many answers', 2_000)));
    session.append(user('go on'));
    await session.compact();
    expect(session.status().tokens).toBeLessThan(session.status().budget.trigger);
  });
});

describe('a summary that shares the live prefix', () => {
  const setUp = (options: Partial<SessionOptions>): Session => {
    const session = createSession({ window: 16_000, maxOutput: 500, ...options });
    session.append(user('read everything there is in src'));
    return session;
  };

  it('begins with the view that was sent last, also where cheaper layers act in the same walk', async () => {
    const summarizer = good({ sharesPrefix: true, window: 100_000 });
    const layers = [clearOldResults({ mode: 'prune' }), summarizeHistory(), dropOldestRounds()];
    const session = setUp({ ports: { summarizer }, drafts: false, layers });
    let sent = '';
    let asked = 0;
    let together = 0;
    for (let i = 0; i < 120; i++) {
      const { messages, receipt } = await session.view();
      if (new Set(receipt?.lines.map((line) => line.layer)).size > 1) together++;
      for (const request of summarizer.requests.slice(asked)) {
        expect(request.form).toBe('same-prefix');
        expect(JSON.stringify(request.messages).startsWith(sent.slice(0, -1))).toBe(true);
        expect(refusal(request.messages, request.messages)).toBeUndefined();
      }
      asked = summarizer.requests.length;
      sent = JSON.stringify(messages);
      reads(session, 1, 60 + (i % 7) * 20, i % 3 === 0 ? 'read' : 'mcp__lab__measure');
      if (i % 10 === 9) {
        session.append(assistant(`Read ${i} files.`));
        session.append(user(`go on with the files behind ${i}`));
      }
    }
    expect(asked).toBeGreaterThan(2);
    expect(together).toBeGreaterThan(1);
  });
});

describe('an overflow', () => {
  it('counts against the tries of one request only: an answer that came in between ends the count', async () => {
    const session = createSession({ window: 100_000 });
    for (let i = 0; i < 400; i++) session.append(i % 2 === 0 ? user(long('a', 100)) : assistant(long('b', 100)));
    session.append(user('go on'));
    for (let i = 0; i < 3; i++) {
      const { tokens } = await session.view();
      const smaller = await session.overflowed();
      expect(smaller.tokens).toBeLessThan(tokens);
      // A stream without usage: all that is heard of the success is the answer.
      session.append(assistant('an answer'));
      session.append(user(long('more', 200)));
    }
    await session.overflowed();
    await expect(session.overflowed()).rejects.toMatchObject({ code: 'cannot-reduce' });
  });
});
