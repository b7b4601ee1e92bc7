import type { AgentEvent } from '../agent-event.ts';
import { callLabel } from '../labels.ts';
import { clean, clip, type Paint, plural } from './text.ts';

type CallEnded = Extract<AgentEvent, { type: 'call-ended' }>;

/** So many lines of an output are shown; `tail` from its end. The rest is folded away. */
const FOLDS: Readonly<Record<string, { readonly lines: number; readonly tail?: boolean }>> = {
  bash: { lines: 6, tail: true },
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
  const { tool, isError } = event;
  const body = clean(event.text).trimEnd().split('\n');
  const { lines: most, tail = false }: { lines: number; tail?: boolean } = isError
    ? { lines: 6, tail: tool === 'bash' }
    : (FOLDS[tool] ?? USUAL);
  const folded = body.length - most;
  const shown = tail ? body.slice(-most) : body.slice(0, most);
  const mark = isError ? paint.red('✗') : paint.green('●');
  const size = most === 0 || folded > 0 ? ` · ${sizeOf(event, body)}` : '';
  const head = `${mark} ${clip(`${clean(callLabel(event))}${size}`, columns - 2)}`;
  const fold = folded > 0 && most > 0 ? [paint.dim(`  … ${plural(folded, 'more line')}`)] : [];
  const text = most === 0 ? [] : shown.map((line) => paint.dim(`  ${clip(line, columns - 2)}`));
  return tail ? [head, ...fold, ...text] : [head, ...text, ...fold];
}

/** The first line of a file or a list says how large it is. */
function sizeOf({ tool, isError }: CallEnded, body: readonly string[]): string {
  const [head = ''] = body;
  if (isError) return plural(body.length, 'line');
  if (tool === 'read_file')
    return /of (\d+)[;)]/.exec(head)?.[1]?.concat(' lines') ?? (head.includes('not changed') ? 'not changed' : 'empty');
  if (tool === 'glob') return /^\d+ files/.exec(head)?.[0] ?? 'none';
  return plural(body.length, 'line');
}
