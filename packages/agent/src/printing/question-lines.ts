import { clip, formatCount, oneLine, type Paint, spellText, wrap, wrapExactly } from '@palimpsest/terminal';
import type { PermissionAsk } from '../world/permission.ts';

const GUTTER = '  │ ';
/** A row that only the width of the screen has broken. */
const WRAPPED = '  ┊ ';

/** What is to be allowed, all of it and as it is: line by line, wrapped, with nothing that could hide or turn around. */
export function askedLines({ what, content, question }: PermissionAsk, columns: number): readonly string[] {
  if (question !== undefined) return [];
  const rows = spellLines(what, columns);
  return content === undefined ? rows : [...rows, '  it would hold:', ...spellLines(content, columns)];
}

/** A text as it is, behind a rule. */
export const spellLines = (text: string, columns: number): readonly string[] =>
  spellText(text)
    .split('\n')
    .flatMap((line) =>
      wrapExactly(line, columns - GUTTER.length).map((row, i) => `${i === 0 ? GUTTER : WRAPPED}${row}`),
    );

export const questionTitle = ({ tool, why, question }: PermissionAsk, paint: Paint, columns: number): string =>
  paint.yellow(clip(question === undefined ? `Allow ${oneLine(tool)}? (${oneLine(why)})` : oneLine(question), columns));

/** Where the lines do not fit below the rest of the screen, they were printed above it. */
export const aboveLine = (lines: readonly string[], paint: Paint, columns: number): string =>
  paint.yellow(clip(`  all ${formatCount(lines.length, 'line')} of it stand above: read them first`, columns));

/** What can be answered; the last row is where the answer is typed. */
export function answerLines(asked: PermissionAsk, isReady: boolean, columns: number): readonly string[] {
  const { content, prefix, question, noun = content === undefined ? 'this command' : 'this file' } = asked;
  const answers =
    question === undefined
      ? [
          'y once',
          `a always ${oneLine(noun)}`,
          ...(prefix === undefined ? [] : [`p always “${oneLine(prefix)} …”`]),
          'n no',
        ]
      : ['y yes', 'n no'];
  return wrap(`${answers.join(' · ')}${isReady ? ': ' : ' …'}`, columns);
}
