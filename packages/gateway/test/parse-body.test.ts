import { runSteps } from '@palimpsest/core/steps';
import { fastOrDeep } from '@palimpsest/testing';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { parseBody, stepsOfBody } from '../src/http/parse-body.ts';

/** What the parser itself makes of the bytes, told apart from a body that says null. */
function parseWhole(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

async function expectAsWhole(bytes: Buffer, stretchBytes: number): Promise<void> {
  const whole = parseWhole(bytes);
  const before = Buffer.from(bytes);
  const read = await parseBody(bytes, stretchBytes);
  expect(bytes.equals(before)).toBe(true);
  // The text of it has the order of the fields, too.
  expect(JSON.stringify(read)).toBe(JSON.stringify(whole));
  expect(read).toStrictEqual(whole);
}

const json = fc.jsonValue({ maxDepth: 4 });
const bodies = fc.dictionary(fc.string({ unit: 'binary' }), fc.oneof(json, fc.array(json)));

describe('a body that is parsed in stretches', () => {
  it('says what the whole of it says, however it is spaced and wherever it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        bodies,
        fc.constantFrom(0, 1, 2),
        fc.integer({ min: 1, max: 40 }),
        async (body, space, stretch) => expectAsWhole(Buffer.from(JSON.stringify(body, undefined, space)), stretch),
      ),
      { numRuns: fastOrDeep(400, 10_000) },
    );
  });

  it('is no JSON where the whole of it is none: damaged at any place, by any byte', async () => {
    const bytesOfJson = fc.constantFrom(...Buffer.from('{}[]",:\\ 0-.eEtnu'), 0xff, 0xc3, 0x00);
    await fc.assert(
      fc.asyncProperty(bodies, fc.nat(), bytesOfJson, fc.constantFrom(0, 1), async (body, place, byte, removed) => {
        const bytes = Buffer.from(JSON.stringify(body));
        const at = place % (bytes.length + 1);
        const damaged = Buffer.concat([bytes.subarray(0, at), Buffer.from([byte]), bytes.subarray(at + removed)]);
        await expectAsWhole(damaged, 3);
      }),
      { numRuns: fastOrDeep(600, 20_000) },
    );
  });

  it.each([
    '{"a":[1,2,]}',
    '{"a":[1,2 ,\n ]}',
    '{"a":[,1]}',
    '{"a":[]}',
    '{}',
    ' { } ',
    '{,}',
    '{"a":1 "b":2}',
    '{"a":[1 2]}',
    '{"a":[1,2]]}',
    '{"a":[[1],[2]}',
    '{"a":[ ] , "a" : [ 1 ] }',
    '{"a":1,}',
    '{"a":1}{}',
    '{"a":1} x',
    '{"__proto__":{"b":1},"a":2}',
    '{"a":["\\\\","\\"","\\\\\\"]"]}',
    '{"2":1,"1":2,"b":[3],"a":4}',
    '[1,2,3]',
    '"a text"',
    '\ufeff{"a":1}',
    '{"a":[1}',
    '{"a":{"b":1],"c":2}',
    '{a:1}',
    '{1:1}',
    '{"a":"',
    '',
  ])('is read as the whole: %s', async (text) => {
    for (const stretch of [1, 2, 5]) await expectAsWhole(Buffer.from(text), stretch);
  });

  it('that is no JSON is known to be none without being read once more', () => {
    const items = Array.from({ length: 2_000 }, (_, i) => ({ role: 'user', content: `words ${i}` }));
    const bytes = Buffer.from(JSON.stringify({ model: 'm', messages: items, end: 1 }).replace('words 1990', 'words\n'));
    let parsed = 0;
    const parse = JSON.parse;
    const spy = vi.spyOn(JSON, 'parse').mockImplementation((text: string) => {
      parsed += text.length;
      return parse(text) as unknown;
    });
    expect(runSteps(stepsOfBody(bytes, 1_000))).toBeUndefined();
    spy.mockRestore();
    expect(parsed).toBeLessThan(bytes.length * 1.2);
  });

  it('has a step for each stretch, so that others have their turn in between', () => {
    const bytes = Buffer.from(
      JSON.stringify({ model: 'm', messages: Array.from({ length: 100 }, () => 'x'.repeat(98)) }),
    );
    const count = (stretchBytes: number): number => {
      const steps = stepsOfBody(bytes, stretchBytes);
      for (let n = 1; ; n++) if (steps.next().done === true) return n;
    };
    expect(count(bytes.length)).toBe(2);
    expect(count(1_000)).toBeGreaterThanOrEqual(10);
    expect(count(1)).toBeGreaterThanOrEqual(100);
  });
});
