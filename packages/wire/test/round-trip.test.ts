import type { Message } from '@palimpsest/core';
import { wireCases } from '@palimpsest/testing/wire-cases';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const partsOf = (messages: readonly Message[]): unknown => messages.map(({ role, parts }) => ({ role, parts }));

describe.each(wireCases)('$label', ({ wire, bodies, random }) => {
  const decode = (body: object): readonly Message[] => wire.decode(body as never).messages;
  const encode = (messages: readonly Message[], body: object): object => wire.encode(messages, body as never).body;

  it.each(bodies.map((body, i) => ({ body, i })))('every kind of block comes back as it went (body $i)', ({ body }) => {
    expect(encode(decode(body), body)).toEqual(body);
    expect(JSON.stringify(encode(decode(body), body))).toBe(JSON.stringify(body));
  });

  it('any body comes back as it went', () => {
    fc.assert(
      fc.property(random, (body) => {
        const before = JSON.stringify(body);
        expect(JSON.stringify(encode(decode(body), body))).toBe(before);
        expect(JSON.stringify(encode(structuredClone(decode(body)), body))).toBe(before);
      }),
      { numRuns: 250 },
    );
  });

  it('any head of a body comes back as it went', () => {
    fc.assert(
      fc.property(random, fc.nat(6), (body, length) => {
        const messages = decode(body);
        const key = Object.keys(body).find((one) => ['messages', 'input', 'contents'].includes(one)) ?? 'input';
        const sent = (encode(messages.slice(0, length), body) as Record<string, unknown>)[key];
        const given = (body as Record<string, unknown>)[key];
        if (!Array.isArray(sent) || !Array.isArray(given)) return;
        expect(sent).toEqual(given.slice(0, sent.length));
      }),
      { numRuns: 120 },
    );
  });

  it('ids depend on nothing but what was said up to the message', () => {
    fc.assert(
      fc.property(random, fc.nat(8), (body, length) => {
        const ids = decode(body).map(({ id }) => id);
        const shorter = encode(decode(body).slice(0, length), body);
        const again = decode(shorter).map(({ id }) => id);
        expect(ids.slice(0, again.length)).toEqual(again);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 120 },
    );
  });

  it('a malformed body never makes decode, encode or validate throw', () => {
    fc.assert(
      fc.property(random, (body) => {
        const messages = decode(body);
        expect(Array.isArray(wire.validate(encode(messages.slice(1), body) as never))).toBe(true);
      }),
      { numRuns: 120 },
    );
  });
});

// Where roles must alternate, what was read is joined, so it cannot be read back the same.
describe.each(wireCases.filter(({ label }) => !label.includes('alternating')))(
  '$label, without the body',
  ({ wire, bodies, empty }) => {
    it('messages alone hold all that matters: they encode to the same conversation', () => {
      const messages = structuredClone(wire.decode(bodies[0] as never).messages);
      const rebuilt = wire.encode(messages, empty(bodies[0]!) as never).body;
      expect(partsOf(wire.decode(rebuilt).messages)).toEqual(partsOf(messages));
    });
  },
);
