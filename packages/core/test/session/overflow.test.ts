import { describe, expect, it } from 'vitest';
import {
  assistant,
  createSession,
  type JournalRecord,
  type MediaPart,
  type Message,
  presets,
  type Session,
  type SessionEvent,
  type SessionOptions,
  switchesFrom,
  text,
  user,
} from '../../src/index.ts';

const fill = (session: Session, turns: number): void => {
  for (let i = 0; i < turns; i++) {
    session.append(user(`Do ${i} ${'this and that '.repeat(20)}`));
    session.append(assistant(`Done ${i} ${'so and so '.repeat(20)}`));
  }
};

/** A session with something to hide, and its events. */
const started = (options: Partial<SessionOptions> = {}, turns = 60) => {
  const events: SessionEvent[] = [];
  const session = createSession({ window: 200_000, on: (event) => events.push(event), ...options });
  fill(session, turns);
  return { session, events };
};

const picture = (bytes: number, more: Partial<MediaPart> = {}): MediaPart => ({
  type: 'media',
  kind: 'image',
  mediaType: 'image/png',
  data: 'A'.repeat(bytes),
  name: 'shot.png',
  width: 800,
  height: 600,
  ...more,
});

const mediaIn = (messages: readonly Message[]): number =>
  messages.flatMap((message) => message.parts).filter((part) => part.type === 'media').length;

describe('a session whose provider refused is not lost', () => {
  it('tries count by turns of the user: after cannot-reduce the next message is tried anew, ever smaller', async () => {
    const { session } = started();
    session.append(user('go on'));
    let { tokens } = await session.view();
    for (let turn = 0; turn < 3; turn++) {
      const smaller = await session.overflowed();
      expect(smaller.tokens).toBeLessThan(tokens);
      await expect(session.overflowed()).rejects.toMatchObject({ code: 'cannot-reduce' });
      await expect(session.overflowed()).rejects.toMatchObject({ code: 'cannot-reduce' });
      session.append(user(`what now? ${turn}`));
      tokens = (await session.view()).tokens;
    }
  });

  it('results of tools are no new turn', async () => {
    const { session } = started();
    await session.view();
    await session.overflowed();
    session.append({ role: 'user', origin: 'harness', parts: [text('a reminder')] });
    await session.view();
    await expect(session.overflowed()).rejects.toMatchObject({ code: 'cannot-reduce' });
  });

  it.each(Object.keys(presets) as (keyof typeof presets)[])(
    'a picture that is most of the request gives way, also in the newest message, and the words stay (%s)',
    async (name) => {
      const { session } = started({ layers: presets[name]() });
      session.append(user([text('What is wrong in this picture?'), picture(3_000_000)]));
      const before = await session.view();
      expect(mediaIn(before.messages)).toBe(1);
      const { messages } = await session.overflowed();
      expect(mediaIn(messages)).toBe(0);
      const shown = JSON.stringify(messages.at(-1));
      expect(shown).toContain('What is wrong in this picture?');
      const marker =
        name === 'open-code'
          ? /\[Attached image\/png: shot\.png\].*recall (e\d+)/
          : /\[image: shot\.png\] \(removed to save space; recall (e\d+)\)/;
      const [, ref] = marker.exec(shown) ?? [];
      expect(session.recall.read(ref ?? '').text).toContain('image');
    },
  );

  it('a picture stays where the provider speaks of tokens, and where it is small', async () => {
    for (const [bytes, refusal] of [
      [3_000_000, { maximum: 200_000, actual: 9_000 }],
      [3_000, {}],
    ] as const) {
      const { session } = started({ layers: presets['open-code']() });
      session.append(user([text('What is wrong here?'), picture(bytes)]));
      await session.view();
      expect(mediaIn((await session.overflowed(refusal)).messages)).toBe(1);
    }
  });

  it('a document that the provider counts far above its estimate gives way before the words do', async () => {
    const { session } = started({}, 5);
    session.append(user([text('Never push to main. Read this.'), picture(400_000, { kind: 'document', pages: 1 })]));
    const { tokens } = await session.view();
    const { messages } = await session.overflowed({ maximum: 128_000, actual: tokens + 180_000 });
    expect(mediaIn(messages)).toBe(0);
    expect(JSON.stringify(messages)).toContain('Never push to main. Read this.');
  });
});

