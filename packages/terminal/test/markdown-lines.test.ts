import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines } from '../src/diff-lines.ts';
import { newMarkdownLines } from '../src/markdown-lines.ts';
import { PAINT, paintFor } from '../src/paint.ts';
import { toScreenText } from '../src/printable.ts';
import { textWidth } from '../src/text-width.ts';

const plain = paintFor({}, false);
const coloured = paintFor({ FORCE_COLOR: '1' }, true);

const shown = (source: string, columns = 60, paint = plain): readonly string[] => {
  const markdown = newMarkdownLines(paint);
  return source.split('\n').flatMap((line) => markdown.add(line, columns));
};

describe('Markdown', () => {
  it('has its marks taken for what they mean', () => {
    expect(
      shown(
        '# The *mill*\n\nIt is **sold**, see `a < b && c` and [the town](https://town.example).\n- one\n  * two\n1. three\n> said\n---',
      ),
    ).toEqual([
      'The mill',
      '',
      'It is sold, see a < b && c and the town',
      '(https://town.example).',
      '• one',
      '  • two',
      '1. three',
      '│ said',
      '─'.repeat(40),
    ]);
  });

  it('shows code as it is, in the colours of its language, and takes nothing in it for a mark', () => {
    const source = '```ts\nconst a = "**b**"; // # no title\n\n  - 1\n```\nafter';
    expect(shown(source)).toEqual(['  ts', '  const a = "**b**"; // # no title', '  ', '    - 1', 'after']);
    const [, line = ''] = shown(source, 60, coloured);
    expect(line).toContain(coloured.magenta('const'));
    expect(line).toContain(coloured.green('"**b**"'));
  });

  it('goes on behind code that was never closed, once the text is over', () => {
    const markdown = newMarkdownLines(plain);
    markdown.add('```', 60);
    expect(markdown.add('**x**', 60)).toEqual(['  **x**']);
    markdown.end();
    expect(markdown.add('**x**', 60)).toEqual(['x']);
  });

  it('keeps every letter of a text without marks, within the width, and puts out no code but colours', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'ab c日\té.,:;<&"\'', '👨‍👩‍👧‍👦'), maxLength: 200 });
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 6 }), fc.integer({ min: 12, max: 80 }), (lines, columns) => {
        const source = toScreenText(lines.join('\n'));
        const rows = shown(source, columns, coloured);
        for (const row of rows) expect(textWidth(row)).toBeLessThanOrEqual(columns);
        const bare = (text: string): string => text.replace(/\s/g, '');
        expect(bare(rows.map((row) => row.replace(PAINT, '')).join(''))).toBe(bare(source));
        expect(rows.every((row) => stripVTControlCharacters(row) === row.replace(PAINT, ''))).toBe(true);
      }),
    );
  });
});

describe('a diff', () => {
  it('shows what went and what came, with a line beside it', () => {
    const look = { paint: plain, columns: 40, most: 10 };
    expect(diffLines('a\nb\nc\nd', 'a\nb\nx\nd', look)).toEqual(['   b', '  -c', '  +x', '   d']);
    expect(diffLines('', 'one\ntwo', { ...look, most: 1 })).toEqual(['  +one', '  … 1 more line changed']);
  });
});
