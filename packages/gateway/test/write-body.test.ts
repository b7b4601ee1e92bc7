import { wireCases } from '@palimpsest/testing/wire-cases';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countBytes, writeBody } from '../src/http/write-body.ts';

const expectSameBytes = async (body: object): Promise<void> => {
  const stretches = await writeBody(body);
  expect(Buffer.concat(stretches).toString('utf8')).toBe(JSON.stringify(body));
  expect(countBytes(stretches)).toBe(Buffer.byteLength(JSON.stringify(body)));
};

it.each(wireCases)('$label: a body is written to the byte as JSON.stringify writes it', async ({ bodies, random }) => {
  for (const body of bodies) await expectSameBytes(body);
  await fc.assert(fc.asyncProperty(random, expectSameBytes), { numRuns: 100 });
});

it('writes what is left out, what is empty and what is longer than a stretch as JSON.stringify does', async () => {
  await expectSameBytes({});
  await expectSameBytes({ a: undefined, b: [], c: [undefined, null], d: {} });
  await expectSameBytes({
    first: [],
    messages: ['x'.repeat(200_000), 'ä😀'.repeat(50_000), { a: undefined }],
    last: 1,
  });
  await fc.assert(fc.asyncProperty(fc.object({ withNullPrototype: false }), expectSameBytes), { numRuns: 100 });
});
