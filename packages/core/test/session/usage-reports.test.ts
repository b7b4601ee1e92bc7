import { describe, expect, it } from 'vitest';
import { assistant, createSession, estimateMessage, type Message, type Session, text, user } from '../../src/index.ts';

const talk = (session: Session, from: number, to: number, words = 80): void => {
  for (let i = from; i < to; i++) {
    session.append(user(`Do ${i} ${'this and that '.repeat(words)}`));
    session.append(assistant(`Done ${i} ${'so and so '.repeat(words)}`));
  }
};
const estimateOf = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + estimateMessage(message), 0);

describe('reports where nobody stated a system prompt', () => {
  it.each([0.75, 1.1, 1.3, 1.4])(
    'one report of %d times the estimate is the tokenizer, and no overhead: a smaller model is still given its share',
    async (factor) => {
      const session = createSession({ window: 200_000 });
      talk(session, 0, 250);
      const first = await session.view();
      session.observe({ input: Math.round(first.tokens * factor) });
      expect(session.status()).toMatchObject({ measured: true, tokens: Math.round(first.tokens * factor) });
      expect(session.status().overhead.tokens).toBe(0);
      const small = await session.switchTo({ window: 32_000 });
      expect(small.fits).toBe(true);
      expect(small.messages.length).toBeGreaterThan(3);
      // What the provider would count of it is within the window.
      expect(estimateOf(small.messages) * factor).toBeLessThan(32_000);
    },
  );

  it('what no tokenizer explains is overhead at once; the rest of it as growth shows the slope', async () => {
    const hidden = 20_000;
    const session = createSession({ window: 200_000 });
    let seen = 0;
    for (let i = 0; i < 40; i++) {
      talk(session, i * 3, i * 3 + 3);
      const { messages } = await session.view();
      session.observe({ input: hidden + estimateOf(messages) });
      const { overhead } = session.status();
      expect(overhead.hidden).toBe(overhead.tokens);
      expect(overhead.hidden).toBeLessThanOrEqual(hidden * 1.05);
      seen = overhead.hidden;
    }
    expect(seen).toBeGreaterThan(hidden * 0.9);
    const { messages } = await session.view();
    await session.compact();
    const { tokens } = session.status();
    expect(tokens).toBeGreaterThan(hidden * 0.9);
    expect(tokens).toBeLessThan(hidden + estimateOf(messages));
  });

  it('a steady factor is learned as one, and never as overhead', async () => {
    const session = createSession({ window: 200_000 });
    for (let i = 0; i < 30; i++) {
      talk(session, i * 3, i * 3 + 3);
      const { messages } = await session.view();
      session.observe({ input: Math.round(estimateOf(messages) * 1.3) });
      expect(session.status().overhead.hidden).toBeLessThan(0.1 * session.status().tokens);
    }
    const { messages } = await session.view();
    await session.compact();
    expect(session.status().tokens).toBeLessThan(estimateOf(messages) * 1.3);
  });
});

describe('an image limit is met, however small the images are', () => {
  const image = (size: number) =>
    ({
      type: 'media',
      kind: 'image',
      mediaType: 'image/png',
      data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      width: size,
      height: size,
    }) as const;
  const left = (messages: readonly Message[]): number =>
    messages.flatMap((message) => message.parts).filter((part) => part.type === 'media').length;

  it.each([1, 16, 32, 64, 800])('the rest of the conversation stays in view (%i pixels)', async (size) => {
    const session = createSession({ window: 20_000, limits: { images: 2 } });
    session.append(user('Never push to main.'));
    session.append(assistant('Understood.'));
    session.append(user([text('Compare these.'), image(size), image(size), image(size)]));
    const { messages, fits, receipt } = await session.view();
    expect(fits).toBe(true);
    expect(left(messages)).toBe(1);
    expect(JSON.stringify(messages)).toContain('Never push to main.');
    expect(JSON.stringify(messages)).toContain('Compare these.');
    expect(receipt?.lines).toMatchObject([{ layer: 'strip-old-media', kind: 'media', count: 2 }]);
  });

  it('images that a host counts as nothing are dropped', async () => {
    const count = (message: Message): number => message.parts.filter((part) => part.type === 'text').length;
    const session = createSession({ window: 20_000, limits: { images: 2 }, count });
    session.append(user([text('Compare these.'), image(800), image(800), image(800)]));
    const { messages, fits } = await session.view();
    expect([fits, left(messages)]).toEqual([true, 1]);
  });
});
