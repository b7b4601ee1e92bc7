import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newPrefixIndex } from '../src/conversations/prefix-index.ts';

/** Each stands for all before it as well, as traces do. */
const traceOf = (words: readonly number[]): readonly string[] =>
  words.map((_, i) =>
    createHash('sha256')
      .update(words.slice(0, i + 1).join())
      .digest('base64url')
      .slice(0, 22),
  );

/** The same by one table, which is asked message by message. */
function newPlainIndex() {
  const nodes = new Map<string, readonly number[]>();
  return {
    find(trace: readonly string[]) {
      const depth = trace.findLastIndex((node) => nodes.has(node)) + 1;
      return { holders: nodes.get(trace[depth - 1] ?? '') ?? [], depth };
    },
    add(trace: readonly string[], holder: number, from: number) {
      for (const node of trace.slice(from))
        nodes.set(node, [holder, ...(nodes.get(node) ?? []).filter((one) => one !== holder).slice(0, 3)]);
    },
    remove(trace: readonly string[], holder: number) {
      for (const node of trace) {
        const others = (nodes.get(node) ?? []).filter((one) => one !== holder);
        if (others.length > 0) nodes.set(node, others);
        else nodes.delete(node);
      }
    },
  };
}

it('conversations are found by their longest beginning, however many came, grew and went', () => {
  const words = fc.array(fc.nat(2), { minLength: 1, maxLength: 6 });
  const step = fc.record({ does: fc.constantFrom('add', 'add', 'grow', 'remove'), who: fc.nat(7), words });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.array(words, { minLength: 5 }), (steps, asked) => {
      const [index, plain] = [newPrefixIndex<number>(), newPlainIndex()];
      const held = new Map<number, readonly number[]>();
      for (const { does, who, words: said } of steps) {
        const before = held.get(who);
        if (does === 'remove' || before === undefined) {
          if (before !== undefined) {
            index.remove('s', traceOf(before), who);
            plain.remove(traceOf(before), who);
            held.delete(who);
          }
          if (does === 'remove') continue;
        }
        const all = [...(held.get(who) ?? []), ...said];
        const from = held.get(who)?.length ?? 0;
        index.add('s', traceOf(all), who, from);
        plain.add(traceOf(all), who, from);
        held.set(who, all);
        for (const one of [...asked, all]) expect(index.find('s', traceOf(one))).toEqual(plain.find(traceOf(one)));
        expect(index.find('another', traceOf(all))).toEqual({ holders: [], depth: 0 });
      }
    }),
    { numRuns: 300 },
  );
});
