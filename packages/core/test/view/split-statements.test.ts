import { describe, expect, it } from 'vitest';
import { splitStatements } from '../../src/view/split-statements.ts';

const split = (...lines: string[]) => splitStatements(lines.join('\n')).map(({ section, text }) => [section, text]);

describe('the statements of a plain text', () => {
  it('are its bullets and numbered points, each under its heading, however that is written', () => {
    expect(split('## Goal', '- one', '* two', '**State:**', '1. three', '2) four', '### Next #', '• five')).toEqual([
      ['Goal', 'one'],
      ['Goal', 'two'],
      ['State', 'three'],
      ['State', 'four'],
      ['Next', 'five'],
    ]);
  });

  it('are its paragraphs where there are no bullets; lines that follow each other are one', () => {
    expect(split('The parser', 'was renamed.', '', 'Then the tests ran.')).toEqual([
      ['', 'The parser\nwas renamed.'],
      ['', 'Then the tests ran.'],
    ]);
  });

  it('keep what is indented below them, and never tear a fence', () => {
    expect(
      split('- change `a.ts`:', '  - line 3', '  ```ts', '# no heading', '', '- no bullet', '  ```', '- next'),
    ).toEqual([
      ['', 'change `a.ts`:\n  - line 3\n  ```ts\n# no heading\n\n- no bullet\n  ```'],
      ['', 'next'],
    ]);
  });

  it('are none where there is nothing to tell', () => {
    expect(split('## A', '-', '## B', '(none)', '## C', 'None.', '- …', '', 'n/a', '', '无')).toEqual([]);
  });
});
