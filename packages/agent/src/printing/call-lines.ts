import { posix } from 'node:path';
import { asFields, asString } from '@palimpsest/core/json';
import { clip, diffLines, formatCount, oneLine, type Paint, toScreenText } from '@palimpsest/terminal';
import type { AgentEvent } from '../loop/agent-event.ts';
import { callLabel, subjectOf } from '../tools/labels.ts';

export type CallEnded = Extract<AgentEvent, { type: 'call-ended' }>;

/** So many lines of an output are shown; `tail` from its end. The rest is folded away. */
const FOLDS: Readonly<Record<string, { readonly lines: number; readonly tail?: boolean }>> = {
  bash: { lines: 6, tail: true },
  '!': { lines: 40, tail: true },
  grep: { lines: 4 },
  glob: { lines: 0 },
  read_file: { lines: 0 },
  recall: { lines: 4 },
  todo_write: { lines: 12 },
  task: { lines: 6 },
};
const USUAL = { lines: 2 };

/** A call with its output folded: what it was, how it ended, a few lines. */
export function callLines(event: CallEnded, paint: Paint, columns: number): readonly string[] {
  const change = changeIn(event);
  if (change !== undefined)
    return [
      `${paint.green('●')} ${clip(oneLine(callLabel(event)), columns - 2)}`,
      ...diffLines(change.before, change.after, { paint, columns, most: MOST_CHANGED }),
    ];
  const { tool, isError } = event;
  const body = toScreenText(event.text).trimEnd().split('\n');
  const { lines: most, tail = false }: { lines: number; tail?: boolean } = isError
    ? { lines: 6, tail: tool === 'bash' }
    : (FOLDS[tool] ?? USUAL);
  const folded = body.length - most;
  const shown = tail ? body.slice(-most) : body.slice(0, most);
  const mark = isError ? paint.red('✗') : paint.green('●');
  const size = most === 0 || folded > 0 ? ` · ${sizeOf(event, body)}` : '';
  const head = `${mark} ${clip(`${oneLine(callLabel(event))}${size}`, columns - 2)}`;
  const fold = folded > 0 && most > 0 ? [paint.dim(`  … ${formatCount(folded, 'more line')}`)] : [];
  const text = most === 0 ? [] : shown.map((line) => paint.dim(`  ${clip(line, columns - 2)}`));
  return tail ? [head, ...fold, ...text] : [head, ...text, ...fold];
}

const MOST_CHANGED = 16;

/** What an edit took away and what it put there. */
function changeIn({
  tool,
  isError,
  input,
}: CallEnded): { readonly before: string; readonly after: string } | undefined {
  const { old_text, new_text } = asFields(input);
  const [before, after] = [asString(old_text), asString(new_text)];
  if (tool !== 'edit_file' || isError || before === undefined || after === undefined) return undefined;
  return { before: toScreenText(before), after: toScreenText(after) };
}

/** Files that were read one after the other come to one line. */
export const canJoin = (event: AgentEvent): event is CallEnded =>
  event.type === 'call-ended' && event.tool === 'read_file' && !event.isError;

export function joinedLines(events: readonly CallEnded[], paint: Paint, columns: number): readonly string[] {
  const [first, ...others] = events;
  if (first === undefined) return [];
  const last = others.at(-1);
  if (last === undefined) return callLines(first, paint, columns);
  const lines = events.reduce((sum, { text }) => sum + linesIn(text), 0);
  const [from, to] = [subjectOf(first.input), subjectOf(last.input)];
  const range = `${from} … ${posix.dirname(from) === posix.dirname(to) ? posix.basename(to) : to}`;
  const label = `read_file ${formatCount(events.length, 'file')} (${formatCount(lines, 'line')}): ${range}`;
  return [`${paint.green('●')} ${clip(oneLine(label), columns - 2)}`];
}

const linesIn = (text: string): number => Number(/of (\d+)[;)]/.exec(text.split('\n', 1)[0]!)?.[1] ?? 0);

/** The first line of a file or a list says how large it is. */
function sizeOf({ tool, isError }: CallEnded, body: readonly string[]): string {
  const [head = ''] = body;
  if (isError) return formatCount(body.length, 'line');
  if (tool === 'read_file')
    return linesIn(head) > 0
      ? formatCount(linesIn(head), 'line')
      : head.includes('not changed')
        ? 'not changed'
        : 'empty';
  if (tool === 'glob') return formatCount(Number(/^\d+/.exec(head)?.[0] ?? 0), 'file');
  return formatCount(body.length, 'line');
}
