import { describe, expect, it } from 'vitest';
import { readChanges } from '../../src/summary/read-changes.ts';

const read = (...lines: string[]) => readChanges(lines.join('\n'));

describe('what an answer changes', () => {
  it('a bullet adds a statement under its heading, with the words that prove it', () => {
    expect(read('## Facts', '- the port is 8412 | from: "listening on 8412"')).toEqual([
      { type: 'add', section: 'Facts', text: 'the port is 8412', quote: 'listening on 8412' },
    ]);
  });

  it.each([
    ['- change s4: the port is 9000 | from: "now on 9000"', 'the port is 9000'],
    ['- **Change** [s4] to the port is 9000', 'the port is 9000'],
    ['- [s4] the port is 9000', 'the port is 9000'],
    ['- update s4 – [s4] the port is 9000 (from: “now on 9000”)', 'the port is 9000'],
  ])('a statement is changed by its number: %s', (line, text) => {
    expect(read(line)).toMatchObject([{ type: 'change', number: 4, text }]);
  });

  it.each([
    ['- retire s7 | from: "all tests pass"', [7]],
    ['- Retire s7, s8 and [s12]: done | from: "all tests pass"', [7, 8, 12]],
    ['- remove s7.', [7]],
  ])('statements are retired by their numbers: %s', (line, numbers) => {
    expect(read(line).map((change) => change.type === 'retire' && change.number)).toEqual(numbers);
  });

  it.each([
    'Retire the old parser once v2 ships',
    'Remove src/legacy.ts before the release',
    'Change the default to 7',
    'Add tests: the parser has none',
    'the banner says [s4]',
  ])('what only sounds like a change is a statement: %s', (text) => {
    expect(read(`- ${text}`)).toEqual([{ type: 'add', section: '', text }]);
  });

  it.each(['No changes.', 'Nothing has changed', '(none)', '## Goal\n- none\n## Now\nNo changes', '-'])(
    'nothing is nothing: %j',
    (body) => expect(read(body)).toEqual([]),
  );

  it('a long paragraph is taken in pieces of whole lines, one with a fence whole', () => {
    const lines = Array.from({ length: 30 }, (_, i) => `line ${i} of a text that goes on and on`);
    const pieces = read(...lines).map((one) => ('text' in one ? one.text : ''));
    expect(pieces.join('\n')).toBe(lines.join('\n'));
    expect(pieces.length).toBeLessThan(10);
    for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(300);
    const changing = read(...lines, 'change s4: the port is 8081', 'a line behind it', 'retire s7', 'and one more');
    expect(changing.slice(pieces.length)).toMatchObject([
      { type: 'change', number: 4, text: 'the port is 8081' },
      { type: 'add', text: 'a line behind it' },
      { type: 'retire', number: 7 },
      { type: 'add', text: 'and one more' },
    ]);
    expect(read('- the loop:', '  ```ts', ...lines, '  ```')).toHaveLength(1);
  });
});
