import { describe, expect, it } from 'vitest';
import { assistant, type Edit, type Entry, type Layer, type Look, type NewMessage, user } from '../../src/index.ts';
import { budgetOf, type Circumstances, decided, editsOf, inChars, walkWith } from '../support/walks.ts';

/** Ten messages of 100 characters. */
const ten: readonly NewMessage[] = Array.from({ length: 10 }, (_, i) =>
  i % 2 === 0 ? user('q'.repeat(100), `m${i}`) : assistant('a'.repeat(100), `m${i}`),
);
/** A report has taught that the estimate is a quarter too low, and that 20 tokens are unstated. */
const taught: Entry = { type: 'usage', usage: { input: 1 }, meter: { ratio: 1.25, hidden: 20 } };

function lookWith(told: Circumstances): Look {
  const looks: Look[] = [];
  const probe: Layer = {
    name: 'probe',
    decide(look) {
      looks.push(look);
      return { edits: [] };
    },
  };
  walkWith(ten, [probe], { ...inChars, ...told });
  return looks[0]!;
}

describe('a walk by a meter that reports have taught', () => {
  it('measures the context, the view before the walk and what is fresh in calibrated tokens', () => {
    const look = lookWith({ ledger: decided({ entries: [taught], seen: 7 }) });
    expect(look.tokens).toBe(1_270);
    expect(look.shown.tokens).toBe(1_270);
    expect(look.freshTokens).toBe(375);
    expect(lookWith({ ledger: decided({ entries: [taught], seen: 10 }) }).freshTokens).toBe(0);
    const third: Entry = { ...taught, meter: { ratio: 1.003, hidden: 0 } };
    expect(lookWith({ ledger: decided({ entries: [third], seen: 9 }) }).freshTokens).toBe(101);
  });

  it('tells what must go in estimated tokens, which layers count by', () => {
    const budget = budgetOf({ trigger: 1_270, target: 1_000 });
    const look = lookWith({ budget, ledger: decided({ entries: [taught] }) });
    expect(look.over.tokens).toBe(270 / 1.25);
    expect(
      lookWith({ budget: budgetOf({ trigger: 1_271, target: 1_000 }), ledger: decided({ entries: [taught] }) }).pressed,
    ).toBe(false);
  });

  it('the entry of a layer states calibrated tokens, before, after and over', () => {
    const layer: Layer = {
      name: 'mine',
      decide: (look) => ({ edits: [{ type: 'replace', ref: look.ref(0), message: 'm0', part: 0, excerpt: [''] }] }),
    };
    const made = walkWith(ten, [layer], {
      ...inChars,
      budget: budgetOf({ trigger: 1_000, target: 800 }),
      ledger: decided({ entries: [taught] }),
    });
    expect(made.ledger.entries[1]).toMatchObject({ tokensBefore: 1_270, tokensAfter: 1_145, over: 470 });
    expect(made.tokens).toBe(1_145);
  });
});

describe('references', () => {
  const shortening = (...messages: readonly string[]): Layer => ({
    name: 'mine',
    decide: (look) => ({
      edits: messages.map(
        (message, i): Edit => ({ type: 'replace', ref: look.ref(i), message, part: 0, excerpt: ['-'] }),
      ),
    }),
  });

  it('go on from those of earlier walks and of layers before, however many edits a decision has', () => {
    const first = walkWith(ten, [shortening('m0', 'm1'), shortening('m2', 'm3', 'm4')], inChars);
    expect(editsOf(first).map((edit) => edit.ref)).toEqual(['e1', 'e2', 'e3', 'e4', 'e5']);
    const second = walkWith(ten, [shortening('m5', 'm6'), shortening('m7', 'm8')], {
      ...inChars,
      ledger: first.ledger,
    });
    expect(editsOf(second).map((edit) => edit.ref)).toEqual(['e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7', 'e8', 'e9']);
  });
});
