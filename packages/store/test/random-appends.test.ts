import type { JournalRecord, Json } from '@palimpsest/core';
import { fileStore, memoryStore, type Store } from '@palimpsest/store';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newGround } from './new-ground.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
);
const anyJson = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as Json);
const anyRecord: fc.Arbitrary<JournalRecord> = fc.oneof(
  fc.record({ id: anyText, text: anyText, input: anyJson }).map(
    ({ id, text, input }): JournalRecord => ({
      v: 1,
      type: 'message',
      message: {
        id,
        role: 'assistant',
        origin: 'model',
        parts: [
          { type: 'text', text },
          { type: 'call', callId: id, tool: text, input },
          { type: 'native', wire: 'w', block: input },
        ],
      },
    }),
  ),
  anyText.map((id): JournalRecord => ({ v: 1, type: 'session', id })),
  fc.nat().map((count): JournalRecord => ({ v: 1, type: 'entry', entry: { type: 'seen', count } })),
);
/** What is appended in one sitting: groups made at once, one after the other; between them somebody reads. */
const sittings = fc.array(
  fc.array(fc.array(fc.array(anyRecord, { maxLength: 4 }), { maxLength: 5 }), { maxLength: 4 }),
  {
    minLength: 1,
    maxLength: 3,
  },
);

const law = async (connect: () => Store, plan: readonly (readonly (readonly (readonly JournalRecord[])[])[])[]) => {
  const expected: JournalRecord[] = [];
  for (const sitting of plan) {
    const session = await connect().open('s');
    expect(session.records).toEqual(expected);
    for (const atOnce of sitting) {
      await Promise.all(atOnce.map((batch) => session.journal.append(batch)));
      expected.push(...atOnce.flat());
      expect((await connect().read('s')).records).toEqual(expected);
    }
    await session.journal.close();
  }
  expect((await connect().read('s')).records).toEqual(expected);
};

describe('random appends, grouped and at once, over several sittings, come back equal', () => {
  it('from files', async () => {
    let nth = 0;
    const ground = newGround();
    await fc.assert(
      fc.asyncProperty(sittings, async (plan) => {
        const dir = `${ground}/${nth++}`;
        await law(() => fileStore({ dir, fsync: nth % 10 === 0 ? 'always' : 'never' }), plan);
      }),
      { numRuns: 300 },
    );
  });

  it('from memory', async () => {
    await fc.assert(
      fc.asyncProperty(sittings, async (plan) => {
        const store = memoryStore();
        await law(() => store, plan);
      }),
      { numRuns: 300 },
    );
  });
});