describe('what a refusal says about the window', () => {
  it.each([8_192, 16_000, 20_000])(
    'a window of %i below or near max_tokens is learned, and the request stays',
    async (maximum) => {
      const { session, events } = started({ maxOutput: 16_000 });
      session.append(user('Never push to main; what is next?'));
      await session.view();
      const { messages, tokens } = await session.overflowed({ maximum });
      expect(events).toContainEqual({ type: 'window-learned', window: maximum });
      expect(tokens).toBeLessThan(maximum);
      expect(JSON.stringify(messages)).toContain('Never push to main; what is next?');
      const { budget } = session.status();
      expect(budget.trigger).toBeGreaterThan(maximum * 0.6);
      const again = await session.view();
      expect(again.maxOutput).toBe(Math.min(16_000, maximum - again.tokens));
    },
  );

  it.each([0, -1, Number.NaN, 0.4, 1e9])('a window of %d is ignored, and said so', async (maximum) => {
    const { session, events } = started({ maxOutput: 16_000 });
    const { tokens } = await session.view();
    expect((await session.overflowed({ maximum })).tokens).toBeLessThan(tokens);
    expect(events).toContainEqual({ type: 'window-ignored', window: maximum });
    expect(session.status().budget.window).toBe(200_000);
  });

  it('a view with nothing to hide is tried with less room for the answer, and once only', async () => {
    const { session } = started({ maxOutput: 32_000 }, 0);
    session.append(user('Say hello.'));
    expect((await session.view()).maxOutput).toBe(32_000);
    const smaller = await session.overflowed({ maximum: 16_000 });
    expect(smaller.maxOutput).toBeLessThan(16_000);
    await expect(session.overflowed({ maximum: 16_000 })).rejects.toMatchObject({ code: 'cannot-reduce' });
  });

  it("it counts for more than the user's own setting, which was wrong too", async () => {
    const { session } = started({ switches: switchesFrom({ PALIMPSEST_WINDOW: '100000' }) });
    await session.view();
    await session.overflowed({ maximum: 8_192 });
    expect(session.status().budget.window).toBe(8_192);
  });

  it('with compaction switched off the error says what to switch on', async () => {
    const { session } = started({ switches: switchesFrom({ PALIMPSEST_DISABLE: '1' }) });
    await session.view();
    await expect(session.overflowed()).rejects.toMatchObject({
      code: 'blocked',
      message: expect.stringContaining('PALIMPSEST_DISABLE'),
    });
  });
});

describe('what a view says of itself', () => {
  it('it fits after a compaction that was asked for, however far that went down', async () => {
    const { session, events } = started({ window: 20_000 }, 30);
    await session.view();
    expect(await session.compact()).toBeDefined();
    await session.overflowed();
    const made = events.filter((event) => event.type === 'view-made');
    expect(made).toHaveLength(3);
    expect(made.every(({ fits }) => fits)).toBe(true);
  });

  it('a save that fails once takes nothing from the receipt; what was undone since is not in it', async () => {
    let full = false;
    const saved: JournalRecord[] = [];
    const journal = {
      append: async (records: readonly JournalRecord[]) => {
        if (full) throw new Error('ENOSPC');
        saved.push(...records);
      },
      close: async () => {},
    };
    const session = createSession({ window: 8_000, journal });
    session.append(user('Hello.'));
    await session.view();
    fill(session, 60);
    full = true;
    await expect(session.view()).rejects.toMatchObject({ code: 'journal-failed' });
    await expect(session.view()).rejects.toMatchObject({ code: 'journal-failed' });
    full = false;
    const { receipt } = await session.view();
    expect(receipt).toEqual(session.receipts()[0]);
    expect((await session.view()).receipt).toBeUndefined();
    expect(createSession({ window: 8_000, records: saved }).receipts()).toEqual(session.receipts());
    fill(session, 10);
    full = true;
    await expect(session.compact()).rejects.toMatchObject({ code: 'journal-failed' });
    session.undo();
    full = false;
    expect((await session.view()).receipt).toBeUndefined();
  });
});
