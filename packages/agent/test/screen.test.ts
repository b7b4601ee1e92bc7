import { PassThrough } from 'node:stream';
import { clip, newLiveArea, openWriter, textWidth } from '@palimpsest/terminal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newLineEditor } from '../src/screen/line-editor.ts';
import { newTextFlow } from '../src/screen/text-flow.ts';
import { type ScreenModel, screenModel } from './support/screen-model.ts';

/** A terminal whose picture can be looked at. */
function stand(
  columns: number,
  rows: number,
): { area: ReturnType<typeof newLiveArea>; screen: ScreenModel; resize(columns: number, rows: number): void } {
  const screen = screenModel(columns, rows);
  const out = Object.assign(new PassThrough(), { columns, rows, isTTY: true }) as unknown as NodeJS.WriteStream;
  out.write = ((data: string) => {
    screen.write(data);
    return true;
  }) as NodeJS.WriteStream['write'];
  const area = newLiveArea(openWriter(out, {}));
  return {
    area,
    screen,
    resize(newColumns, newRows) {
      screen.resize(newColumns, newRows);
      Object.assign(out, { columns: newColumns, rows: newRows });
      area.resize();
    },
  };
}

describe('the bottom of the screen', () => {
  it('is drawn in place, and what is printed above it stays', () => {
    const { area, screen } = stand(40, 10);
    area.paint(['> ', 'status 1'], { line: 0, column: 2 });
    area.print(['first line', 'second line']);
    area.paint(['working', '> hi', 'status 2'], { line: 1, column: 4 });
    area.print(['third line']);
    area.paint(['> ', 'status 3'], { line: 0, column: 2 });
    expect(screen.all()).toBe('first line\nsecond line\nthird line\n> \nstatus 3\n'.replace('> \n', '>\n'));
    expect(screen.cursor()).toEqual({ row: 3, column: 2 });
  });

  it('stands once on the screen after any resizing, and loses nothing above it', () => {
    const size = fc.record({ columns: fc.integer({ min: 12, max: 60 }), rows: fc.integer({ min: 10, max: 20 }) });
    fc.assert(
      fc.property(
        size,
        fc.array(size, { minLength: 1, maxLength: 5 }),
        fc.nat({ max: 12 }),
        (first, sizes, printed) => {
          const { area, screen, resize } = stand(first.columns, first.rows);
          const bottom = (columns: number): readonly string[] => [
            '',
            clip('working on something that takes a while', columns - 1),
            `> ${'x'.repeat(Math.min(8, columns - 4))}`,
            clip('STATUS and more about it', columns - 1),
          ];
          const live = (columns: number): void => area.paint(bottom(columns), { line: 2, column: 5 });
          const above = Array.from({ length: printed }, (_, n) => `line ${n} ${'abc '.repeat(n)}`.trim());
          area.print(above);
          live(first.columns);
          for (const { columns, rows } of sizes) {
            resize(columns, rows);
            live(columns);
          }
          const last = sizes.at(-1)!.columns;
          expect(screen.all()).toBe(`${[...above, ...bottom(last)].join('\n')}\n`);
        },
      ),
    );
  });

  it('keeps its end where the screen is too low for all of it', () => {
    const { area, screen } = stand(30, 4);
    area.paint(['1', '2', '3', '4', '> ', 'status'], { line: 4, column: 2 });
    expect(screen.visible()).toEqual(['4', '>', 'status']);
    area.close();
    expect(screen.all().trim()).toBe('');
  });
});

describe('text', () => {
  it('that is streamed comes to the same lines however it is cut into pieces', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('one ', 'two', '\n', 'seventeen ', 'x')),
        fc.integer({ min: 10, max: 20 }),
        (pieces, columns) => {
          const flow = newTextFlow();
          const lines = pieces.flatMap((piece) => flow.add(piece, columns));
          const streamed = [...lines, ...flow.end(columns)].join('').replace(/\s/g, '');
          expect(streamed).toBe(pieces.join('').replace(/\s/g, ''));
          for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns);
        },
      ),
    );
  });
});

describe('the line that is typed', () => {
  const typed = (...keys: readonly (string | { name: string; ctrl?: boolean; meta?: boolean })[]) => {
    const editor = newLineEditor();
    for (const key of keys)
      if (typeof key === 'string') for (const character of key) editor.press(character, { sequence: character });
      else editor.press(undefined, key);
    return editor;
  };

  it('can be edited', () => {
    expect(typed('hello world', { name: 'w', ctrl: true }, 'mill').text()).toBe('hello mill');
    expect(typed('ab', { name: 'left' }, 'X', { name: 'end' }, 'Y', { name: 'home' }, { name: 'delete' }).text()).toBe(
      'XbY',
    );
    expect(typed('one', { name: 'return', meta: true }, 'two', { name: 'u', ctrl: true }, 'x').text()).toBe('one\nx');
    expect(typed('a👍', { name: 'backspace' }).text()).toBe('a');
    expect(typed('a👩‍👩‍👧', { name: 'backspace' }).text()).toBe('a');
    expect(typed('✅e\u0301', { name: 'left' }, 'X', { name: 'left' }, { name: 'left' }, 'Y').text()).toBe(
      'Y✅Xe\u0301',
    );
  });

  it('remembers what was sent', () => {
    const editor = typed('first');
    editor.take();
    for (const character of 'second') editor.press(character, {});
    editor.take();
    for (const character of 'dra') editor.press(character, {});
    editor.press(undefined, { name: 'up' });
    editor.press(undefined, { name: 'up' });
    expect(editor.text()).toBe('first');
    for (let n = 0; n < 3; n++) editor.press(undefined, { name: 'down' });
    expect(editor.text()).toBe('dra');
  });

  it('shows the cursor where it is, on any width', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '日', ' ', '\n', '✅', '👩‍👩‍👧', 'e\u0301') }),
        fc.integer({ min: 6, max: 20 }),
        (text, columns) => {
          const editor = newLineEditor();
          editor.set(text);
          const { lines, line, column } = editor.layOut(columns);
          expect(textWidth(lines[line]!)).toBe(column);
          expect(lines.length).toBeLessThanOrEqual(6);
          for (const one of lines) expect(textWidth(one)).toBeLessThan(columns);
        },
      ),
    );
  });
});
