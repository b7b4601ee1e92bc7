import type { Message } from '@palimpsest/core';
import { wireCases } from '@palimpsest/testing/wire-cases';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const CALL_IDS = ['id', 'call_id', 'tool_use_id', 'tool_call_id', 'approval_request_id'];

/** No provider is sent one id for two calls. Where a body has such, nothing but ids may differ from what came in. */
function spellBody(body: object, given: object): string {
  const isRepeated = hasRepeatedCalls(given);
  return JSON.stringify(body, (key, value) => (isRepeated && CALL_IDS.includes(key) ? '' : value));
}

function hasRepeatedCalls(body: object): boolean {
  const ids = callIdsIn(body);
  return new Set(ids).size < ids.length;
}

/** The ids of whatever looks like a call. */
function callIdsIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(callIdsIn);
  if (typeof value !== 'object' || value === null) return [];
  const { type, id, call_id, function: made, custom, input, functionCall, ...rest } = value as Record<string, unknown>;
  const own =
    type === 'tool_use' || made !== undefined || custom !== undefined || type === 'mcp_approval_request'
      ? [id]
      : [call_id].filter((one) => one !== undefined && !String(type).endsWith('_output'));
  const inner = (functionCall as { id?: unknown } | undefined)?.id;
  return [...own, ...(inner === undefined ? [] : [inner]), ...Object.values({ input, ...rest }).flatMap(callIdsIn)];
}

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
        const before = spellBody(body, body);
        expect(spellBody(encode(decode(body), body), body)).toBe(before);
        expect(spellBody(encode(structuredClone(decode(body)), body), body)).toBe(before);
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
        expect(spellBody(sent, body)).toBe(spellBody(given.slice(0, sent.length), body));
      }),
      { numRuns: 120 },
    );
  });

  it('ids depend on nothing but what was said up to the message', () => {
    fc.assert(
      fc.property(random, fc.nat(8), (body, length) => {
        // What comes back from a provider's door has other ids then; a host's own body has not.
        fc.pre(!hasRepeatedCalls(body));
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
