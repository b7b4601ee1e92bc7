import { wireCases } from '@palimpsest/testing/wire-cases';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { writeBody } from '../src/http/write-body.ts';

function expectSameBytes(body: object): void {
  expect(writeBody(body).toString('utf8')).toBe(JSON.stringify(body));
}

it.each(wireCases)('$label: a body is written to the byte as JSON.stringify writes it', ({ bodies, random }) => {
  for (const body of bodies) expectSameBytes(body);
  fc.assert(fc.property(random, expectSameBytes), { numRuns: 100 });
});

it('writes what is left out, what is empty and what is longer than a stretch as JSON.stringify does', () => {
  expectSameBytes({});
  expectSameBytes({ a: undefined, b: [], c: [undefined, null], d: {} });
  expectSameBytes({
    first: [],
    messages: ['x'.repeat(200_000), 'ä😀'.repeat(50_000), { a: undefined }],
    last: 1,
  });
  fc.assert(fc.property(fc.object({ withNullPrototype: false }), expectSameBytes), { numRuns: 100 });
});
