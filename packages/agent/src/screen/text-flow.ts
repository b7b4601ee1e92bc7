import { type MarkdownLines, splitBegun, textWidth, toScreenText, wrap } from '@palimpsest/terminal';

/** Streamed text as lines: those that are whole can be written for good, the rest is still growing. */
export interface TextFlow {
  add(text: string, columns: number): readonly string[];
  /** The line that is still growing. */
  rest(): string;
  end(columns: number): readonly string[];
}

/** With `markdown` lines are shown as it says, each when it has ended; without it as they are, as far as they go. */
export function newTextFlow(markdown?: () => MarkdownLines | undefined): TextFlow {
  let rest = '';
  /** An escape sequence, or a pair, may come in two pieces. */
  let held = '';
  return {
    add(text, columns) {
      const { whole: shown, begun } = splitBegun(held + text);
      held = begun;
      const lines = (rest + toScreenText(shown)).split('\n');
      rest = lines.pop() ?? '';
      const styled = markdown?.();
      if (styled !== undefined) return lines.flatMap((line) => styled.add(line, columns));
      const whole = lines.flatMap((line) => wrap(line, columns));
      if (textWidth(rest) <= columns) return whole;
      const wrapped = wrap(rest, columns);
      rest = wrapped.at(-1) ?? '';
      return [...whole, ...wrapped.slice(0, -1)];
    },
    rest: () => rest,
    end(columns) {
      const last = (rest + toScreenText(held)).trimEnd();
      [rest, held] = ['', ''];
      const styled = markdown?.();
      const shown = last === '' ? [] : (styled?.add(last, columns) ?? wrap(last, columns));
      styled?.end();
      return shown;
    },
  };
}
