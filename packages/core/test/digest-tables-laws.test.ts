import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanIdentifiers } from '../src/digest/evidence/scan-identifiers.ts';
import { hashToken } from '../src/digest/evidence/scan-tokens.ts';
import { type IdentifierTally, newIdentifierTally } from '../src/digest/read/identifier-tally.ts';
import { addName, findName, newNameTable, none } from '../src/digest/read/name-table.ts';
import { newRowTable, putRow } from '../src/digest/read/row-table.ts';

/** Texts as tables meet them: empty, long, in other scripts, half a surrogate pair. */
const texts = fc.oneof(
  fc.constantFrom('', 'a', '\ud83d', '\udc00x', 'x\ud83d', '中文', 'é', 'name_1', 'name_12', '\0', '\uffff'),
  fc.string({ maxLength: 6 }),
  fc.nat(40).map((length) => 'x_'.repeat(20 * length)),
);
/** Few hashes for many texts, and those at the ends. */
const hashes = (text: string, kind: number): number =>
  [hashToken(text, 0, text.length), 7, 0, 0x3fff_ffff, text.length % 3][kind] as number;

describe('a table of names, beside a plain map', () => {
  it('has the same numbers, whatever the texts and however alike their hashes are', () => {
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 300 }), fc.nat(4), (all, kind) => {
        const table = newNameTable();
        const plain = new Map<string, number>();
        for (const text of all) {
          const inside = `[${text}]`;
          const hash = hashes(text, kind);
          expect(findName(table, inside, 1, text.length + 1, hash)).toBe(plain.get(text) ?? none);
          if (plain.has(text)) continue;
          expect(addName(table, inside, 1, text.length + 1, hash)).toBe(plain.size);
          plain.set(text, plain.size);
        }
        for (const [text, number] of plain)
          expect(findName(table, text, 0, text.length, hashes(text, kind))).toBe(number);
      }),
    );
  });

  it('holds more than 2 ** 17 of them', () => {
    const table = newNameTable();
    const count = 140_000;
    const nameOf = (i: number): string => `name_${i.toString(36)}`;
    const hashOf = (name: string): number => hashToken(name, 0, name.length);
    for (let i = 0; i < count; i++) addName(table, nameOf(i), 0, nameOf(i).length, hashOf(nameOf(i)));
    let wrong = 0;
    for (let i = 0; i < count; i++)
      if (findName(table, nameOf(i), 0, nameOf(i).length, hashOf(nameOf(i))) !== i) wrong++;
    expect(wrong).toBe(0);
    expect(findName(table, nameOf(count), 0, nameOf(count).length, hashOf(nameOf(count)))).toBe(none);
  });
});

describe('a table of rows, beside a plain map', () => {
  it('answers the row that a text had before', () => {
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 300 }), fc.nat(4), (all, kind) => {
        const table = newRowTable();
        const plain = new Map<string, number>();
        all.forEach((text, row) => {
          expect(putRow(table, all, row, hashes(text, kind))).toBe(plain.get(text) ?? none);
          plain.set(text, row);
        });
      }),
    );
  });
});

describe('a tally of identifiers, beside a plain map', () => {
  const words = fc.constantFrom(
    ...'one_name two_names src/a.ts src/b/c.ts --flag plain Words 12: 4711 0x1f2e abc1234 \ud83d é_é 中 https://a.b/c , \n'.split(
      ' ',
    ),
  );
  const lines = fc.array(fc.tuple(words, fc.nat(99)), { maxLength: 30 });
  /** Many more tokens than are looked up at once. */
  const bodies = fc
    .tuple(lines, fc.constantFrom(1, 1, 30))
    .map(([some, times]) =>
      Array.from({ length: times }, (_, n) => some.map(([word, k]) => `${word} n_${k + n}`).join(' ')).join('\n'),
    );

  const listCounts = (tally: IdentifierTally): readonly (readonly [string, number])[] =>
    tally.toEvidence().map(({ identifier, inResults }) => [identifier, inResults] as const);

  it('counts what the scan of each text finds, in its order, also where two are filled in turn', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(bodies, fc.boolean()), { maxLength: 8 }), (all) => {
        const tallies = [newIdentifierTally([], 0), newIdentifierTally([], 0)] as const;
        const plain = [new Map<string, number>(), new Map<string, number>()] as const;
        for (const [body, isOther] of all) {
          const which = isOther ? 1 : 0;
          tallies[which].scan(body, 'inResults');
          scanIdentifiers(body, (name) => plain[which].set(name, (plain[which].get(name) ?? 0) + 1));
        }
        expect(tallies.map(listCounts)).toEqual(plain.map((one) => [...one]));
      }),
    );
  });
});
