import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  type MediaPart,
  type Message,
  partText,
  presets,
  result,
  results,
  type Session,
  text,
  user,
} from '../../src/index.ts';

const chat = (session: Session, turns: number): void => {
  for (let i = 0; i < turns; i++) {
    session.append(user(`ask ${i}`));
    session.append(assistant(`say ${i} ${'so and so '.repeat(400)}`));
  }
};

const picture = (name: string, bytes = 3_000_000): MediaPart => ({
  type: 'media',
  kind: 'image',
  mediaType: 'image/png',
  data: 'A'.repeat(bytes),
  name,
  width: 800,
  height: 600,
});

const words = (messages: readonly Message[]): string =>
  messages
    .flatMap((message) => message.parts)
    .map(partText)
    .join('\n');

describe.each(['s08', 'claude-code'] as const)('a refused request in %s', (name) => {
  it('s08 S29 leaves the head, a summary and the last five messages', async () => {
    const session = createSession({ window: 200_000, layers: presets[name]() });
    chat(session, 40);
    session.append(user('go on'));
    const last = (await session.view()).messages.slice(-5);
    const { messages } = await session.overflowed();
    expect(messages).toHaveLength(7);
    expect(messages[0]).toMatchObject({ role: 'user', origin: 'human' });
    expect(messages.slice(2)).toEqual(last);
    expect(words(messages.slice(1, 2))).toContain('Summary of 75 earlier messages');
  });

  it('never begins the kept messages with a result whose call is gone', async () => {
    const session = createSession({ window: 200_000, layers: presets[name]() });
    chat(session, 20);
    for (let i = 0; i < 5; i++) {
      session.append(assistant([call(`c${i}`, 'todo', { step: i })]));
      session.append(results([result(`c${i}`, `done ${i}`)]));
    }
    await session.view();
    const { messages } = await session.overflowed();
    // Five would begin with a result: its call is not there, so four are left.
    expect(messages.slice(2).map(({ role }) => role)).toEqual(['assistant', 'user', 'assistant', 'user']);
  });
});

describe('S32 the tries of a refused request', () => {
  it.each(Object.keys(presets) as (keyof typeof presets)[])(
    'count anew from every message of the user (%s)',
    async (name) => {
      const session = createSession({ window: 200_000, layers: presets[name]() });
      chat(session, 40);
      for (let turn = 0; turn < 3; turn++) {
        session.append(user(`turn ${turn}`));
        await session.view();
        await session.overflowed();
        await expect(session.overflowed()).rejects.toMatchObject({ code: 'cannot-reduce' });
      }
    },
  );
});

describe('a request that was refused for its attachments, in open-code', () => {
  const started = () => {
    const session = createSession({ window: 200_000, layers: presets['open-code']() });
    chat(session, 10);
    return session;
  };

  it("OC22 OC23 OC24 OC25 the user's message is asked again in words, and the model is told what to do", async () => {
    const session = started();
    session.append(user([text('What is wrong in these pictures?'), picture('one.png'), picture('two.png')]));
    await session.view();
    const { messages } = await session.overflowed();
    const asked = words(messages.slice(-1));
    expect(asked).toContain('What is wrong in these pictures?');
    expect(asked).toContain('[Attached image/png: one.png]');
    expect(asked).toMatch(
      /\[Attached image\/png: two\.png\] \[The provider refused .* too large.*recall e\d+.*smaller/,
    );
    expect(asked.match(/too large, and suggest/g)).toHaveLength(1);
    expect(JSON.stringify(messages)).not.toContain('"media"');
    expect((await session.view()).messages).toEqual(messages);
  });

  it('older attachments become words too, so that the next try is smaller in every way', async () => {
    const session = started();
    session.append(user([text('First look.'), picture('old.png')]));
    session.append(assistant('Seen.'));
    session.append(user('And now?'));
    await session.view();
    const { messages } = await session.overflowed();
    expect(JSON.stringify(messages)).not.toContain('"media"');
    expect(words(messages.slice(-1))).toBe('And now?');
  });

  it('OC26 where the message is all there is, it stays with its words', async () => {
    const session = createSession({ window: 200_000, layers: presets['open-code']() });
    session.append(user([text('What is this?'), picture('only.png')]));
    await session.view();
    const { messages } = await session.overflowed();
    expect(messages).toHaveLength(1);
    expect(words(messages)).toContain('What is this?\n[Attached image/png: only.png]');
  });

  it('a pinned picture stays as long as something else can give way', async () => {
    const session = started();
    session.pin(session.append(user([text('Keep it.'), picture('pinned.png', 30_000)])));
    session.append(assistant('Kept.'));
    session.append(user([text('And this?'), picture('large.png')]));
    await session.view();
    const { messages } = await session.overflowed();
    expect(JSON.stringify(messages)).toContain('pinned.png');
    expect(words(messages)).toContain('[Attached image/png: large.png]');
  });
});
