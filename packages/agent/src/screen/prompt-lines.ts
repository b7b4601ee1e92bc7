import { clip, oneLine, type Paint, padEnd, stripControls, textWidth } from '@palimpsest/terminal';
import type { Menu } from './completion.ts';
import type { Guide } from './guide.ts';
import type { LineEditor } from './line-editor.ts';
import type { LiveLines } from './live-lines.ts';

export const PROMPT = '> ';

interface PromptParts {
  readonly editor: LineEditor;
  readonly columns: number;
  /** What a newcomer may type next. */
  readonly suggestion: ReturnType<Guide['next']>;
  readonly menu: Menu | undefined;
  readonly selected: number;
}

/** The line that is typed, with what belongs to it: the next step of a newcomer, a search, a menu below it. */
export function promptLines(paint: Paint, parts: PromptParts): LiveLines {
  const { editor, columns, suggestion, menu, selected } = parts;
  const { lines, line, column } = editor.layOut(columns - PROMPT.length);
  const search = editor.search();
  if (suggestion !== undefined && editor.text() === '' && menu === undefined && search === undefined)
    return suggestionLines(paint, suggestion, columns);
  const found = search?.isFound === false && search.words !== '' ? ', not found' : '';
  const above =
    search === undefined
      ? []
      : [
          paint.dim(
            clip(
              `  search: ${oneLine(search.words)}${found} (ctrl-r older, Enter sends it, esc leaves it in the line)`,
              columns,
            ),
          ),
        ];
  const typed = lines.map((one, i) => `${i === 0 ? paint.bold(PROMPT) : '  '}${stripControls(one)}`);
  return {
    lines: [...above, ...typed, ...(menu === undefined ? [] : menuLines(paint, menu, selected, columns))],
    cursor: { line: above.length + line, column: PROMPT.length + column },
  };
}

function suggestionLines(
  paint: Paint,
  { words, why, step, of }: NonNullable<PromptParts['suggestion']>,
  columns: number,
): LiveLines {
  const about = `step ${step} of ${of} · Tab, then Enter · ${why}`;
  const ghost = paint.dim(clip(oneLine(words), columns - PROMPT.length));
  return {
    lines: [paint.dim(clip(`  ${about}`, columns)), paint.bold(PROMPT) + ghost],
    cursor: { line: 1, column: PROMPT.length },
  };
}

const MOST_ROWS = 8;
const MOST_NAME = 40;

function menuLines(paint: Paint, { items }: Menu, selected: number, columns: number): readonly string[] {
  const from = Math.max(0, Math.min(selected - MOST_ROWS + 1, items.length - MOST_ROWS));
  const shown = items.slice(from, from + MOST_ROWS);
  const widest = Math.min(MOST_NAME, Math.max(...shown.map(({ value }) => textWidth(oneLine(value)))));
  return shown.map(({ value, about }, i) => {
    const row = `  ${padEnd(oneLine(value), widest)}  ${oneLine(about)}`.trimEnd();
    const isSelected = from + i === selected;
    return isSelected ? paint.cyan(clip(`❯${row.slice(1)}`, columns)) : paint.dim(clip(row, columns));
  });
}
