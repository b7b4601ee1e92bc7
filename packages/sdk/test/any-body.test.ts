import { wireCases } from '@palimpsest/testing/wire-cases';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createConversations } from '../src/conversations/conversations.ts';

function listIn(body: object): readonly unknown[] {
  const { messages, input, contents } = body as Record<string, readonly unknown[] | undefined>;
  return messages ?? input ?? contents ?? [];
}

describe.each(wireCases)('$label', ({ wire, bodies, random }) => {
  it('a conversation takes any body, however odd, with room and without', async () => {
    await fc.assert(
      fc.asyncProperty(random, fc.constantFrom(60, 400, 100_000), async (body, window) => {
        const before = JSON.stringify(body);
        const kept = await createConversations({ window }).keep({ format: wire, body: body as never, model: 'm' });
        expect(JSON.stringify(body)).toBe(before);
        if (kept === undefined) return;
        expect(JSON.parse(JSON.stringify(kept.body))).toBeTypeOf('object');
        await kept.shrinkBody({});
      }),
      { numRuns: 40 },
    );
  });

  it('what fits goes through a conversation as it came, from the newest compaction on', async () => {
    const [body] = bodies as readonly [object];
    const kept = await createConversations({ window: 1e6 }).keep({ format: wire, body: body as never, model: 'm' });
    if (kept === undefined) return expect(wire.decode(body as never).partial).toBe(true);
    const sent = listIn(kept.body);
    expect(sent.length).toBeGreaterThan(1);
    expect(sent).toEqual(listIn(body).slice(-sent.length));
  });
});
