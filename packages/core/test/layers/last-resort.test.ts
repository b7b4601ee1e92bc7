import { describe, expect, it } from 'vitest';
import { assistant, call, result, results, user } from '../../src/index.ts';
import { floor } from '../support/floor.ts';
import { textOf } from '../texts.ts';

describe('drop-oldest-rounds: a round that is too large in its smallest form', () => {
  const many = 120;
  const history = [
    user('Run them all.'),
    assistant(Array.from({ length: many }, (_, i) => call(`c${i}`, 'bash', { command: `probe --unit ${i}` }))),
    results(Array.from({ length: many }, (_, i) => result(`c${i}`, `unit ${i}: ${'fine '.repeat(20)}`, i === 97))),
  ];

  it('goes, and what came of it is told in short beside the request, with room for the turns to come', () => {
    const made = floor(history, 2_000);
    expect(made.view[0]).toMatchObject({ role: 'user', parts: [{ text: 'Run them all.' }] });
    expect(textOf(made.view)).toContain('2 messages hidden; recall');
    expect(textOf(made.view)).toContain('probe --unit');
    expect(textOf(made.view)).toContain('unit 97');
    expect(made.tokens).toBeGreaterThan(500);
    expect(made.tokens).toBeLessThan(1_200);
  });

  it('goes with a notice alone where there is no room for more', () => {
    expect(textOf(floor(history, 160).view)).toBe('Run them all.\n[2 messages hidden; recall e1]');
  });
});
